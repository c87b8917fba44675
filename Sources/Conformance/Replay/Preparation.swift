internal import WireProtocol

/// Brings a host into the state in which a recording begins, with ordinary commands, and learns its film's facts.
struct Preparation: Sendable {
    enum Outcome: Equatable, Sendable {
        /// `nil` for a host without a session whose film was never seen.
        case ready(FilmFacts?)
        case lacking(String)
        case failed(expected: String, got: String)
    }

    private enum Phase: Equatable {
        case connecting
        /// Until the film has been told.
        case listening
        case staging
        case commanding
        case settling
        case over
    }

    /// Seconds for the sound to follow the last commands.
    private static let secondsToSettle = 0.08

    private let link: Int
    private let film: Recording.Film
    private let start: Recording.Start
    private let patience: Double
    private var phase = Phase.connecting
    private var deadline: SteadyTime
    private var metadata: SessionMetadata?
    private var snapshot: Snapshot?
    private var chunks: [Int: CueChunk] = [:]
    private var hasEnded = false
    private var hasStaged = false
    private var commands: ArraySlice<JSONValue> = []
    private var asked = 0
    private(set) var outcome: Outcome?

    init(_ recording: Recording, link: Int, patience: Double, now: SteadyTime) {
        self.link = link
        film = recording.film
        start = recording.start
        self.patience = patience
        deadline = now + 2 * patience
    }

    var nextDeadline: SteadyTime? { phase == .over ? nil : deadline }

    mutating func begin() -> [ReplayAction] { [.connect(link)] }

    mutating func handle(_ event: ReplayEvent, now: SteadyTime) -> [ReplayAction] {
        guard phase != .over else { return [] }
        switch event {
        case .connected: return []
        case .refused(_, let reason): return fail("a connection", reason)
        case .ended: return fail("a host that brings itself into the state to start from", "it ended the connection")
        case .lineTooLong: return fail("lines of at most \(Limits.frameBytes) bytes", "a longer one")
        case .staged(let outcome): return staged(outcome, now)
        case .line(_, let bytes):
            guard let frame = try? HostFrame(line: bytes) else {
                return fail("a frame of a host", SafeText.line(String(decoding: bytes, as: UTF8.self)))
            }
            return heard(frame, now)
        }
    }

    mutating func tick(now: SteadyTime) -> [ReplayAction] {
        guard phase != .over, now >= deadline else { return [] }
        if phase == .settling { return next(now) }
        let wanted =
            switch phase {
            case .connecting: "hello"
            case .listening: hasEnded ? "a session" : "metadata, snapshot and cues"
            default: "a reply to a command"
            }
        return fail(wanted, "nothing within \(2 * patience) s")
    }

    private mutating func heard(_ frame: HostFrame, _ now: SteadyTime) -> [ReplayAction] {
        switch frame.message {
        case .hello where phase == .connecting:
            phase = .listening
            let hello: JSONValue = .object([
                .init("kind", .string("hello")),
                .init(
                    "payload",
                    .object([
                        .init("protocol", .integer(1)),
                        .init(
                            "remote",
                            .object([
                                .init("id", .string("conformance")), .init("name", .string("Conformance")),
                            ])),
                    ])),
            ])
            return [.send(link, Self.line(hello))]
        case .metadata(let new):
            if new.sessionID != metadata?.sessionID || new.revision != metadata?.revision { chunks = [:] }
            metadata = new
            hasEnded = false
        case .snapshot(let new): snapshot = new
        case .cueChunk(let chunk): chunks[chunk.index] = chunk
        case .sessionEnded: hasEnded = true
        case .error(let error) where frame.re == .integer(asked) || phase != .commanding:
            return fail("a host that can be brought into the state to start from", "\(error.code): \(error.message)")
        default: break
        }
        if phase == .listening { return learn(now) }
        if phase == .commanding, frame.re == .integer(asked) {
            // Commands before a seek need not have come to their end.
            let isLast = commands.isEmpty || commands.first == Self.command("play")
            guard isLast else { return next(now) }
            phase = .settling
            deadline = now + Self.secondsToSettle
        }
        return []
    }

    // MARK: The film

    private mutating func learn(_ now: SteadyTime) -> [ReplayAction] {
        if hasEnded {
            guard start.hasSession else { return finish(.ready(facts)) }
            return stage(["start-session"], now)
        }
        guard let facts else { return [] }
        // The track may not be the one that is wanted yet.
        var needed = film
        needed.seconds = 0
        if let lack = facts.lack(of: needed) { return finish(.lacking(lack)) }
        guard start.hasSession else { return stage(["end-session"], now) }
        commands = plan(facts)[...]
        return next(now)
    }

    private mutating func stage(_ words: [String], _ now: SteadyTime) -> [ReplayAction] {
        guard !hasStaged else { return [] }
        hasStaged = true
        phase = .staging
        deadline = now + 10 * patience
        return [.stage(words)]
    }

    private mutating func staged(_ outcome: StageOutcome, _ now: SteadyTime) -> [ReplayAction] {
        switch outcome {
        case .done:
            phase = .listening
            deadline = now + 2 * patience
            return learn(now)
        case .unable(let reason): return finish(.lacking(reason))
        case .failed(let reason): return fail("a stage that works", reason)
        }
    }

    private var facts: FilmFacts? {
        guard let metadata, let snapshot, let some = chunks.values.first, chunks.count == some.totalChunks else {
            return nil
        }
        let stream = chunks.values.sorted { $0.index < $1.index }.flatMap(\.data)
        let cues = (try? CueBundle(gzip: stream))?.cues ?? []
        return FilmFacts(
            sessionID: metadata.sessionID, revision: metadata.revision, title: metadata.title,
            digest: metadata.cueDigest, duration: metadata.duration, cueCount: metadata.cueCount,
            chunks: chunks.count, tracks: metadata.tracks, cueStarts: cues.map(\.start),
            hasVolume: snapshot.volume != nil)
    }

    // MARK: Commands

    private func plan(_ facts: FilmFacts) -> [JSONValue] {
        var plan = [Self.command("pause")]
        if facts.tracks.indices.contains(start.track) {
            plan.append(Self.command("switchTrack", .init("trackID", .string(facts.tracks[start.track].id))))
        }
        switch start.position {
        case .seconds(let seconds): plan.append(Self.command("seek", .init("time", .number(seconds))))
        case .end: plan.append(Self.command("seek", .init("time", .number(Limits.filmSeconds))))
        }
        if start.isPlaying { plan.append(Self.command("play")) }
        return plan
    }

    private static func command(_ kind: String, _ argument: JSONValue.Member? = nil) -> JSONValue {
        .object([.init("kind", .string(kind))] + (argument.map { [$0] } ?? []))
    }

    private mutating func next(_ now: SteadyTime) -> [ReplayAction] {
        guard let command = commands.popFirst() else {
            // The track may have become another one, with another length.
            if let snapshot { metadata?.duration = snapshot.duration }
            if let lack = facts?.lack(of: film) { return finish(.lacking(lack)) }
            return finish(.ready(facts))
        }
        phase = .commanding
        deadline = now + 2 * patience
        asked += 1
        let frame: JSONValue = .object([
            .init("kind", .string("command")), .init("id", .integer(asked)), .init("payload", command),
        ])
        return [.send(link, Self.line(frame))]
    }

    private static func line(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes + [0x0A]
    }

    // MARK: End

    private mutating func fail(_ expected: String, _ got: String) -> [ReplayAction] {
        finish(.failed(expected: "to start with: \(expected)", got: got))
    }

    private mutating func finish(_ outcome: Outcome) -> [ReplayAction] {
        phase = .over
        self.outcome = outcome
        return [.disconnect(link)]
    }
}
