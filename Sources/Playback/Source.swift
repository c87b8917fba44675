package import WireProtocol

/// Who caused a transport action; it goes into the log and into `metadata.by`.
package enum Source: Hashable, Sendable {
    /// The program itself: start option, end of film, a lost device.
    case host
    case remote(id: String, name: String)

    /// What the other remotes show.
    package var name: String {
        switch self {
        case .host: "host"
        case .remote(let id, let name): name.isEmpty ? id : name
        }
    }
}

/// To whom a reply goes: a connection, and the `id` its command carried.
package struct Asker: Hashable, Sendable {
    package var connection: Int
    package var message: MessageID?

    package init(connection: Int, message: MessageID?) {
        self.connection = connection
        self.message = message
    }
}
