import Glibc
import LinuxSystem
import Transport
import WireProtocol

/// A loop driven on the test's own thread, always with a deadline.
struct Bench {
    let loop: EventLoop

    init() throws {
        loop = try EventLoop()
    }

    /// Turns the loop until `condition` holds after a turn; false when `seconds` have passed before.
    func run(within seconds: Double = 10, until condition: @escaping () -> Bool) -> Bool {
        if condition() { return true }
        var isMet = false
        let loop = loop
        loop.onTurnEnd = { [unowned loop] in
            guard condition() else { return }
            isMet = true
            loop.stop()
        }
        let deadline = loop.schedule(at: MonotonicClock.now() + seconds) { [unowned loop] in loop.stop() }
        loop.run()
        loop.cancel(deadline)
        loop.onTurnEnd = {}
        return isMet
    }

    /// Turns the loop for `seconds`; how many turns that took.
    @discardableResult
    func turn(for seconds: Double) -> Int {
        var turns = 0
        _ = run(within: seconds) {
            turns += 1
            return false
        }
        return turns
    }

    /// A listener at a port of the system's choice.
    func listener(at address: String = "127.0.0.1") throws(SystemError) -> Listener {
        try Listener(Endpoint(address: address, port: 0), loop: loop)
    }

    /// A raw peer and the channel that serves it.
    func pair(secondsToFlush: Double = Channel.secondsToFlush) throws -> (peer: RawPeer, channel: Channel) {
        let listener = try listener()
        var descriptor: Int32 = -1
        listener.onConnection = { accepted, _ in descriptor = accepted }
        let peer = try RawPeer(to: listener.endpoint, loop: loop)
        guard run(until: { descriptor >= 0 }) else { throw SystemError("accept", errno: ETIMEDOUT) }
        return (peer, try Channel(owning: descriptor, loop: loop, secondsToFlush: secondsToFlush))
    }

    /// A port at which nobody listens any more.
    func deafEndpoint() throws -> Endpoint {
        let listener = try listener()
        listener.stop()
        return listener.endpoint
    }
}
