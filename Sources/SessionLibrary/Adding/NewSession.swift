/// A session to be made of copies of files.
package struct NewSession: Equatable, Sendable {
    /// `nil` for the first track's file name.
    package var title: String?
    /// The first is the default.
    package var tracks: [NewTrack]
    package var subtitles: String

    package init(title: String?, tracks: [NewTrack], subtitles: String) {
        self.title = title
        self.tracks = tracks
        self.subtitles = subtitles
    }
}

/// A track to be copied.
package struct NewTrack: Equatable, Sendable {
    package var path: String
    /// `nil` for the file's name without its extension.
    package var label: String?

    package init(path: String, label: String?) {
        self.path = path
        self.label = label
    }
}

/// How a file is known to be what it should; the library itself reads neither subtitles nor sound.
package struct MediaCheck: Sendable {
    /// Why a file cannot be used, in words that follow its name.
    package struct Fault: Error, Equatable, Sendable {
        package var reason: String

        package init(_ reason: String) {
            self.reason = reason
        }
    }

    /// The digest of the cues of a file, of which there is at least one.
    package var cueDigest: @Sendable (_ path: String) throws(Fault) -> String
    /// The content of a subtitle file in UTF-8, to be kept in its place; `nil` where the file is kept as it is.
    package var converted: (@Sendable (_ path: String) throws(Fault) -> [UInt8])?
    /// The length in seconds of a file that can be played.
    package var duration: @Sendable (_ path: String) throws(Fault) -> Double

    package init(
        cueDigest: @escaping @Sendable (_ path: String) throws(Fault) -> String,
        duration: @escaping @Sendable (_ path: String) throws(Fault) -> Double
    ) {
        self.cueDigest = cueDigest
        self.duration = duration
    }
}

/// Told how many bytes of how many have been copied.
package typealias CopyProgress = (_ done: Int, _ total: Int) -> Void
