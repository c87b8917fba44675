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
    /// Made of files and not yet in the library.
    private let isDraft: Bool

    /// - Throws: `Failure`: `badData` for a file that does not hold what it should, `unavailable` for the library.
    init(_ options: PlayOptions, onLibraryFault: @escaping @Sendable (LibraryError) -> Void) throws(Failure) {
        isDraft = options.query == nil
        if let query = options.query {
            let library = try Self.openLibrary(options.data, onLibraryFault)
            self.library = library
            let found = try Self.found(query, in: library)
            let document = try Self.subtitles(of: found)
            stored = try Self.refreshed(found, document, in: library)
            (cues, repairs) = (document.cues, document.repairs)
        } else {
            // Files are checked before the library is touched, so that a wrong path leaves nothing behind.
            let document = try SubtitleFile.read(options.subtitles ?? "")
            for audio in options.audio where !Files.exists(audio.path) {
                throw Failure(.badData, "There is no file \(SafeText.line(audio.path)). Check the path after --audio.")
            }
            library = try Self.openLibrary(options.data, onLibraryFault)
            stored = try Self.draft(options, document, in: library)
            (cues, repairs) = (document.cues, document.repairs)
        }
    }

    /// The library's film goes before a file of that name, which may lie in any folder.
    private static func found(_ query: String, in library: SessionLibrary) throws(Failure) -> StoredSession {
        do throws(LibraryError) {
            return try library.find(query)
        } catch {
            if case .noSession = error, Files.exists(Files.absolute(query)) {
                let name = SafeText.line(query)
                throw HostSyntax.program.usage(
                    "No film of the library is called so, but a file is: play it with --audio \(name) --subtitles FILE",
                    of: HostSyntax.play)
            }
            throw failure(error)
        }
    }

    static func openLibrary(
        _ directory: String, _ onFault: @escaping @Sendable (LibraryError) -> Void = { _ in }
    ) throws(Failure) -> SessionLibrary {
        try asFailure { () throws(LibraryError) in try SessionLibrary(directory: directory, onFault: onFault) }
    }

    static func asFailure<Result>(_ body: () throws(LibraryError) -> Result) throws(Failure) -> Result {
        do throws(LibraryError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    static func failure(_ error: LibraryError) -> Failure {
        let code: ExitCode =
            switch error {
            case .noTrack, .severalTracks, .repeatedLabel: .usage
            case .noSession, .severalSessions, .lastTrack, .unfitFile, .refused, .newer, .foreign, .damaged: .badData
            case .locked, .unusable, .full, .noRoom, .unwritable: .unavailable
            }
        let reason = SafeText.line(error.reason, maximumCharacters: 1_024)
        return Failure(code, reason.prefix(1).uppercased() + reason.dropFirst() + ".")
    }

    private static func subtitles(of session: StoredSession) throws(Failure) -> SubtitleDocument {
        guard let path = session.subtitlePath else {
            throw Failure(
                .badData, "“\(SafeText.line(session.title))” has no subtitles; open its files again with --subtitles.")
        }
        guard Files.exists(path) else {
            throw Failure(
                .badData,
                "The subtitles of “\(SafeText.line(session.title))” are missing: \(SafeText.line(path)). Bring them back, or give others: allspeak-host sessions replace-subtitles \(session.id.prefix(8)) FILE"
            )
        }
        return try SubtitleFile.read(path)
    }

    /// What to do about a track that cannot be played.
    var adviceOnTracks: String {
        guard !isDraft else { return "Give another file with --audio." }
        let id = stored.id.prefix(8)
        let commands = ["remove-track \(id) TRACK", "add-track \(id) --audio FILE=LABEL"]
        // The last track cannot be removed.
        let inOrder = stored.tracks.count > 1 ? commands : commands.reversed()
        return
            "Bring the file back, or put another in its place: allspeak-host sessions \(inOrder[0]), then allspeak-host sessions \(inOrder[1])"
    }

    /// Stores a session made of files; to be called once everything about it has proven good.
    func keep() throws(Failure) {
        guard isDraft else { return }
        try Self.asFailure { () throws(LibraryError) in try library.register(stored) }
    }

    private static func draft(
        _ options: PlayOptions, _ document: SubtitleDocument, in library: SessionLibrary
    ) throws(Failure) -> StoredSession {
        let tracks = options.audio.map { ($0.label, $0.path) }
        return try asFailure { () throws(LibraryError) in
            try library.draftInPlace(
                title: options.title.map { SafeText.line($0) }, tracks: tracks, subtitlePath: options.subtitles,
                cueDigest: CueBundle.digest(of: document.cues))
        }
    }

    /// The subtitle file may have changed since the session was last open.
    private static func refreshed(
        _ found: StoredSession, _ document: SubtitleDocument, in library: SessionLibrary
    ) throws(Failure) -> StoredSession {
        var session = found
        session.cueDigest = CueBundle.digest(of: document.cues)
        let digest = session.cueDigest
        session.revision = try asFailure { () throws(LibraryError) in
            try library.updateCues(sessionID: found.id, digest: digest)
        }
        return session
    }

    /// Seconds; what another program wrote into the library may be anything.
    var position: Double {
        stored.position.isFinite ? min(max(0, stored.position), Limits.filmSeconds) : 0
    }

    var activeTrackID: String {
        stored.startTrackID
    }

    /// The session with the tracks' measured lengths in seconds.
    func playbackSession(durations: [String: Double]) -> PlaybackSession {
        PlaybackSession(
            id: stored.id, title: stored.title,
            tracks: stored.tracks.map { .init(id: $0.id, label: $0.label, duration: durations[$0.id] ?? 0) },
            revision: stored.revision, cueDigest: stored.cueDigest, timeline: CueTimeline(cues))
    }
}
