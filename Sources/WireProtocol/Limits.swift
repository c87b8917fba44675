/// Every number that bounds what a peer may send or hold; `Protocol/README.md` states the answer to each breach.
package enum Limits {
    /// Bytes of one frame, its line feed included.
    ///
    /// Longer: `frameTooLarge`, then close.
    package static let frameBytes = 65_536
    /// Levels of nested objects and arrays.
    ///
    /// Deeper: `malformed`.
    package static let jsonDepth = 16
    /// UTF-8 bytes of an identifier (`sessionID`, `trackID`, a remote's `id`, a string `id` of the envelope).
    package static let identifierBytes = 128
    /// Characters of a remote's or host's name that are kept; the rest is cut.
    package static let nameCharacters = 64
    /// Seconds of a film (31 years): a remote passes over a host's frame with a time beyond, either way.
    package static let filmSeconds = 1e9
    /// Bytes of the gzip stream in one cue chunk.
    package static let cueChunkBytes = 30_000
    /// Bytes of a cue bundle once inflated; a remote refuses a larger one.
    package static let cueBundleBytes = 64 << 20
    /// Chunks a remote accepts for one bundle (60 MB of gzip).
    package static let cueChunks = 2_000
    /// Connections at once, unless the host is told another number.
    ///
    /// Further ones get `tooManyRequests` and a close.
    package static let connections = 64
    /// Connections at once from one address that is not loopback.
    package static let connectionsPerAddress = 8
    /// Commands a connection may send in a burst, and per second once the burst is spent.
    ///
    /// Beyond: `tooManyRequests`.
    package static let commandBurst = 1_000
    package static let commandsPerSecond = 500
    /// Faulty frames (each answered with an `error`) a connection may send in a row before it is closed.
    package static let faultyFramesInARow = 100
    /// Seconds from connect to the first whole frame.
    ///
    /// Later: `goodbye` `timeout` and a close.
    package static let secondsToFirstFrame = 10.0
    /// Seconds without a byte from the peer.
    ///
    /// Longer: `goodbye` `timeout` and a close.
    package static let idleSeconds = 60.0
    /// Bytes of replies a connection may leave unread, beside the one pending metadata and snapshot.
    ///
    /// More: dropped.
    package static let unreadReplyBytes = 262_144
}
