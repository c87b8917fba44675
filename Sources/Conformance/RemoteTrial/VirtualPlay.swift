internal import WireProtocol

/// A trial and the built-in remote on virtual time: no socket, no process, no waiting.
package struct VirtualPlay: Sendable {
    /// What stands between the remote and the world, to make a good remote a bad one.
    package struct Tampering: Sendable {
        /// What becomes of each line that the remote sends on its connection of that number; with LF.
        package var sends: @Sendable (_ line: [UInt8], _ connection: Int) -> [[UInt8]] = { line, _ in [line] }
        /// What becomes of a line that the remote prints.
        package var says: @Sendable (String) -> String = { $0 }
        /// What becomes of the lines that are typed.
        package var types: @Sendable (String) -> String = { $0 }

        package init() {}
    }

    private enum Event: Sendable {
        case judgeConnected(Int)
        case judgeReceived([UInt8], Int)
        case judgeEnded(Int)
        case judgeHeard(String)
        case remoteConnected(Int)
        case remoteRefused(Int)
        case remoteReceived([UInt8], Int)
        case remoteClosed(Int)
        case remoteTyped(String)
    }

    /// Events without which a play would not end: a remote that hammers stops here.
    private static let maximumEvents = 200_000
    /// Any moment; 2026-09-21.
    private static let start = SteadyTime(nanoseconds: 1_000_000_000_000)
    private static let wallMilliseconds: Int64 = 1_790_000_000_000

    private let tampering: Tampering
    private var judge: TrialMachine
    private var remote: InProcessRemote
    private var now = Self.start
    private var events: [Event] = []
    private var isListening = true
    private var link: (connection: Int, attempt: Int)?
    private var connections = 0

    private init(_ trial: Trial, _ tampering: Tampering, seed: UInt64) {
        self.tampering = tampering
        judge = TrialMachine(
            trial, name: trial.name, pace: .virtual, now: now, wallMilliseconds: Self.wallMilliseconds)
        remote = InProcessRemote(seed: seed)
    }

    /// Plays `trial` to its end; `seed` is that of the remote's jitter.
    package static func play(
        _ trial: Trial, tampering: Tampering = Tampering(), seed: UInt64 = 1
    ) -> TrialMachine {
        var play = VirtualPlay(trial, tampering, seed: seed)
        play.run()
        return play.judge
    }

    private mutating func run() {
        perform(judge.start(now: now))
        perform(remote.start(now: now))
        var count = 0
        while !judge.isFinished, count < Self.maximumEvents {
            count += 1
            if !events.isEmpty {
                handle(events.removeFirst())
            } else if let next = [judge.nextDeadline, remote.nextDeadline].compactMap(\.self).min() {
                now = max(now, next)
                if let due = remote.nextDeadline, due <= now { perform(remote.tick(now: now)) }
                if let due = judge.nextDeadline, due <= now { perform(judge.tick(now: now)) }
            } else {
                break
            }
        }
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .judgeConnected(let number): perform(judge.connected(number, now: now))
        case .judgeReceived(let bytes, let number): perform(judge.received(bytes, connection: number, now: now))
        case .judgeEnded(let number): perform(judge.ended(number, now: now))
        case .judgeHeard(let line): perform(judge.said(line, now: now))
        case .remoteConnected(let attempt): perform(remote.connectSucceeded(attempt: attempt, now: now))
        case .remoteRefused(let attempt): perform(remote.connectFailed(attempt: attempt, now: now))
        case .remoteReceived(let bytes, let attempt):
            perform(remote.received(bytes, attempt: attempt, now: now))
        case .remoteClosed(let attempt): perform(remote.closed(attempt: attempt, now: now))
        case .remoteTyped(let line): perform(remote.typed(tampering.types(line), now: now))
        }
    }

    private mutating func perform(_ actions: [TrialAction]) {
        for action in actions {
            switch action {
            case .send(let bytes, let number):
                if let link, link.connection == number { events.append(.remoteReceived(bytes, link.attempt)) }
            case .close(let number, _):
                guard let link, link.connection == number else { continue }
                events.append(.remoteClosed(link.attempt))
                self.link = nil
            case .listen(let isListening): self.isListening = isListening
            case .type(let bytes):
                let lines = String(decoding: bytes.dropLast(), as: UTF8.self)
                events += lines.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { .remoteTyped(String($0)) }
            case .finished: break
            }
        }
    }

    private mutating func perform(_ wishes: [InProcessRemote.Wish]) {
        for wish in wishes {
            switch wish {
            case .connect(let attempt): connect(attempt)
            case .send(let bytes):
                guard let link else { continue }
                for line in tampering.sends(bytes, link.connection) {
                    events.append(.judgeReceived(line, link.connection))
                }
            case .close:
                if let link { events.append(.judgeEnded(link.connection)) }
                link = nil
            case .say(let line): events.append(.judgeHeard(tampering.says(line)))
            }
        }
    }

    private mutating func connect(_ attempt: Int) {
        guard isListening else { return events.append(.remoteRefused(attempt)) }
        connections += 1
        link = (connections, attempt)
        events += [.judgeConnected(connections), .remoteConnected(attempt)]
    }
}
