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
    /// Bytes of a cue bundle once inflated; a remote refuses a larger one, a host the subtitles that would make it.
    ///
    /// Three times the 50 000 lines of the longest files seen (5 MB). Taken apart, one of this size costs a remote 130 MB
    /// for a moment, and 420 MB if it is made of brackets (measured; of 64 MiB it was 1.5 GB).
    package static let cueBundleBytes = 16 << 20
    /// Chunks a remote accepts for one bundle (18 MB of gzip, so any that inflates to the limit above).
    package static let cueChunks = 600
    /// Connections at once that have said something, unless the host is told another number.
    ///
    /// Further ones get `tooManyRequests` and a close.
    package static let connections = 64
    /// Connections at once that have not yet said anything that could be understood, beside the others.
    ///
    /// For one more, the oldest of them gets `tooManyRequests` and a close. Even where ten thousand a second connect and
    /// say nothing, a remote has 25 ms for its first line.
    package static let silentConnections = 256
    /// Connections at once that are being closed, beside the others.
    ///
    /// Beyond, they are cut without a word.
    package static let closingConnections = 64
    /// Connections at once from one address that is not loopback.
    package static let connectionsPerAddress = 8
    /// Commands a connection may send in a burst, and per second once the burst is spent.
    ///
    /// Beyond: `tooManyRequests`.
    package static let commandBurst = 1_000
    package static let commandsPerSecond = 500
    /// Bytes of pongs a connection may ask for in a second, and at once.
    ///
    /// Beyond: `tooManyRequests`. Bytes and not pings, since a ping of six bytes a number can ask for fifty times as
    /// many; this is what one ping after the other brings at 10 µs each, and 3 % of a core (measured).
    package static let pongBytesPerSecond = 8 << 20
    /// Times a connection may introduce itself in a burst, and per second once the burst is spent.
    ///
    /// Beyond: `tooManyRequests`. Each costs the whole welcome, so it has a limit of its own.
    package static let helloBurst = 10
    package static let hellosPerSecond = 1
    /// Bytes a connection may send in a burst, and per second once the burst is spent; room for the commands it may send.
    ///
    /// Beyond: the host does not read on until the rate allows it, and nothing is lost.
    package static let inputBurstBytes = 262_144
    package static let inputBytesPerSecond = 1 << 20
    /// Bytes that a frame counts for beside its own where it comes together with another.
    ///
    /// About what reading and answering it costs; a remote that waits for each reply is slowed by that alone.
    package static let inputBytesOfFrame = 128
    /// Faulty frames (each answered with an `error`) a connection may send in a row before it is closed.
    package static let faultyFramesInARow = 100
    /// Seconds from connect to the first whole frame.
    ///
    /// Later: `goodbye` `timeout` and a close.
    package static let secondsToFirstFrame = 10.0
    /// Seconds from a frame's first byte to its end.
    ///
    /// Longer: `goodbye` `timeout` and a close.
    package static let secondsPerFrame = 10.0
    /// Seconds without a byte from the peer.
    ///
    /// Longer: `goodbye` `timeout` and a close.
    package static let idleSeconds = 60.0
    /// Bytes of replies a connection may leave unread, beside the one pending metadata and snapshot.
    ///
    /// More: dropped.
    package static let unreadReplyBytes = 262_144
}
