/// A film prepared for listening, as the library hands it out.
package struct StoredSession: Equatable, Sendable {
    package struct Track: Equatable, Sendable {
        package var id: String
        package var label: String
        /// Where the file is; absolute.
        package var path: String
        /// The one a session begins with while no other has been chosen.
        package var isDefault: Bool
        /// What is known of a copy in the library's folder; `nil` for a file that lies where the user has it.
        package var copy: Copy?

        package init(id: String, label: String, path: String, isDefault: Bool = false, copy: Copy? = nil) {
            self.id = id
            self.label = label
            self.path = path
            self.isDefault = isDefault
            self.copy = copy
        }
    }

    /// A track's file in the library's folder.
    package struct Copy: Equatable, Sendable {
        package var byteCount: Int
        /// 64 lower-case hexadecimal digits.
        package var sha256: String
        /// Seconds.
        package var duration: Double

        package init(byteCount: Int, sha256: String, duration: Double) {
            self.byteCount = byteCount
            self.sha256 = sha256
            self.duration = duration
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
    /// Its files were copied into the library's folder; else they lie where the user has them.
    package var isImported: Bool

    /// The track to play: the one chosen last, else the default, else the first (original app, digest §2.2).
    ///
    /// - Precondition: There is a track.
    package var startTrackID: String {
        let track =
            tracks.first { $0.id == activeTrackID } ?? tracks.first { $0.isDefault } ?? tracks[0]
        return track.id
    }

    package init(
        id: String, title: String, tracks: [Track], subtitlePath: String?, revision: Int, cueDigest: String,
        position: Double, activeTrackID: String?, isImported: Bool = false
    ) {
        self.id = id
        self.title = title
        self.tracks = tracks
        self.subtitlePath = subtitlePath
        self.revision = revision
        self.cueDigest = cueDigest
        self.position = position
        self.activeTrackID = activeTrackID
        self.isImported = isImported
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
