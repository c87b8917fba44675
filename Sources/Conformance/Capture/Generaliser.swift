internal import RemoteCore
internal import WireProtocol

/// Puts what passed between a host and its remotes so that it holds of any host and film: ids become variables,
/// positions become anchors, dates and words for people are left out.
struct Generaliser: Sendable {
    private var course = Course()
    /// Values by JSON text, and the names they have.
    private var names: [String: String] = [:]
    private var sessions = 0
    private var volume: Double?
    private var isPresent: Bool?
    private var questions: [String: [String: RemoteMessage]] = [:]
    /// Who said hello on each connection, by the name that `by` gives.
    private var callers: [String: String] = [:]
    /// Whose commands have succeeded since the recording began; they may have found things as they wanted them.
    private var candidates: Set<String> = []
    /// Of these, whose commands metadata followed: nobody else's name can be in it on a replay.
    private var causers: Set<String> = []
    /// Connections that have had their first metadata, which no change need have caused.
    private var told: Set<String> = []
    /// The newest `by`.
    private var lastBy: String?
    /// Commands that no reply has come for.
    private var open = 0

    // MARK: Remote

    /// A line of a remote, without its end.
    mutating func said(_ line: [UInt8], on remote: String) -> Utterance {
        guard let value = try? JSONReader.value(of: line), case .object = value,
            case .success(let message) = RemoteFrame(line: line).content
        else {
            return Self.asIs(line)
        }
        if case .hello(let hello) = message {
            callers[remote] = hello.remoteName.isEmpty ? hello.remoteID : hello.remoteName
        }
        if let id = value["id"] {
            questions[remote, default: [:]][Pattern.text(of: id)] = message
            if case .command = message { open += 1 }
        } else if case .command(let command) = message, command.maySteer {
            // It gets no reply that could be told from a push.
            noteSuccess(remote)
        }
        return Self.looksLikeMatcher(value) ? Self.asIs(line) : .frame(naming(value))
    }

    /// As text where that is legible; escaped, a line of control characters would take six times its length.
    private static func asIs(_ line: [UInt8]) -> Utterance {
        let controls = line.count { $0 < 0x20 }
        guard controls <= line.count / 8, let text = String(validating: line, as: UTF8.self) else {
            return .bytes(line + [0x0A])
        }
        return .text(text + "\n")
    }

    /// Whether a reader would take a part of it for one of the format's own words.
    private static func looksLikeMatcher(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members): members.contains { $0.key.hasPrefix("$") || looksLikeMatcher($0.value) }
        case .array(let elements): elements.contains(where: looksLikeMatcher)
        default: false
        }
    }

    /// Puts names for values that stand for something.
    func naming(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member in
                if Self.namedKeys.contains(member.key), let name = names[Pattern.text(of: member.value)] {
                    return .init(member.key, .object([.init("$var", .string(name))]))
                }
                return .init(member.key, naming(member.value))
            })
    }

    private static let namedKeys: Set<String> = ["sessionID", "trackID", "revision", "digest"]

    // MARK: Host

    /// What a line of the host is to be like; `nil` where a kind says nothing.
    mutating func heard(_ line: [UInt8], on remote: String) -> Pattern? {
        guard let value = try? JSONReader.value(of: line), let kind = value["kind"]?.stringValue else { return nil }
        var question: RemoteMessage?
        if let re = value["re"] {
            question = questions[remote]?.removeValue(forKey: Pattern.text(of: re))
            if case .command(let command)? = question {
                open -= 1
                if kind == "snapshot", command.maySteer { noteSuccess(remote) }
            }
        }
        var members: [Pattern.Member] = [.init("kind", .literal(.string(kind)))]
        if let re = value["re"] { members.append(.init("re", .literal(re))) }
        guard let payload = payload(kind, value, question, remote) else { return nil }
        if !payload.isEmpty { members.append(.init("payload", .object(payload))) }
        return .object(members)
    }

    private mutating func payload(
        _ kind: String, _ value: JSONValue, _ question: RemoteMessage?, _ remote: String
    ) -> [Pattern.Member]? {
        let payload = value["payload"] ?? .object([])
        func same(_ key: String) -> Pattern.Member? { payload[key].map { .init(key, .literal($0)) } }
        switch kind {
        case "hello": return [same("protocol")].compactMap(\.self)
        case "metadata":
            learn(payload)
            let name = payload["by"]?.stringValue
            let isPush = !told.insert(remote).inserted
            if isPush, let name, candidates.contains(name) { causers.insert(name) }
            // What the host does of itself is seen only where it comes after something else.
            let isCaused = name.map { causers.contains($0) || ($0 == "host" && lastBy != nil && lastBy != $0) } ?? false
            if isCaused, name == "host" { causers.insert("host") }
            lastBy = name
            return state(value, payload, question) + (isCaused ? [same("by")].compactMap(\.self) : [])
        case "snapshot": return state(value, payload, question) + output(payload)
        case "cueChunk":
            return [named("sessionID", payload), named("revision", payload), same("index")].compactMap(\.self)
        case "sessionEnded", "ping": return []
        case "schema": return [same("name")].compactMap(\.self)
        case "error": return [same("code")].compactMap(\.self)
        case "goodbye": return [same("reason")].compactMap(\.self)
        case "pong":
            guard case .object(let members) = payload, !Self.looksLikeMatcher(payload) else { return [] }
            return members.map {
                .init($0.key, $0.key == "serverDate" ? .kind(.date) : .literal($0.value))
            }
        default: return nil
        }
    }

    private mutating func noteSuccess(_ remote: String) {
        if let name = callers[remote] { candidates.insert(name) }
    }

    private mutating func state(
        _ value: JSONValue, _ payload: JSONValue, _ question: RemoteMessage?
    ) -> [Pattern.Member] {
        var (plus, target): (Double?, Double?) = (nil, nil)
        if case .command(.skip(let seconds))? = question { plus = seconds }
        if case .command(.seek(let time))? = question { target = time }
        // Whoever has not been answered yet may be about to begin a course.
        let mayLead = question != nil || open == 0
        let position = course.pattern(of: HeardLine(value), plus: plus, target: target, mayLead: mayLead)
        return [
            named("sessionID", payload), payload["isPlaying"].map { .init("isPlaying", .literal($0)) },
            .init("currentTime", position), named("activeTrackID", payload),
        ].compactMap(\.self)
    }

    private mutating func output(_ payload: JSONValue) -> [Pattern.Member] {
        var members: [Pattern.Member] = []
        if let new = payload["volume"]?.doubleValue {
            if let volume, volume != new { members.append(.init("volume", .number(.init(.value(new), within: 0.01)))) }
            volume = new
        }
        if let new = payload["output"]?["present"]?.boolValue {
            if let isPresent, isPresent != new {
                members.append(.init("output", .object([.init("present", .literal(.bool(new)))])))
            }
            isPresent = new
        }
        return members
    }

    private func named(_ key: String, _ payload: JSONValue) -> Pattern.Member? {
        guard let value = payload[key] else { return nil }
        return .init(
            key,
            names[Pattern.text(of: value)].map { .variable($0) } ?? .kind(value.integerValue == nil ? .text : .integer))
    }

    /// Gives names to what identifies a session and its tracks.
    private mutating func learn(_ payload: JSONValue) {
        guard let session = payload["sessionID"], names[Pattern.text(of: session)] == nil else { return }
        sessions += 1
        let suffix = sessions == 1 ? "" : "\(sessions)"
        names[Pattern.text(of: session)] = "session\(suffix)"
        if let digest = payload["cueDigest"] { names[Pattern.text(of: digest)] = "digest\(suffix)" }
        if let revision = payload["revision"], sessions == 1 { names[Pattern.text(of: revision)] = "revision" }
        for (place, track) in (payload["tracks"]?.arrayValue ?? []).enumerated() {
            if let id = track["id"] { names[Pattern.text(of: id)] = "track\(place)\(suffix)" }
        }
    }
}

extension Command {
    /// Whether it can change what metadata and snapshots tell.
    fileprivate var maySteer: Bool {
        switch self {
        case .requestCueChunk, .describe: false
        default: true
        }
    }
}
