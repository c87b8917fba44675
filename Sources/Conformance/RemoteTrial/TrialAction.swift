/// What a driver does for a trial, in the order given.
package enum TrialAction: Equatable, Sendable {
    /// How a connection is let go.
    package enum Ending: Equatable, Sendable {
        /// What was sent still arrives.
        case orderly
        /// By a reset.
        case abrupt
    }

    case send([UInt8], connection: Int)
    /// Close it; no `ended` is reported for it.
    case close(connection: Int, Ending)
    /// Accept connections from now on, or refuse them.
    case listen(Bool)
    /// Put this line, its LF included, on the remote's standard input.
    case type([UInt8])
    /// The play is over.
    case finished
}
