extension RemoteFrame {
    /// Reads one line of a remote; what is wrong with it becomes part of the value, with the `id` where one was legible.
    package init(line: some Collection<UInt8>) {
        let value: JSONValue
        do {
            value = try JSONReader.value(of: line)
        } catch {
            self.init(
                id: nil,
                content: .failure(WireError(.malformed, "Not JSON at byte \(error.offset): \(error.reason).")))
            return
        }
        let id = value["id"].flatMap(MessageID.init)
        do throws(WireError) {
            if value["id"] != nil && id == nil {
                throw WireError(
                    .malformed, "id must be an integer or a text of at most \(Limits.identifierBytes) bytes.")
            }
            self.init(id: id, content: .success(try Self.message(value)))
        } catch {
            self.init(id: id, content: .failure(error))
        }
    }

    private static func message(_ value: JSONValue) throws(WireError) -> RemoteMessage {
        guard case .object = value else { throw WireError(.malformed, "A frame is a JSON object.") }
        guard let kind = value["kind"]?.stringValue else {
            throw WireError(.malformed, "A frame needs a kind that is a text.")
        }
        let payload = value["payload"] ?? .object([])
        switch kind {
        case "hello": return .hello(try RemoteHello(payload))
        case "command": return .command(try CommandTable.command(from: payload))
        case "ping": return .ping(payload)
        case "pong": return .pong(Pong(payload: payload))
        case "goodbye": return .goodbye(GoodbyeReason(payload["reason"]?.stringValue ?? ""))
        default:
            throw WireError(.unknownKind, "There is no kind \(SafeText.line(kind, maximumCharacters: 40)).")
        }
    }
}

extension RemoteHello {
    init(_ payload: JSONValue) throws(WireError) {
        guard let version = payload["protocol"]?.integerValue else {
            throw WireError(.invalidArgument, "hello needs protocol, a whole number.")
        }
        guard let id = payload["remote"]?["id"]?.identifierValue else {
            throw WireError(.invalidArgument, "hello needs remote.id, a text of 1 to \(Limits.identifierBytes) bytes.")
        }
        var held: HeldCues?
        if let cues = payload["cues"] {
            guard let sessionID = cues["sessionID"]?.stringValue, let digest = cues["digest"]?.stringValue else {
                throw WireError(.invalidArgument, "cues of hello needs sessionID and digest.")
            }
            held = HeldCues(sessionID: sessionID, digest: digest)
        }
        let name = payload["remote"]?["name"]?.stringValue ?? ""
        self.init(
            protocolVersion: version, remoteID: id,
            remoteName: SafeText.line(name, maximumCharacters: Limits.nameCharacters),
            token: payload["token"]?.stringValue, cues: held)
    }
}

extension Pong {
    /// Reads a host's pong: `serverDate` is the host's, the other members are the asker's.
    init(fromHost payload: JSONValue) {
        var own = payload
        if case .object(let members) = payload { own = .object(members.filter { $0.key != "serverDate" }) }
        self.init(payload: own, serverDate: payload.date("serverDate"))
    }
}

extension HostFrame {
    /// Reads one line of a host.
    /// - Throws: `malformed` when it is not a frame, or a known kind lacks what it must carry.
    package init(line: some Collection<UInt8>) throws(WireError) {
        let value: JSONValue
        do {
            value = try JSONReader.value(of: line)
        } catch {
            throw WireError(.malformed, "Not JSON at byte \(error.offset): \(error.reason).")
        }
        guard let kind = value["kind"]?.stringValue else { throw WireError(.malformed, "A frame needs a kind.") }
        let payload = value["payload"] ?? .object([])
        let message: HostMessage? =
            switch kind {
            case "hello": HostHello(payload).map(HostMessage.hello)
            case "metadata": SessionMetadata(payload).map(HostMessage.metadata)
            case "snapshot": Snapshot(payload).map(HostMessage.snapshot)
            case "cueChunk": CueChunk(payload).map(HostMessage.cueChunk)
            case "sessionEnded": .sessionEnded
            case "schema": SchemaReply(payload).map(HostMessage.schema)
            case "error": .error(WireError(payload))
            case "ping": .ping(payload)
            case "pong": .pong(Pong(fromHost: payload))
            case "goodbye": .goodbye(GoodbyeReason(payload["reason"]?.stringValue ?? ""))
            default: .unknown(kind: kind)
            }
        guard let message else { throw WireError(.malformed, "A \(kind) lacks what it must carry.") }
        self.init(re: value["re"].flatMap(MessageID.init), id: value["id"].flatMap(MessageID.init), message: message)
    }
}

extension HostHello {
    init?(_ payload: JSONValue) {
        guard let version = payload["protocol"]?.integerValue, let host = payload["host"],
            let id = host["id"]?.stringValue, let date = payload.date("serverDate")
        else { return nil }
        self.init(
            protocolVersion: version, hostID: id, hostName: host["name"]?.stringValue ?? "",
            software: host["software"]?.stringValue ?? "", serverDate: date,
            features: (payload["features"]?.arrayValue ?? []).compactMap(\.stringValue),
            authentication: payload["auth"].map { $0.stringValue.flatMap(Authentication.init) ?? .token } ?? .none)
    }
}

extension SessionMetadata {
    init?(_ payload: JSONValue) {
        guard let sessionID = payload["sessionID"]?.identifierValue, let revision = payload["revision"]?.integerValue,
            let title = payload["title"]?.stringValue, let duration = payload.seconds("duration"),
            let isPlaying = payload["isPlaying"]?.boolValue, let currentTime = payload.seconds("currentTime"),
            let serverDate = payload.date("serverDate")
        else { return nil }
        let tracks = (payload["tracks"]?.arrayValue ?? []).compactMap { track -> Track? in
            guard let id = track["id"]?.identifierValue else { return nil }
            return Track(id: id, label: track["label"]?.stringValue ?? "")
        }
        self.init(
            sessionID: sessionID, revision: revision, title: title, duration: duration,
            cueCount: payload["cueCount"]?.integerValue ?? 0, cueDigest: payload["cueDigest"]?.stringValue ?? "",
            isPlaying: isPlaying, isStalled: payload["isStalled"]?.boolValue ?? false, currentTime: currentTime,
            serverDate: serverDate, tracks: tracks,
            activeTrackID: payload["activeTrackID"]?.identifierValue, by: payload["by"]?.stringValue)
    }
}

extension Snapshot {
    init?(_ payload: JSONValue) {
        guard let sessionID = payload["sessionID"]?.identifierValue, let revision = payload["revision"]?.integerValue,
            let currentTime = payload.seconds("currentTime"), let duration = payload.seconds("duration"),
            let isPlaying = payload["isPlaying"]?.boolValue, let serverDate = payload.date("serverDate")
        else { return nil }
        let output = payload["output"].map {
            Output(
                name: $0["name"]?.stringValue ?? "", latency: $0["latency"]?.doubleValue,
                isPresent: $0["present"]?.boolValue ?? true, isMuted: $0["muted"]?.boolValue)
        }
        self.init(
            sessionID: sessionID, revision: revision, currentTime: currentTime, duration: duration,
            currentIndex: payload["currentIndex"]?.integerValue ?? 0, isPlaying: isPlaying,
            isStalled: payload["isStalled"]?.boolValue ?? false, serverDate: serverDate,
            activeTrackID: payload["activeTrackID"]?.identifierValue,
            volume: payload["volume"]?.doubleValue.flatMap { (0...1).contains($0) ? $0 : nil },
            output: output)
    }
}

extension CueChunk {
    init?(_ payload: JSONValue) {
        guard let sessionID = payload["sessionID"]?.identifierValue, let revision = payload["revision"]?.integerValue,
            let index = payload["index"]?.integerValue, let total = payload["totalChunks"]?.integerValue,
            let data = payload["data"]?.stringValue.flatMap(Base64.decode), index >= 0, index < total
        else { return nil }
        self.init(sessionID: sessionID, revision: revision, index: index, totalChunks: total, data: data)
    }
}

extension SchemaReply {
    init?(_ payload: JSONValue) {
        if let names = payload["names"] {
            guard let elements = names.arrayValue else { return nil }
            let texts = elements.compactMap(\.stringValue)
            guard texts.count == elements.count else { return nil }
            self = .names(texts)
        } else {
            guard let name = payload["name"]?.stringValue, let text = payload["schema"]?.stringValue else { return nil }
            self = .schema(name: name, text: text)
        }
    }
}

extension WireError {
    init(_ payload: JSONValue) {
        self.init(
            payload["code"]?.stringValue.flatMap(Code.init) ?? .internal,
            SafeText.line(payload["message"]?.stringValue ?? ""))
    }
}

extension JSONValue {
    fileprivate func date(_ key: String) -> WireDate? {
        self[key]?.stringValue.flatMap(WireDate.init(iso8601:))
    }

    /// A film time that arithmetic and clock faces can hold.
    func seconds(_ key: String) -> Double? {
        guard let seconds = self[key]?.doubleValue, abs(seconds) <= Limits.filmSeconds else { return nil }
        return seconds
    }
}
