internal import Conformance
internal import Glibc
internal import LinuxSystem
internal import Transport
internal import WireProtocol

/// One trial with a real remote: a listener on loopback, a child process and a clock.
///
/// Confined to its loop.
final class TrialPlay {
    private let loop: EventLoop
    private let command: [String]
    private let variables: [String: String]
    private(set) var machine: TrialMachine
    private var listener: Listener?
    private var endpoint = Endpoint(address: "127.0.0.1", port: 0)
    private var child: ChildProgram?
    private var connections: [Int: (channel: Channel, descriptor: Int32)] = [:]
    private var outputs: [Int: [UInt8]] = [:]
    private var lastConnection = 0
    private var timer: (deadline: SteadyTime, timer: EventLoop.Timer)?

    /// The remote has said hello for the first time, or will not.
    var onGreeted: () -> Void = {}
    var onFinished: (TrialMachine) -> Void = { _ in }
    private var hasGreeted = false

    /// `command` is the remote and its arguments; `{host}` and `{port}` in them are replaced.
    init(_ machine: TrialMachine, command: [String], variables: [String: String], loop: EventLoop) {
        self.machine = machine
        self.command = command
        self.variables = variables
        self.loop = loop
    }

    private var now: SteadyTime { MonotonicClock.now() }

    /// - Throws: `SystemError` when there is no port, or the command cannot be started.
    func start() throws(SystemError) {
        try listen()
        let filled = command.map {
            $0.replacing("{host}", with: endpoint.address).replacing("{port}", with: "\(endpoint.port)")
        }
        let child = try ChildProgram(
            filled, variables.merging(["ALLSPEAK_HOST": endpoint.text]) { $1 }, loop: loop)
        self.child = child
        child.onLine = { [weak self] line in
            guard let self else { return }
            perform(machine.said(line, now: now))
        }
        child.onEnd = { [weak self] how in
            guard let self else { return }
            perform(machine.exited(how, now: now))
        }
        perform(machine.start(now: now))
    }

    private func listen() throws(SystemError) {
        let listener = try Listener(endpoint, loop: loop)
        endpoint = listener.endpoint
        self.listener = listener
        listener.onConnection = { [weak self] descriptor, _ in self?.accept(descriptor) }
    }

    private func accept(_ descriptor: Int32) {
        guard let channel = try? Channel(owning: descriptor, loop: loop) else { return }
        lastConnection += 1
        let number = lastConnection
        connections[number] = (channel, descriptor)
        channel.nextOutput = { [weak self] in self?.outputs.removeValue(forKey: number) }
        channel.onBytes = { [weak self] bytes in
            guard let self else { return }
            perform(machine.received(bytes, connection: number, now: now))
            noteGreeting()
        }
        channel.onEnd = { [weak self] _ in
            guard let self else { return }
            connections[number] = nil
            perform(machine.ended(number, now: now))
        }
        perform(machine.connected(number, now: now))
    }

    private func noteGreeting() {
        guard !hasGreeted, !machine.stage.received.isEmpty || machine.isFinished, !machine.endedUnconnected else {
            return
        }
        hasGreeted = true
        onGreeted()
    }

    private func perform(_ actions: [TrialAction]) {
        for action in actions {
            switch action {
            case .send(let bytes, let number):
                outputs[number, default: []] += bytes
                connections[number]?.channel.flush()
            case .close(let number, let ending): close(number, ending)
            case .listen(true): try? listen()
            case .listen(false): listener = nil
            case .type(let bytes): child?.type(bytes)
            case .finished: finish()
            }
        }
        armTimer()
    }

    private func close(_ number: Int, _ ending: TrialAction.Ending) {
        guard let (channel, descriptor) = connections[number] else { return }
        switch ending {
        case .orderly: channel.closeWhenFlushed()
        case .abrupt:
            // A close without lingering resets the connection.
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            channel.close()
            connections[number] = nil
        }
    }

    private func armTimer() {
        let deadline = machine.nextDeadline
        guard deadline != timer?.deadline else { return }
        if let timer { loop.cancel(timer.timer) }
        timer = deadline.map { deadline in
            (
                deadline,
                loop.schedule(at: deadline) { [weak self] in
                    guard let self else { return }
                    timer = nil
                    perform(machine.tick(now: now))
                }
            )
        }
    }

    private func finish() {
        listener = nil
        child?.kill()
        for (channel, _) in connections.values { channel.close() }
        connections = [:]
        noteGreeting()
        // From the loop, so that nobody is let go in the middle of its own work.
        loop.schedule(at: loop.now) { [self] in onFinished(machine) }
    }
}
