extension RemoteMessage {
    /// The frame's line, LF included.
    package func line(id: MessageID? = nil) -> [UInt8] {
        line(id: id, maximumBytes: .max)
    }

    /// The frame's line, LF included; `nil` where a peer's own values would make it longer than a frame may be.
    package func lineWithinFrame(id: MessageID? = nil) -> [UInt8]? {
        let line = line(id: id, maximumBytes: Limits.frameBytes)
        return line.count <= Limits.frameBytes ? line : nil
    }

    private func line(id: MessageID?, maximumBytes: Int) -> [UInt8] {
        frame(kind: kind, id: id, re: nil, maximumBytes: maximumBytes) { writer in
            switch self {
            case .hello(let hello): hello.write(to: &writer)
            case .command(let command): CommandTable.write(command, to: &writer)
            case .ping(let payload): writer.value(payload)
            case .pong(let pong): writer.value(pong.payload)
            case .goodbye(let reason): reason.write(to: &writer)
            }
        }
    }

    private var kind: StaticString {
        switch self {
        case .hello: "hello"
        case .command: "command"
        case .ping: "ping"
        case .pong: "pong"
        case .goodbye: "goodbye"
        }
    }
}

extension HostMessage {
    /// The frame's line, LF included.
    package func line(re: MessageID? = nil, id: MessageID? = nil) -> [UInt8] {
        line(re: re, id: id, maximumBytes: .max)
    }

    /// The frame's line, LF included; `nil` where a peer's own values would make it longer than a frame may be.
    package func lineWithinFrame(re: MessageID? = nil) -> [UInt8]? {
        let line = line(re: re, id: nil, maximumBytes: Limits.frameBytes)
        return line.count <= Limits.frameBytes ? line : nil
    }

    private func line(re: MessageID?, id: MessageID?, maximumBytes: Int) -> [UInt8] {
        frame(kind: kind, id: id, re: re, maximumBytes: maximumBytes) { writer in
            switch self {
            case .hello(let hello): hello.write(to: &writer)
            case .metadata(let metadata): metadata.write(to: &writer)
            case .snapshot(let snapshot): snapshot.write(to: &writer)
            case .cueChunk(let chunk): chunk.write(to: &writer)
            case .schema(let reply): reply.write(to: &writer)
            case .error(let error): error.write(to: &writer)
            case .ping(let payload): writer.value(payload)
            case .pong(let pong): pong.write(to: &writer)
            case .goodbye(let reason): reason.write(to: &writer)
            case .sessionEnded, .unknown: writer.object { _ in }
            }
        }
    }

    private var kind: StaticString {
        switch self {
        case .hello: "hello"
        case .metadata: "metadata"
        case .snapshot: "snapshot"
        case .cueChunk: "cueChunk"
        case .sessionEnded: "sessionEnded"
        case .schema: "schema"
        case .error: "error"
        case .ping: "ping"
        case .pong: "pong"
        case .goodbye: "goodbye"
        case .unknown: "unknown"
        }
    }
}

private func frame(
    kind: StaticString, id: MessageID?, re: MessageID?, maximumBytes: Int = .max,
    payload: (inout JSONWriter) -> Void
) -> [UInt8] {
    var writer = JSONWriter(maximumBytes: maximumBytes)
    writer.object { writer in
        writer.key("kind")
        writer.word(kind)
        if let id {
            writer.key("id")
            id.write(to: &writer)
        }
        if let re {
            writer.key("re")
            re.write(to: &writer)
        }
        writer.key("payload")
        payload(&writer)
    }
    writer.lineFeed()
    return writer.bytes
}

extension HostHello {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("protocol")
            writer.integer(protocolVersion)
            writer.key("host")
            writer.object { writer in
                writer.key("id")
                writer.string(hostID)
                writer.key("name")
                writer.string(hostName)
                writer.key("software")
                writer.string(software)
            }
            writer.key("serverDate")
            writer.string(serverDate.iso8601)
            writer.key("features")
            writer.array { writer in features.forEach { writer.string($0) } }
            writer.key("auth")
            writer.string(authentication.rawValue)
        }
    }
}

extension RemoteHello {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("protocol")
            writer.integer(protocolVersion)
            writer.key("remote")
            writer.object { writer in
                writer.key("id")
                writer.string(remoteID)
                writer.key("name")
                writer.string(remoteName)
            }
            if let token {
                writer.key("token")
                writer.string(token)
            }
            if let cues {
                writer.key("cues")
                writer.object { writer in
                    writer.key("sessionID")
                    writer.string(cues.sessionID)
                    writer.key("digest")
                    writer.string(cues.digest)
                }
            }
        }
    }
}

extension SessionMetadata {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("sessionID")
            writer.string(sessionID)
            writer.key("revision")
            writer.integer(revision)
            writer.key("title")
            writer.string(title)
            writer.key("duration")
            writer.number(duration)
            writer.key("cueCount")
            writer.integer(cueCount)
            writer.key("cueDigest")
            writer.string(cueDigest)
            writer.key("isPlaying")
            writer.bool(isPlaying)
            if isStalled {
                writer.key("isStalled")
                writer.bool(true)
            }
            writer.key("currentTime")
            writer.number(currentTime)
            writer.key("serverDate")
            writer.string(serverDate.iso8601)
            writer.key("tracks")
            writer.array { writer in
                for track in tracks {
                    writer.object { writer in
                        writer.key("id")
                        writer.string(track.id)
                        writer.key("label")
                        writer.string(track.label)
                    }
                }
            }
            if let activeTrackID {
                writer.key("activeTrackID")
                writer.string(activeTrackID)
            }
            if let by {
                writer.key("by")
                writer.string(by)
            }
        }
    }
}

extension Snapshot {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("sessionID")
            writer.string(sessionID)
            writer.key("revision")
            writer.integer(revision)
            writer.key("currentTime")
            writer.number(currentTime)
            writer.key("duration")
            writer.number(duration)
            writer.key("currentIndex")
            writer.integer(currentIndex)
            writer.key("isPlaying")
            writer.bool(isPlaying)
            if isStalled {
                writer.key("isStalled")
                writer.bool(true)
            }
            writer.key("serverDate")
            writer.string(serverDate.iso8601)
            if let activeTrackID {
                writer.key("activeTrackID")
                writer.string(activeTrackID)
            }
            if let volume {
                writer.key("volume")
                writer.number(volume)
            }
            if let output {
                writer.key("output")
                output.write(to: &writer)
            }
        }
    }
}

extension Snapshot.Output {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("name")
            writer.string(name)
            if let latency {
                writer.key("latency")
                writer.number(latency)
            }
            writer.key("present")
            writer.bool(isPresent)
            if let isMuted {
                writer.key("muted")
                writer.bool(isMuted)
            }
        }
    }
}

extension CueChunk {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("sessionID")
            writer.string(sessionID)
            writer.key("revision")
            writer.integer(revision)
            writer.key("index")
            writer.integer(index)
            writer.key("totalChunks")
            writer.integer(totalChunks)
            writer.key("data")
            writer.string(Base64.encode(data[...]))
        }
    }
}

extension SchemaReply {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .names(let names):
                writer.key("names")
                writer.array { writer in names.forEach { writer.string($0) } }
            case .schema(let name, let text):
                writer.key("name")
                writer.string(name)
                writer.key("schema")
                writer.string(text)
            }
        }
    }
}

extension WireError {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("code")
            writer.string(code.rawValue)
            writer.key("message")
            writer.string(message)
        }
    }
}

extension Pong {
    /// The asker's members come back beside `serverDate`; a payload that is no object comes back as `payload`.
    fileprivate func write(to writer: inout JSONWriter) {
        var members: [JSONValue.Member] = []
        if case .object(let own) = payload {
            members = own.filter { $0.key != "serverDate" }
        } else {
            members = [.init("payload", payload)]
        }
        if let serverDate { members.append(.init("serverDate", .string(serverDate.iso8601))) }
        writer.value(.object(members))
    }
}

extension GoodbyeReason {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("reason")
            writer.string(text)
        }
    }
}
