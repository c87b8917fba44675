internal import LinuxSystem
package import Playback
internal import WireProtocol

/// The sessions a host knows, in `library.sqlite` of its data folder.
///
/// The database is touched on one thread of the library's own. `save` never waits; everything else waits for that
/// thread and is meant for the start of the program, before its loop runs.
package final class SessionLibrary: SessionStore {
    private let path: String
    private let thread: LibraryThread

    /// Opens the library of `directory`, making folder and file where they are not.
    ///
    /// `onFault` is told of a fault that keeps positions from being written, once of each kind, on the library's thread,
    /// which goes on trying.
    /// - Throws: `LibraryError` when the file is newer, foreign, damaged, not writable, or locked for two seconds.
    package init(
        directory: String, onFault: @escaping @Sendable (LibraryError) -> Void = { _ in }
    ) throws(LibraryError) {
        let path = directory + "/library.sqlite"
        self.path = path
        let told = Guarded<Set<Int32>>([])
        thread = try LibraryThread(
            open: { () throws(LibraryError) in try LibraryFile.open(in: directory) },
            onFault: { error in
                let isNew = told.withLock { $0.insert(error.primaryCode).inserted }
                if isNew { onFault(LibraryError(error, path: path)) }
            })
    }

    deinit {
        thread.stop()
    }

    /// The session made of exactly these files, which stay where they are; stored at once.
    package func openInPlace(
        title: String?, tracks: [(label: String?, path: String)], subtitlePath: String?, cueDigest: String
    ) throws(LibraryError) -> StoredSession {
        let session = try draftInPlace(
            title: title, tracks: tracks, subtitlePath: subtitlePath, cueDigest: cueDigest)
        try register(session)
        return session
    }

    /// The session made of exactly these files, as `register` will store it.
    ///
    /// Nothing is written, so that files which turn out to be of no use leave nothing behind.
    ///
    /// The same files again, in any order, give the same session: its id, position, active track and track ids stay,
    /// order becomes the given one, and so do the title and the labels that are given. Without one the stored one stays, and a
    /// new session or track is called after its file. The revision is 1 at first and grows when `cueDigest` is another
    /// than the stored one. A file given twice is one track.
    /// - Precondition: `tracks` is not empty.
    package func draftInPlace(
        title: String?, tracks: [(label: String?, path: String)], subtitlePath: String?, cueDigest: String
    ) throws(LibraryError) -> StoredSession {
        precondition(!tracks.isEmpty, "a session has at least one track")
        let id = SessionIdentity.session(trackPaths: tracks.map(\.path), subtitlePath: subtitlePath)
        let old = try call { connection throws(DatabaseError) in try LibraryQueries.session(id, on: connection) }
        var seen: Set<String> = []
        let stored = tracks.compactMap { track -> StoredSession.Track? in
            let trackID = SessionIdentity.track(path: track.path, sessionID: id)
            guard seen.insert(trackID).inserted else { return nil }
            let label = track.label ?? old?.tracks.first { $0.id == trackID }?.label ?? Self.stem(track.path)
            return StoredSession.Track(id: trackID, label: label, path: Files.absolute(track.path))
        }
        var session = StoredSession(
            id: id, title: title ?? old?.title ?? Self.stem(tracks[0].path), tracks: stored,
            subtitlePath: subtitlePath.map(Files.absolute), revision: 1,
            cueDigest: cueDigest, position: 0, activeTrackID: nil)
        if let old {
            session.revision = old.cueDigest == cueDigest ? old.revision : old.revision + 1
            session.position = old.position
            session.activeTrackID = old.activeTrackID
        }
        return session
    }

    /// The last part of a path without its extension.
    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Stores a session that `draftInPlace` made, as opened now.
    package func register(_ session: StoredSession) throws(LibraryError) {
        try call { connection throws(DatabaseError) in
            try connection.transaction { () throws(DatabaseError) in
                let now = Self.now()
                if try LibraryQueries.session(session.id, on: connection) != nil {
                    try LibraryQueries.update(session, at: now, on: connection)
                } else {
                    try LibraryQueries.insert(session, origin: .inPlace, at: now, on: connection)
                }
                try LibraryQueries.replaceTracks(of: session.id, by: session.tracks, on: connection)
            }
        }
    }

    /// The session a person means by an id, the unique beginning of one, or a unique part of the title.
    ///
    /// - Throws: `LibraryError.noSession`, or `severalSessions` with the titles that fit.
    package func find(_ query: String) throws(LibraryError) -> StoredSession {
        try SessionQuery.match(query, in: list())
    }

    /// All sessions, the most recently opened first.
    package func list() throws(LibraryError) -> [StoredSession] {
        try call { connection throws(DatabaseError) in try LibraryQueries.sessions(on: connection) }
    }

    /// Marks a stored session as opened now with cues of `digest`, which may have changed since the last time.
    ///
    /// - Returns: Its revision, one higher where the digest differs from the stored one.
    /// - Throws: `LibraryError.noSession` for an unknown id.
    package func updateCues(sessionID: String, digest: String) throws(LibraryError) -> Int {
        let revision = try call { connection throws(DatabaseError) in
            try connection.transaction { () throws(DatabaseError) -> Int? in
                guard var session = try LibraryQueries.session(sessionID, on: connection) else { return nil }
                if session.cueDigest != digest { session.revision += 1 }
                session.cueDigest = digest
                try LibraryQueries.update(session, at: Self.now(), on: connection)
                return session.revision
            }
        }
        guard let revision else { throw .noSession(query: sessionID) }
        return revision
    }

    package func save(_ state: ListeningState) {
        // A position that is no number must not cost the last good one.
        guard state.position.isFinite else { return }
        var state = state
        state.position = max(0, state.position)
        thread.save(state)
    }

    package func flush(within seconds: Double) {
        thread.flush(until: MonotonicClock.now() + seconds)
    }

    private func call<Output: Sendable>(
        _ work: @escaping @Sendable (Connection) throws(DatabaseError) -> Output
    ) throws(LibraryError) -> Output {
        do throws(DatabaseError) {
            return try thread.call(work)
        } catch {
            throw LibraryError(error, path: path)
        }
    }

    /// Milliseconds since 1970.
    private static func now() -> Int {
        Int(MonotonicClock.wallNanoseconds() / 1_000_000)
    }
}
