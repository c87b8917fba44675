/// Position and state of the active session at one instant.
package struct Snapshot: Equatable, Sendable {
    /// What the sound comes out of.
    package struct Output: Equatable, Sendable {
        package var name: String
        /// Seconds between the host handing over a sample and the ear hearing it, where known.
        package var latency: Double?
        /// False once the device has gone.
        package var isPresent: Bool
        /// Whether the system output is muted, where known.
        package var isMuted: Bool?

        package init(name: String, latency: Double? = nil, isPresent: Bool, isMuted: Bool? = nil) {
            self.name = name
            self.latency = latency
            self.isPresent = isPresent
            self.isMuted = isMuted
        }
    }

    package var sessionID: String
    package var revision: Int
    /// Seconds; audible at `serverDate`.
    package var currentTime: Double
    /// Seconds.
    package var duration: Double
    /// Place of the current cue in the bundle, from 0.
    package var currentIndex: Int
    package var isPlaying: Bool
    /// It is to play, and the sound stands: the position does not move on.
    package var isStalled: Bool
    package var serverDate: WireDate
    package var activeTrackID: String?
    /// 0 to 1, of the system output.
    package var volume: Double?
    package var output: Output?

    package init(
        sessionID: String, revision: Int, currentTime: Double, duration: Double, currentIndex: Int, isPlaying: Bool,
        isStalled: Bool = false, serverDate: WireDate, activeTrackID: String? = nil, volume: Double? = nil,
        output: Output? = nil
    ) {
        self.sessionID = sessionID
        self.revision = revision
        self.currentTime = currentTime
        self.duration = duration
        self.currentIndex = currentIndex
        self.isPlaying = isPlaying
        self.isStalled = isStalled
        self.serverDate = serverDate
        self.activeTrackID = activeTrackID
        self.volume = volume
        self.output = output
    }
}

/// What changes rarely about the active session, plus an anchor.
package struct SessionMetadata: Equatable, Sendable {
    package struct Track: Equatable, Sendable {
        package var id: String
        package var label: String

        package init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    package var sessionID: String
    package var revision: Int
    package var title: String
    /// Seconds, of the active track.
    package var duration: Double
    package var cueCount: Int
    package var cueDigest: String
    package var isPlaying: Bool
    /// It is to play, and the sound stands: the position does not move on.
    package var isStalled: Bool
    /// Seconds; audible at `serverDate`.
    package var currentTime: Double
    package var serverDate: WireDate
    package var tracks: [Track]
    package var activeTrackID: String?
    /// Who made the last transport change: a remote's name, `host`, a media key.
    package var by: String?

    package init(
        sessionID: String, revision: Int, title: String, duration: Double, cueCount: Int, cueDigest: String,
        isPlaying: Bool, isStalled: Bool = false, currentTime: Double, serverDate: WireDate, tracks: [Track],
        activeTrackID: String? = nil, by: String? = nil
    ) {
        self.sessionID = sessionID
        self.revision = revision
        self.title = title
        self.duration = duration
        self.cueCount = cueCount
        self.cueDigest = cueDigest
        self.isPlaying = isPlaying
        self.isStalled = isStalled
        self.currentTime = currentTime
        self.serverDate = serverDate
        self.tracks = tracks
        self.activeTrackID = activeTrackID
        self.by = by
    }
}

/// One piece of a gzipped cue bundle.
package struct CueChunk: Equatable, Sendable {
    package var sessionID: String
    package var revision: Int
    package var index: Int
    package var totalChunks: Int
    package var data: [UInt8]

    package init(sessionID: String, revision: Int, index: Int, totalChunks: Int, data: [UInt8]) {
        self.sessionID = sessionID
        self.revision = revision
        self.index = index
        self.totalChunks = totalChunks
        self.data = data
    }
}
