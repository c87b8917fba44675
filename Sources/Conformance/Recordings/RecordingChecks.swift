internal import WireProtocol

extension Utterance {
    /// Reads the notation of `Protocol/vectors` for bytes.
    init(bytes value: JSONValue) throws(Fault) {
        if let text = value.stringValue {
            self = .text(text)
        } else if let elements = value.arrayValue {
            var parts: [Utterance] = []
            for element in elements { parts.append(try Utterance(bytes: element)) }
            self = .joined(parts)
        } else if let text = value["base64"]?.stringValue {
            guard let bytes = Base64.decode(text) else { throw Fault("base64 is not base 64") }
            self = .bytes(bytes)
        } else if let part = value["repeat"], let times = value["times"]?.integerValue,
            (1...Self.maximumBytes).contains(times)
        {
            self = .repeated(try Utterance(bytes: part), times: times)
        } else {
            throw Fault("bytes are a text, {\"base64\"}, {\"repeat\", \"times\"}, or an array of these")
        }
    }
}

extension Recording {
    /// Names that a replay knows before the first line.
    private static func isKnownBefore(_ name: String) -> Bool {
        [
            "session", "revision", "title", "digest", "duration", "cueCount", "chunks", "lastChunk", "olderRevision",
            "newerRevision",
        ].contains(name) || ["track", "label", "cue"].contains { name.hasPrefix($0) }
    }

    /// Looks for what no run could carry out.
    func check() throws(RecordingError) {
        var open: Set<String> = []
        var known: Set<String> = []
        for line in lines {
            func fault(_ reason: String) -> RecordingError { RecordingError(line: line.number, reason) }
            if case .connect = line.step {
                guard open.insert(line.remote).inserted else { throw fault("\(line.remote) is connected already") }
            } else if !line.remote.isEmpty, !open.contains(line.remote) {
                throw fault("\(line.remote) is not connected")
            }
            switch line.step {
            case .disconnect, .ended: open.remove(line.remote)
            case .hear(let pattern, _): known.formUnion(pattern.variables)
            case .send(let utterance):
                let unknown = utterance.variables.first { !known.contains($0) && !Self.isKnownBefore($0) }
                if let unknown { throw fault("\(unknown) is sent, but no line above names it") }
            default: break
            }
        }
    }
}

extension Pattern {
    /// The names it gives or compares with.
    var variables: Set<String> {
        switch self {
        case .variable(let name): [name]
        case .object(let members): members.reduce(into: []) { $0.formUnion($1.pattern.variables) }
        case .array(let elements), .oneOf(let elements): elements.reduce(into: []) { $0.formUnion($1.variables) }
        default: []
        }
    }
}
