/// A film prepared for listening, as the library hands it out.
package struct StoredSession: Equatable, Sendable {
    package struct Track: Equatable, Sendable {
        package var id: String
        package var label: String
        /// Where the file is; absolute.
        package var path: String

        package init(id: String, label: String, path: String) {
            self.id = id
            self.label = label
            self.path = path
        }
    }

    package var id: String
    package var title: String
    /// At least one, in the order shown.
    package var tracks: [Track]
    /// The subtitle file; absolute.
    package var subtitlePath: String?
    /// Grows whenever the cues change.
    package var revision: Int
    /// Of the cues of `revision`.
    package var cueDigest: String
    /// Seconds; where the last run left off.
    package var position: Double
    package var activeTrackID: String?

    package init(
        id: String, title: String, tracks: [Track], subtitlePath: String?, revision: Int, cueDigest: String,
        position: Double, activeTrackID: String?
    ) {
        self.id = id
        self.title = title
        self.tracks = tracks
        self.subtitlePath = subtitlePath
        self.revision = revision
        self.cueDigest = cueDigest
        self.position = position
        self.activeTrackID = activeTrackID
    }
}

/// What of a session changes while it plays.
package struct ListeningState: Equatable, Sendable {
    package var sessionID: String
    /// Seconds.
    package var position: Double
    package var activeTrackID: String

    package init(sessionID: String, position: Double, activeTrackID: String) {
        self.sessionID = sessionID
        self.position = position
        self.activeTrackID = activeTrackID
    }
}

/// Keeps listening states across runs.
///
/// `save` is called on the host's loop, returns at once and writes on a thread of the store's own; of several unwritten
/// states of a session only the newest is written.
package protocol SessionStore: AnyObject, Sendable {
    func save(_ state: ListeningState)
    /// Returns once everything saved so far is on disk, or after `seconds`.
    func flush(within seconds: Double)
}
