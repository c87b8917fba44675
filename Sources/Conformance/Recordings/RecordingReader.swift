internal import WireProtocol

extension Recording {
    /// Version of the format that this reads.
    package static let formatVersion = 1
    /// Longest line of a recording: a frame, and room for what stands around it.
    private static let maximumLineBytes = 4 * Limits.frameBytes
    private static let maximumDepth = Limits.jsonDepth + 8

    /// Reads a file of JSON lines, the first of which is the header.
    ///
    /// - Throws: `RecordingError` with the first line that is wrong, and why.
    package init(reading bytes: [UInt8]) throws(RecordingError) {
        var header: Recording?
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            do throws(Fault) {
                let value = try Self.json(line)
                if header == nil {
                    header = try Self.header(value)
                } else if let line = try Self.line(value, number) {
                    header?.lines.append(line)
                }
            } catch {
                throw RecordingError(line: number, error.reason)
            }
        }
        guard let header else { throw RecordingError(line: 1, "the header is missing") }
        try header.check()
        self = header
    }

    private static func json(_ line: ArraySlice<UInt8>) throws(Fault) -> JSONValue {
        guard line.count <= maximumLineBytes else { throw Fault("longer than \(maximumLineBytes) bytes") }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: line, maximumDepth: maximumDepth)
        } catch {
            throw Fault("not JSON at byte \(error.offset): \(error.reason)")
        }
        guard case .object = value else { throw Fault("not a JSON object") }
        return value
    }

    // MARK: Header

    private static func header(_ value: JSONValue) throws(Fault) -> Recording {
        guard let version = value["recording"]?.integerValue else {
            throw Fault("the first line is no header: it needs \"recording\": \(formatVersion)")
        }
        guard version == formatVersion else { throw Fault("format \(version) is newer than \(formatVersion)") }
        let keys = try Keys(value, ["recording", "name", "about", "section", "film", "start", "long"])
        let name = try keys.text("name")
        if let fault = fault(ofName: name) { throw Fault(fault) }
        var recording = Recording(
            name: name, about: try keys.text("about"), section: try section(try keys.text("section")),
            film: try value["film"].map(film) ?? Film(), start: try value["start"].map(start) ?? Start(), lines: [])
        recording.isLong = try keys.flag("long") ?? false
        return recording
    }

    /// Why `name` is none that a header may have; `nil` where it may.
    package static func fault(ofName name: String) -> String? {
        !name.isEmpty && name.utf8.allSatisfy(isOfName) ? nil : "name holds lower-case letters, digits and hyphens only"
    }

    /// Why `section` is none that a header or line may have; `nil` where it may.
    package static func fault(ofSection section: String) -> String? {
        section.hasPrefix("§") ? nil : "section begins with §"
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }

    private static func section(_ text: String) throws(Fault) -> String {
        if let fault = fault(ofSection: text) { throw Fault(fault) }
        return text
    }

    private static func film(_ value: JSONValue) throws(Fault) -> Film {
        let keys = try Keys(value, ["seconds", "tracks", "cues", "chunks", "volume", "labels"])
        var film = Film()
        film.seconds = try keys.number("seconds") ?? 0
        film.tracks = try keys.count("tracks") ?? 1
        film.cues = try keys.count("cues") ?? 0
        film.chunks = try keys.count("chunks") ?? 1
        film.hasVolume = try keys.flag("volume")
        film.trackLabels = (value["labels"]?.arrayValue ?? []).compactMap(\.stringValue)
        return film
    }

    private static func start(_ value: JSONValue) throws(Fault) -> Start {
        let keys = try Keys(value, ["session", "position", "playing", "track"])
        var start = Start()
        start.hasSession = try keys.flag("session") ?? true
        start.isPlaying = try keys.flag("playing") ?? false
        start.track = try keys.count("track") ?? 0
        if value["position"] == .string("end") {
            start.position = .end
        } else {
            start.position = .seconds(try keys.number("position") ?? 0)
        }
        return start
    }

    // MARK: Lines

    /// The line; `nil` for one that only explains.
    private static func line(_ value: JSONValue, _ number: Int) throws(Fault) -> Line? {
        if value["note"] != nil, value["at"] == nil { return nil }
        let keys = try Keys(
            value,
            [
                "at", "on", "does", "sends", "sendsBytes", "hears", "never", "stage", "clock", "optional", "repeated",
                "unordered",
                "then", "within", "for", "section", "note",
            ])
        guard let at = try keys.number("at"), at >= 0 else { throw Fault("at is missing: seconds from the start") }
        let step = try step(value, keys)
        var remote = ""
        switch step {
        case .stage, .rest: break
        default: remote = try keys.text("on")
        }
        var place: String?
        if let text = value["section"]?.stringValue { place = try section(text) }
        return Line(number: number, at: at, remote: remote, step: step, section: place)
    }

    private static func step(_ value: JSONValue, _ keys: Keys) throws(Fault) -> Step {
        let kinds = ["does", "sends", "sendsBytes", "hears", "never", "stage"].filter { value[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let content = value[kind] else {
            throw Fault("a line has one of does, sends, sendsBytes, hears, never, stage")
        }
        switch kind {
        case "does": return try doing(content, value, keys)
        case "sends":
            guard case .object = content else { throw Fault("sends takes a frame; faulty lines stand in sendsBytes") }
            return .send(.frame(content))
        case "sendsBytes": return .send(try Utterance(bytes: content))
        case "hears":
            var hearing = Hearing()
            hearing.isOptional = try keys.flag("optional") ?? false
            hearing.isRepeated = try keys.flag("repeated") ?? false
            hearing.isUnordered = try keys.flag("unordered") ?? false
            hearing.isAfterPrevious = try keys.flag("then") ?? false
            hearing.within = try keys.number("within")
            return .hear(try framePattern(content), hearing)
        case "never":
            guard let seconds = try keys.number("for"), seconds > 0 else { throw Fault("never needs for: seconds") }
            return .never(try framePattern(content), seconds: seconds)
        default:
            let words = (content.arrayValue ?? []).compactMap(\.stringValue)
            guard !words.isEmpty, words.count == content.arrayValue?.count else {
                throw Fault("stage takes an array of words")
            }
            return .stage(words)
        }
    }

    private static func framePattern(_ value: JSONValue) throws(Fault) -> Pattern {
        let pattern = try Pattern(value)
        guard pattern.frameKind != nil else { throw Fault("a pattern of a frame has a kind") }
        return pattern
    }

    private static func doing(_ content: JSONValue, _ value: JSONValue, _ keys: Keys) throws(Fault) -> Step {
        switch content.stringValue {
        case "connect": return .connect(clock: try keys.number("clock") ?? 0)
        case "disconnect": return .disconnect
        case "stopReading": return .stopReading
        case "startReading": return .startReading
        case "hearEnd": return .ended(within: try keys.number("within"))
        case "rest": return .rest
        default: throw Fault("does takes connect, disconnect, hearEnd, stopReading, startReading or rest")
        }
    }
}

/// The keys an object may have.
struct Keys {
    private let value: JSONValue

    /// - Throws: `Fault` for a key that is not known, since a slip of the pen there would quietly check nothing.
    init(_ value: JSONValue, _ known: Set<String>) throws(Fault) {
        guard case .object(let members) = value else { throw Fault("an object is expected") }
        if let stranger = members.first(where: { !known.contains($0.key) }) {
            throw Fault("there is no key \(SafeText.line(stranger.key, maximumCharacters: 40))")
        }
        self.value = value
    }

    func text(_ key: String) throws(Fault) -> String {
        guard let text = value[key]?.stringValue else { throw Fault("\(key) is missing or no text") }
        return text
    }

    func number(_ key: String) throws(Fault) -> Double? {
        guard let member = value[key] else { return nil }
        guard let number = member.doubleValue, abs(number) <= Limits.filmSeconds else {
            throw Fault("\(key) is no number")
        }
        return number
    }

    func count(_ key: String) throws(Fault) -> Int? {
        guard let member = value[key] else { return nil }
        guard let count = member.integerValue, count >= 0 else { throw Fault("\(key) is no count") }
        return count
    }

    func flag(_ key: String) throws(Fault) -> Bool? {
        guard let member = value[key] else { return nil }
        guard let flag = member.boolValue else { throw Fault("\(key) is neither true nor false") }
        return flag
    }
}
