/// A line a remote may send.
package enum RemoteMessage: Equatable, Sendable {
    case hello(RemoteHello)
    case command(Command)
    /// The payload comes back as it was.
    case ping(JSONValue)
    case pong(Pong)
    case goodbye(GoodbyeReason)
}

/// A line a host may send.
package enum HostMessage: Equatable, Sendable {
    case hello(HostHello)
    case metadata(SessionMetadata)
    case snapshot(Snapshot)
    case cueChunk(CueChunk)
    case sessionEnded
    case schema(SchemaReply)
    case error(WireError)
    case ping(JSONValue)
    case pong(Pong)
    case goodbye(GoodbyeReason)
    /// A kind of a later version; to be passed over.
    case unknown(kind: String)
}

/// The answer to a `ping`.
package struct Pong: Equatable, Sendable {
    /// What the ping carried.
    package var payload: JSONValue
    /// Always present from a host.
    package var serverDate: WireDate?

    package init(payload: JSONValue, serverDate: WireDate? = nil) {
        self.payload = payload
        self.serverDate = serverDate
    }

    /// Levels of nested objects and arrays of the frame.
    package var depth: Int {
        // The frame, its payload, and what is in there.
        if case .object = payload { 1 + payload.depth } else { 2 + payload.depth }
    }
}

/// The answer to `describe`.
package enum SchemaReply: Equatable, Sendable {
    /// All there are.
    case names([String])
    /// One of them: a JSON text in itself, so that neither its depth nor its references depend on the frame around it.
    case schema(name: String, text: String)
}

/// What a remote's line was: whom to answer, and the message or what was wrong with it.
package struct RemoteFrame: Equatable, Sendable {
    package var id: MessageID?
    package var content: Result<RemoteMessage, WireError>

    package init(id: MessageID?, content: Result<RemoteMessage, WireError>) {
        self.id = id
        self.content = content
    }
}

package struct HostFrame: Equatable, Sendable {
    /// The id of the request that this answers.
    package var re: MessageID?
    /// Set on a host's own `ping`.
    package var id: MessageID?
    package var message: HostMessage

    package init(re: MessageID? = nil, id: MessageID? = nil, message: HostMessage) {
        self.re = re
        self.id = id
        self.message = message
    }
}
