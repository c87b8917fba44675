internal import WireProtocol

/// Replays recordings against this project's host on virtual time: a second of film takes no time.
package struct VirtualTrial: Sendable {
    /// A line on a connection, in either direction.
    package struct Said: Equatable, Sendable {
        package var line: [UInt8]
        package var connection: Int

        package init(_ line: [UInt8], on connection: Int) {
            self.line = line
            self.connection = connection
        }
    }

    /// Puts a line in other words; for hosts that are broken on purpose.
    package typealias Hand = @Sendable (Said) -> [Said]

    /// Virtual seconds after which a recording that never ends is a fault of ours.
    private static let longestRun = 100_000.0

    private struct Line: Sendable {
        var connection: Int
        var framer = LineFramer()
    }

    private var run: ReplayRun
    private var stage: VirtualStage
    private let hostHand: Hand
    private let remoteHand: Hand
    /// The host's number of each connection of the run.
    private var connections: [Int: Int] = [:]
    private var links: [Int: Line] = [:]
    private var remoteFramers: [Int: LineFramer] = [:]
    private var events: ArraySlice<ReplayEvent> = []
    private var now = SteadyTime(nanoseconds: 1_000_000_000_000)

    /// `hostHand` says what becomes of each line of the host, `remoteHand` of each line on its way to it.
    package init(
        _ recordings: [Recording], hostHand: @escaping Hand = { [$0] },
        remoteHand: Hand? = nil
    ) {
        run = ReplayRun(recordings, pace: .virtualTime, now: now)
        stage = VirtualStage(now: now)
        self.hostHand = hostHand
        self.remoteHand = remoteHand ?? { [$0] }
        keepsBytes = remoteHand == nil
    }

    /// Bytes reach the host as they were sent, faulty ones too.
    private let keepsBytes: Bool

    /// Runs everything and hands over each check when it is done.
    package mutating func checks(_ each: (Check) -> Void) {
        let end = now + Self.longestRun
        carryOut(run.begin(now: now), each)
        while !run.isFinished, now < end {
            collect()
            if let event = events.popFirst() {
                carryOut(run.handle(event, now: now), each)
                continue
            }
            let next = run.nextDeadline.map { min($0, stage.host.nextDeadline) } ?? stage.host.nextDeadline
            stage.host.advance(to: max(now, next))
            now = stage.host.now
            collect()
            if events.isEmpty { carryOut(run.tick(now: now), each) }
        }
    }

    private mutating func carryOut(_ actions: [ReplayAction], _ each: (Check) -> Void) {
        for action in actions {
            switch action {
            case .connect(let link):
                let connection = stage.host.connect()
                connections[link] = connection
                links[connection] = Line(connection: link)
                events.append(.connected(link))
            case .send(let link, let bytes): send(bytes, link)
            case .disconnect(let link):
                guard let connection = connections.removeValue(forKey: link) else { continue }
                links[connection] = nil
                stage.host.disconnect(connection)
            case .read(let link, let reads):
                if let connection = connections[link] { stage.host.read(reads, on: connection) }
            case .stage(let words): events.append(.staged(stage.perform(words)))
            case .check(let check): each(check)
            case .finished: break
            }
            collect()
        }
    }

    private mutating func send(_ bytes: [UInt8], _ link: Int) {
        guard let connection = connections[link] else { return }
        if keepsBytes { return stage.host.receive(bytes, on: connection) }
        var lines: [[UInt8]] = []
        remoteFramers[connection, default: LineFramer()].append(bytes) { frame in
            if case .line(let line) = frame { lines.append(line) }
        }
        for line in lines {
            for said in remoteHand(Said(line, on: link)) {
                guard let connection = connections[said.connection] else { continue }
                stage.host.receive(said.line + [0x0A], on: connection)
            }
        }
    }

    /// Turns what the host has said into events.
    private mutating func collect() {
        for event in stage.takeEvents() {
            switch event {
            case .bytes(let bytes, let connection):
                guard let link = links[connection]?.connection else { continue }
                var lines: [ReplayEvent] = []
                links[connection]?.framer.append(bytes) { frame in
                    switch frame {
                    case .line(let line): lines.append(.line(link, line))
                    case .tooLarge: lines.append(.lineTooLong(link))
                    }
                }
                for heard in lines {
                    guard case .line(_, let line) = heard else {
                        events.append(heard)
                        continue
                    }
                    events += hostHand(Said(line, on: link)).map { .line($0.connection, $0.line) }
                }
            case .closed(let connection):
                guard let link = links.removeValue(forKey: connection)?.connection else { continue }
                connections[link] = nil
                events.append(.ended(link))
            }
        }
    }
}
