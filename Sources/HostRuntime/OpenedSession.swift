internal import LinuxSystem
internal import Playback
internal import SessionLibrary
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// The session to play, read and checked: subtitles parsed, the library's record of it at hand.
struct OpenedSession {
    let library: SessionLibrary
    let stored: StoredSession
    let cues: [Cue]
    let repairs: [Repair]

    /// - Throws: `Failure`: `badData` for a file that does not hold what it should, `unavailable` for the library.
    init(_ options: PlayOptions) throws(Failure) {
        if let query = options.query {
            library = try Self.openLibrary(options.data)
            let found = try Self.find(query, in: library)
            let document = try SubtitleFile.read(found.subtitlePath ?? "")
            stored = try Self.refresh(found, document, in: library)
            (cues, repairs) = (document.cues, document.repairs)
        } else {
            // Files are checked before the library is touched, so that a wrong path leaves nothing behind.
            let document = try SubtitleFile.read(options.subtitles ?? "")
            for audio in options.audio where !Files.exists(audio.path) {
                throw Failure(.badData, "There is no file \(SafeText.line(audio.path)). Check the path after --audio.")
            }
            library = try Self.openLibrary(options.data)
            stored = try Self.register(options, document, in: library)
            (cues, repairs) = (document.cues, document.repairs)
        }
    }

    var activeTrackID: String {
        let kept = stored.activeTrackID
        return stored.tracks.first { $0.id == kept }?.id ?? stored.tracks[0].id
    }

    /// The session with the tracks' measured lengths in seconds.
    func playbackSession(durations: [String: Double]) -> PlaybackSession {
        PlaybackSession(
            id: stored.id, title: stored.title,
            tracks: stored.tracks.map { .init(id: $0.id, label: $0.label, duration: durations[$0.id] ?? 0) },
            revision: stored.revision, cueDigest: stored.cueDigest, timeline: CueTimeline(cues))
    }
}

extension OpenedSession {
    static func openLibrary(_ directory: String) throws(Failure) -> SessionLibrary {
        do throws(LibraryError) {
            return try SessionLibrary(directory: directory)
        } catch {
            throw Failure(.unavailable, "The library in \(directory) cannot be opened: \(error.sentence)")
        }
    }
}
