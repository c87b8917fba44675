internal import WireProtocol

/// What a claim asks the stage.
extension Stage {
    /// A command and when it came.
    struct Asked: Sendable {
        let time: SteadyTime
        let connection: Int
        let command: Command
    }

    var openConnection: Connection? { connections.last { $0.isOpen } }

    /// Whether the remote has said hello on its newest connection.
    var isGreeted: Bool { openConnection?.greeted != nil }

    private var unmarkedReceived: ArraySlice<Received> { received[markedReceived...] }

    /// Every command since the mark.
    private var allCommands: [Asked] {
        unmarkedReceived.compactMap { line in
            guard case .success(.command(let command)) = line.frame.content else { return nil }
            return Asked(time: line.time, connection: line.connection, command: command)
        }
    }

    /// The commands since the mark, those for cues left out.
    var commands: [Asked] {
        allCommands.filter {
            if case .requestCueChunk = $0.command { false } else { true }
        }
    }

    /// The requests for cues since the mark.
    var pulls: [(time: SteadyTime, request: CueChunkRequest)] {
        allCommands.compactMap {
            if case .requestCueChunk(let request) = $0.command { ($0.time, request) } else { nil }
        }
    }

    /// Seconds of the skips since the mark.
    var skips: [Double] {
        commands.compactMap { if case .skip(let seconds) = $0.command { seconds } else { nil } }
    }

    /// Values of the volume commands since the mark.
    var volumes: [Double] {
        commands.compactMap { if case .setVolume(let value) = $0.command { value } else { nil } }
    }

    /// Pings since the mark.
    var pings: [SteadyTime] {
        unmarkedReceived.compactMap { if case .success(.ping) = $0.frame.content { $0.time } else { nil } }
    }

    /// Pongs since the mark.
    var pongs: [SteadyTime] {
        unmarkedReceived.compactMap { if case .success(.pong) = $0.frame.content { $0.time } else { nil } }
    }

    var hellos: [(connection: Int, hello: RemoteHello)] {
        received.compactMap {
            if case .success(.hello(let hello)) = $0.frame.content { ($0.connection, hello) } else { nil }
        }
    }

    /// The cues that the remote named in the hello of its newest connection.
    var heldCues: RemoteHello.HeldCues? { hellos.last?.hello.cues }

    /// Whether the remote named the film's cues.
    var holdsCues: Bool {
        film.map { heldCues == .init(sessionID: $0.sessionID, digest: $0.digest) } ?? false
    }

    /// What was said since the mark.
    var spoken: [Timed<String>] { Array(said[markedSaid...]) }

    func hasSpoken(_ text: String) -> Bool {
        spoken.contains { $0.content.contains(text) }
    }

    /// The first state told after it was last asked for, with the moment it came.
    var state: (time: SteadyTime, line: StateLine)? {
        guard let asked else { return nil }
        for line in said[asked.said...] {
            if let state = StateLine(line.content) { return (line.time, state) }
        }
        return nil
    }

    /// When a line that was typed since the mark went out, the last one of these.
    var lastTyped: SteadyTime { typed.last?.time ?? now }

    mutating func note(_ name: String, _ seconds: Double) {
        timings.append(.init(name, seconds: seconds))
    }

    // MARK: Verdicts

    /// Whether the shown position was right at a moment between asking and the answer.
    mutating func shows(
        within tolerance: Double? = nil, _ expected: (SteadyTime) -> Double
    ) -> Verdict {
        guard let asked else { return .not(expected: "a question", got: "none was asked") }
        let tolerance = (tolerance ?? pace.drift) + 0.006
        let (low, high) = (expected(asked.time), expected(state?.time ?? now))
        let wanted = low == high ? Words.seconds(low) : "\(Words.seconds(low)) to \(Words.seconds(high))"
        guard let state else { return .not(expected: "\(wanted) shown", got: stateFault) }
        guard let position = state.line.position else {
            return .not(expected: "\(wanted) shown", got: "-:-- \(state.line.text)")
        }
        let error = max(0, min(low, high) - position, position - max(low, high))
        note("error of the shown position", error)
        return .is(error <= tolerance, "\(wanted) shown, ± \(Words.seconds(tolerance))", Words.seconds(position))
    }

    /// Whether the state last told contains `text`.
    func states(_ text: String) -> Verdict {
        .is(state?.line.text.contains(text) == true, "a state with “\(text)”", state?.line.text ?? stateFault)
    }

    /// Why there is no state: what was printed instead.
    private var stateFault: String {
        guard let last = said[(asked?.said ?? 0)...].last else { return "no state was told" }
        return "no state: the last line printed is “\(Words.quoted(Array(last.content.utf8)))”, "
            + "and a state begins like 0:12.34 playing, or -:--"
    }

    /// Why the first of these lines that the reader refused says nothing; `nil` where it refused none.
    static func refusal(in lines: some Sequence<Received>) -> String? {
        for line in lines {
            guard case .failure(let error) = line.frame.content else { continue }
            let reason = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
            guard let kind = line.value?["kind"]?.stringValue else { return "a line came, but: \(reason)" }
            return "\(SafeText.line(kind, maximumCharacters: 40)) came, but: \(reason)"
        }
        return nil
    }

    /// The same of what came since the mark.
    var refusal: String? { Self.refusal(in: unmarkedReceived) }

    /// Whether these commands came since the mark, in this order, and no others.
    func commands(are wanted: [Command]) -> Verdict {
        .is(commands.map(\.command) == wanted, Words.list(wanted), Words.list(commands.map(\.command)))
    }
}

/// Things in words for a report.
enum Words {
    static func seconds(_ value: Double) -> String {
        let text = JSONWriter.text(of: (value * 1000).rounded() / 1000)
        return text + " s"
    }

    /// A line of a peer, made safe and cut to so many characters, which is shown.
    static func quoted(_ line: [UInt8], maximumCharacters: Int = 200) -> String {
        cut(String(decoding: line, as: UTF8.self), maximumCharacters)
    }

    /// A safe line of at most so many characters; one that was longer ends with an ellipsis.
    static func cut(_ text: String, _ maximumCharacters: Int) -> String {
        let whole = SafeText.line(text, maximumCharacters: .max)
        return whole.count > maximumCharacters ? String(whole.prefix(maximumCharacters - 1)) + "…" : whole
    }

    static func list(_ commands: [Command]) -> String {
        commands.isEmpty ? "nothing" : commands.map(text).joined(separator: ", ")
    }

    static func numbers(_ values: [Double]) -> String {
        values.isEmpty
            ? "none" : values.map { JSONWriter.text(of: ($0 * 1000).rounded() / 1000) }.joined(separator: ", ")
    }

    private static func text(_ command: Command) -> String {
        switch command {
        case .play: "play"
        case .pause: "pause"
        case .togglePlayPause: "togglePlayPause"
        case .skip(let seconds): "skip \(JSONWriter.text(of: seconds))"
        case .seek(let time): "seek \(JSONWriter.text(of: time))"
        case .switchTrack(let id): "switchTrack \(id)"
        case .setVolume(let volume): "setVolume \(JSONWriter.text(of: volume))"
        case .describe: "describe"
        case .requestCueChunk(let request): "chunk \(request.index) of revision \(request.revision)"
        }
    }
}

extension JSONWriter {
    fileprivate static func text(of number: Double) -> String {
        var writer = JSONWriter()
        writer.number(number)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
