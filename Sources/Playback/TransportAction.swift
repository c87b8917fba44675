package import WireProtocol

/// What the transport machine wants done, in order.
package enum TransportAction: Equatable, Sendable {
    case engine(EngineRequest)
    /// Answer with a snapshot, or with the error.
    case reply(Asker, WireError?)
    case changed(Change)
    case save(ListeningState)
    case note(TransportNote)
}

/// Which pushes a change makes stale.
package struct Change: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let snapshot = Change(rawValue: 1)
    package static let metadata = Change(rawValue: 2)
}

/// What happened, for the log and the JSON events; positions in seconds.
package enum TransportNote: Equatable, Sendable {
    case played(position: Double, by: Source)
    case paused(position: Double, by: Source)
    case skipped(seconds: Double, from: Double, to: Double, by: Source)
    case sought(from: Double, to: Double, by: Source)
    case switched(trackID: String, position: Double, by: Source)
    case switchFailed(trackID: String, reason: String)
    case ended(position: Double)
    case outputLost(reason: String, position: Double)
    case outputChanged(OutputState)
    case soundFailed(reason: String, position: Double)
    case underrun(count: Int)
    /// The library's record of the session has changed; the title is the new one.
    case sessionChanged(title: String)
    /// The session is no more.
    case sessionEnded(title: String, reason: String)
}
