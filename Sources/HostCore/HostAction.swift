package import Playback

/// What the host's machine wants done, in order.
package enum HostAction: Equatable, Sendable {
    case engine(EngineRequest)
    case save(ListeningState)
    case note(TransportNote)
    case remote(RemoteNote)
    /// Write what `nextOutput` gives for this connection, as far as its socket takes it.
    case write(Int)
    /// Read no more, write what waits, then close.
    case close(Int)
    /// Close now: the time that `close` gave is over.
    case cut(Int)
}

/// Who comes and goes; names are safe to show.
package enum RemoteNote: Equatable, Sendable {
    case joined(name: String)
    /// It has been here for a second: a person wants to know of it, where a one-shot command is no news.
    case stayed(name: String)
    case left(name: String, hadStayed: Bool)
}

/// What a host says of itself in its `hello`.
package struct HostCard: Equatable, Sendable {
    package var id: String
    package var name: String
    package var software: String

    package init(id: String, name: String, software: String) {
        self.id = id
        self.name = name
        self.software = software
    }
}
