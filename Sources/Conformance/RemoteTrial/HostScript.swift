internal import WireProtocol

/// How the judge's host behaves: by default as it should, and otherwise as a trial wants it.
struct HostScript: Sendable {
    /// What happens to a connection.
    enum Welcome: Sendable {
        case hello
        /// Closed without a word.
        case closed
        /// `hello`, `error` `tooManyRequests`, `goodbye` `full`, and closed.
        case turnedAway
    }

    var welcome = Welcome.hello
    /// Seconds by which the host's clock is ahead of the machine's.
    var skew = 0.0
    /// After the remote's hello: metadata and snapshot, or `sessionEnded` where there is no film.
    var pushesState = true
    /// Which chunks are pushed after that, in this order.
    ///
    /// `nil`: all of them. None are where the remote holds these cues.
    var pushedChunks: [Int]?
    /// What is pushed and answered instead of the film's own chunks.
    var wrongChunks: [CueChunk]?
    /// Seconds from a command to its reply; `nil`: it is neither applied nor answered.
    var replyDelay: Double? = 0
    /// Seconds from `requestCueChunk` to the chunk; `nil`: no answer.
    var pullDelay: Double? = 0
    /// Every command but `requestCueChunk` gets this and changes nothing.
    var refusal: WireError?
    /// Every `requestCueChunk` gets this.
    var pullRefusal: WireError?
    var answersPings = true
    /// Seconds that a pong is held back, by the seconds since the remote's hello.
    var pongDelay: @Sendable (Double) -> Double = { _ in 0 }
}
