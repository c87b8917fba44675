package import WireProtocol

extension Pattern {
    /// As it stands in a recording; reading it gives the pattern again.
    package var json: JSONValue {
        switch self {
        case .literal(let value): value
        case .object(let members): .object(members.map { JSONValue.Member($0.key, $0.pattern.json) })
        case .array(let elements): .array(elements.map(\.json))
        case .any: Self.matcher("$any", .bool(true))
        case .absent: Self.matcher("$absent", .bool(true))
        case .kind(let kind): Self.matcher("$is", .string(kind.rawValue))
        case .variable(let name): Self.matcher("$var", .string(name))
        case .number(let number): number.json
        case .oneOf(let patterns): Self.matcher("$oneOf", .array(patterns.map(\.json)))
        case .not(let pattern): Self.matcher("$not", pattern.json)
        }
    }

    fileprivate static func matcher(_ name: String, _ value: JSONValue) -> JSONValue { .object([.init(name, value)]) }
}

extension Pattern.Number {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] =
            switch base {
            case .value(let value): [.init("$number", .number(value))]
            case .variable(let name): [.init("$number", Pattern.matcher("$var", .string(name)))]
            case .follows(let anchor): [.init(isShown ? "$shown" : "$follows", .string(anchor))]
            case .any: [.init("$number", .bool(true))]
            }
        if plus != 0 { members.append(.init("plus", .number(plus))) }
        if within != 0 { members.append(.init("within", .number(within))) }
        if let anchor { members.append(.init("anchor", .string(anchor))) }
        return .object(members)
    }
}

extension Utterance {
    /// The member of a line that it is written as.
    var member: JSONValue.Member {
        if case .frame(let frame) = self { return .init("sends", frame) }
        return .init("sendsBytes", bytesJSON)
    }

    private var bytesJSON: JSONValue {
        switch self {
        case .frame(let frame): .string(Pattern.text(of: frame) + "\n")
        case .text(let text): .string(text)
        case .bytes(let bytes): .object([.init("base64", .string(Base64.encode(bytes[...])))])
        case .repeated(let part, let times):
            .object([.init("repeat", part.bytesJSON), .init("times", .integer(times))])
        case .joined(let parts): .array(parts.map(\.bytesJSON))
        }
    }
}

extension Recording.Line {
    /// As it stands in a file.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [.init("at", .number(at))]
        if !remote.isEmpty { members.append(.init("on", .string(remote))) }
        switch step {
        case .connect(let clock):
            members.append(.init("does", .string("connect")))
            if clock != 0 { members.append(.init("clock", .number(clock))) }
        case .disconnect: members.append(.init("does", .string("disconnect")))
        case .stopReading: members.append(.init("does", .string("stopReading")))
        case .startReading: members.append(.init("does", .string("startReading")))
        case .rest: members.append(.init("does", .string("rest")))
        case .send(let utterance): members.append(utterance.member)
        case .hear(let pattern, let hearing):
            members.append(.init("hears", pattern.json))
            if hearing.isOptional { members.append(.init("optional", .bool(true))) }
            if hearing.isRepeated { members.append(.init("repeated", .bool(true))) }
            if hearing.isUnordered { members.append(.init("unordered", .bool(true))) }
            if hearing.isAfterPrevious { members.append(.init("then", .bool(true))) }
            if let within = hearing.within { members.append(.init("within", .number(within))) }
        case .never(let pattern, let seconds):
            members += [.init("never", pattern.json), .init("for", .number(seconds))]
        case .ended(let within):
            members.append(.init("does", .string("hearEnd")))
            if let within { members.append(.init("within", .number(within))) }
        case .stage(let words): members.append(.init("stage", .array(words.map { .string($0) })))
        }
        if let section { members.append(.init("section", .string(section))) }
        return .object(members)
    }
}

extension Recording {
    /// The first line of its file.
    package var headerJSON: JSONValue {
        var film: [JSONValue.Member] = []
        if self.film.seconds > 0 { film.append(.init("seconds", .number(self.film.seconds))) }
        if self.film.tracks > 1 { film.append(.init("tracks", .integer(self.film.tracks))) }
        if self.film.cues > 0 { film.append(.init("cues", .integer(self.film.cues))) }
        if self.film.chunks > 1 { film.append(.init("chunks", .integer(self.film.chunks))) }
        if let hasVolume = self.film.hasVolume { film.append(.init("volume", .bool(hasVolume))) }
        if !self.film.trackLabels.isEmpty {
            film.append(.init("labels", .array(self.film.trackLabels.map { .string($0) })))
        }
        var start: [JSONValue.Member] = []
        if !self.start.hasSession { start.append(.init("session", .bool(false))) }
        switch self.start.position {
        case .end: start.append(.init("position", .string("end")))
        case .seconds(let seconds): start.append(.init("position", .number(seconds)))
        }
        start.append(.init("playing", .bool(self.start.isPlaying)))
        if self.start.track > 0 { start.append(.init("track", .integer(self.start.track))) }
        var members: [JSONValue.Member] = [
            .init("recording", .integer(Self.formatVersion)), .init("name", .string(name)),
            .init("about", .string(about)), .init("section", .string(section)), .init("film", .object(film)),
            .init("start", .object(start)),
        ]
        if isLong { members.append(.init("long", .bool(true))) }
        return .object(members)
    }

    /// The bytes of its file.
    package var file: [UInt8] {
        ([headerJSON] + lines.map(\.json)).flatMap { Array(Pattern.text(of: $0).utf8) + [0x0A] }
    }
}
