import Foundation
import LinuxSystem
import TestKit
import WireProtocol

/// A remote that behaves, and notes how long it waits for each reply while others do what they will.
final class Bystander: Sendable {
    private struct Notes {
        var waits: [Double] = []
        var isStopping = false
        var hasEnded = false
        var failure: String?
    }

    private let notes: Guarded<Notes>

    /// Sends `host` a command every 4 ms from a thread of its own: below the rate that a remote may have.
    init(_ host: Host) throws {
        let client = try RawClient(host, as: "Bystander")
        notes = Guarded(Notes())
        // The client is the thread's alone from here on.
        nonisolated(unsafe) let remote = client
        Thread.detachNewThread { [self] in
            var id = 0
            while !notes.withLock({ $0.isStopping }) {
                id += 1
                let mark = remote.log.count
                let asked = MonotonicClock.now()
                remote.send(#"{"kind":"command","id":\#(id),"payload":{"kind":"pause"}}"#)
                // When it came, not when this thread got round to reading it.
                let came = remote.log.first(after: mark) { $0.text.contains(#""re":\#(id),"#) ? $0.at : nil }
                notes.withLock { notes in
                    if let came { notes.waits.append(came - asked) } else { notes.isStopping = true }
                    if came == nil {
                        notes.failure = "no reply to \(id); the last words were \(remote.log.text.suffix(300))"
                    }
                }
                usleep(4_000)
            }
            notes.withLock { $0.hasEnded = true }
        }
    }

    /// Lets it go, and gives the seconds it has waited, in order of length; throws where it went without a reply.
    func waits() throws -> [Double] {
        notes.withLock { $0.isStopping = true }
        let end = MonotonicClock.now() + 10
        while !notes.withLock({ $0.hasEnded }), MonotonicClock.now() < end { usleep(1_000) }
        let (waits, failure) = notes.withLock { ($0.waits.sorted(), $0.failure) }
        if let failure { throw TestFailure(failure) }
        return waits
    }
}

/// Connections of a peer that sends without pause, and reads or does not.
struct Flood {
    /// Sends `chunk` over and over on `count` connections for `seconds`; those that the host closes are opened anew.
    ///
    /// Gives the bytes that the host took.
    static func run(
        port: Int, connections count: Int, seconds: Double, reads: Bool = true, receiveBuffer: Int32? = nil,
        first: String = "", chunk: [UInt8]
    ) throws -> Int {
        func open() throws -> Int32 {
            let descriptor = try RawClient.connect(port: port, receiveBuffer: receiveBuffer)
            FakePeer.say(first, on: descriptor)
            // Closed, it is gone: else this system would go on for seconds to deliver what it had taken.
            var hard = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            return descriptor
        }
        var all = try (0..<count).map { _ in (descriptor: try open(), sent: 0) }
        defer { for one in all { close(one.descriptor) } }
        var total = 0
        var waste = [UInt8](repeating: 0, count: 65_536)
        let end = MonotonicClock.now() + seconds
        while MonotonicClock.now() < end {
            var isIdle = true
            for place in all.indices {
                let descriptor = all[place].descriptor
                let rest = chunk[all[place].sent...]
                let sent = rest.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                var isGone = sent < 0 && errno != EAGAIN
                if sent > 0 {
                    total += sent
                    all[place].sent = (all[place].sent + sent) % chunk.count
                    isIdle = false
                }
                if reads {
                    let got = recv(descriptor, &waste, waste.count, 0)
                    if got > 0 { isIdle = false }
                    if got == 0 || got < 0 && errno != EAGAIN { isGone = true }
                }
                if isGone {
                    close(descriptor)
                    all[place] = (try open(), 0)
                }
            }
            // The machine is the host's, too.
            if isIdle { usleep(500) }
        }
        return total
    }
}
