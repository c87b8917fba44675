package import WireProtocol

/// A session that is open: its tracks have been opened and its cues read.
package struct PlaybackSession: Equatable, Sendable {
    package struct Track: Equatable, Sendable {
        package var id: String
        package var label: String
        /// Seconds.
        package var duration: Double

        package init(id: String, label: String, duration: Double) {
            self.id = id
            self.label = label
            self.duration = duration
        }
    }

    package var id: String
    package var title: String
    /// At least one, in the order shown.
    package var tracks: [Track]
    package var revision: Int
    package var cueDigest: String
    package var timeline: CueTimeline

    package init(
        id: String, title: String, tracks: [Track], revision: Int, cueDigest: String, timeline: CueTimeline
    ) {
        self.id = id
        self.title = title
        self.tracks = tracks
        self.revision = revision
        self.cueDigest = cueDigest
        self.timeline = timeline
    }
}
