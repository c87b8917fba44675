/// What a remote asks of the host; each gets exactly one reply.
package enum Command: Equatable, Sendable {
    case play
    case pause
    case togglePlayPause
    /// Seconds to add to the audible position; negative goes back.
    case skip(seconds: Double)
    /// Seconds from the start of the film.
    case seek(time: Double)
    case switchTrack(trackID: String)
    /// 0 to 1, of the system output.
    case setVolume(Double)
    case requestCueChunk(CueChunkRequest)
    /// The names of the schemas, or the schema of that name; of no session and no transport.
    case describe(name: String?)
}

package struct CueChunkRequest: Equatable, Sendable {
    package var sessionID: String
    package var revision: Int
    package var index: Int

    package init(sessionID: String, revision: Int, index: Int) {
        self.sessionID = sessionID
        self.revision = revision
        self.index = index
    }
}
