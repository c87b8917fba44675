internal import AudioEngine
internal import LinuxSystem
internal import Playback
internal import SessionLibrary
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// What another program has made of the session that plays.
enum SessionUpdate: Sendable {
    /// It has other title, tracks or cues; `fallback` is the track for who hears one that has gone.
    case changed(PlaybackSession, fallback: String)
    case deleted
}

/// Makes of a change in the library what the host's machine can take: reads cues, opens tracks.
///
/// All of that may take as long as the disk does, so it happens on a thread that lives only for it.
final class SessionFollower: Sendable {
    private struct State {
        var session: PlaybackSession
        var subtitlePath: String?
        /// A change not yet looked at; of several only the newest counts.
        var next: StoredSession??
        var isBusy = false
    }

    private let state: Guarded<State>
    private let engine: StreamingAudioEngine
    private let reporter: Reporter
    private let post: @Sendable (SessionUpdate) -> Void

    /// Follows `session`, made of `stored`.
    init(
        _ session: PlaybackSession, _ stored: StoredSession, _ engine: StreamingAudioEngine, _ reporter: Reporter,
        _ post: @escaping @Sendable (SessionUpdate) -> Void
    ) {
        state = Guarded(State(session: session, subtitlePath: stored.subtitlePath))
        self.engine = engine
        self.reporter = reporter
        self.post = post
    }

    /// The library has the session like this now; `nil` if it has been deleted.
    ///
    /// Returns at once.
    func changed(to stored: StoredSession?) {
        let isFirst = state.withLock { state in
            state.next = .some(stored)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFirst else { return }
        do throws(SystemError) {
            try WorkerThread("library changes") { [self] in work() }.detach()
        } catch {
            state.withLock { $0.isBusy = false }
        }
    }

    private func work() {
        while let stored = take() {
            if let stored { refresh(stored) } else { post(.deleted) }
        }
    }

    /// The newest change; `nil` when there is none, which ends the thread.
    private func take() -> StoredSession?? {
        state.withLock { state in
            let next = state.next
            state.next = nil
            state.isBusy = next != nil
            return next
        }
    }

    private func refresh(_ stored: StoredSession) {
        var (session, subtitlePath) = state.withLock { ($0.session, $0.subtitlePath) }
        session.title = stored.title
        if stored.subtitlePath != subtitlePath || stored.cueDigest != session.cueDigest {
            do throws(SubtitleFault) {
                let cues = try SubtitleFile.document(stored.subtitlePath ?? "").cues
                session.timeline = CueTimeline(cues)
                session.cueDigest = CueBundle.digest(of: cues)
                session.revision = stored.revision
                subtitlePath = stored.subtitlePath
            } catch {
                reporter.problem("The old subtitles stay, since the new file \(error.reason).")
            }
        }
        let report = engine.setTracks(stored.tracks.map { TrackFile(id: $0.id, path: $0.path) })
        for fault in report.faults {
            reporter.problem("A track cannot be played: \(SafeText.line(fault.sentence)). It is left out.")
        }
        let tracks = stored.tracks.compactMap { track in
            report.durations[track.id].map { PlaybackSession.Track(id: track.id, label: track.label, duration: $0) }
        }
        guard let first = tracks.first else { return }
        session.tracks = tracks
        state.withLock { [session, subtitlePath] in ($0.session, $0.subtitlePath) = (session, subtitlePath) }
        let start = stored.startTrackID
        post(.changed(session, fallback: tracks.contains { $0.id == start } ? start : first.id))
    }
}
