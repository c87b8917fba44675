internal import LinuxSystem
package import Playback

/// Sessions made of files that stay where the user has them.
extension SessionLibrary {
    /// The session made of exactly these files, which stay where they are; stored at once.
    package func openInPlace(
        title: String?, tracks: [(label: String?, path: String)], subtitlePath: String?, cueDigest: String
    ) throws(LibraryError) -> StoredSession {
        let session = try draftInPlace(
            title: title, tracks: tracks, subtitlePath: subtitlePath, cueDigest: cueDigest)
        try register(session)
        return session
    }

    /// What `openInPlace` would store, without storing anything.
    ///
    /// The same files again go on where they were, under the title and labels last given, with the tracks that have been
    /// added since and the default there was; in a new session the first one given is the default. A file given twice is
    /// one track.
    /// - Precondition: `tracks` is not empty.
    package func draftInPlace(
        title: String?, tracks: [(label: String?, path: String)], subtitlePath: String?, cueDigest: String
    ) throws(LibraryError) -> StoredSession {
        precondition(!tracks.isEmpty, "a session has at least one track")
        let id = SessionIdentity.session(trackPaths: tracks.map(\.path), subtitlePath: subtitlePath)
        let old = try read { connection throws(DatabaseError) in
            try connection.reading { () throws(DatabaseError) in try LibraryQueries.session(id, on: connection) }
        }.map(folder.absolute)
        var seen: Set<String> = []
        var stored = tracks.compactMap { track -> StoredSession.Track? in
            let trackID = SessionIdentity.track(path: track.path, sessionID: id)
            guard seen.insert(trackID).inserted else { return nil }
            let label =
                track.label ?? old?.tracks.first { $0.id == trackID }?.label ?? StoredName.stem(of: track.path)
            return StoredSession.Track(
                id: trackID, label: label, path: Files.absolute(track.path), isDefault: false)
        }
        stored += old?.tracks.filter { $0.copy != nil } ?? []
        for (place, label) in Naming.distinct(stored.map(\.label)).enumerated() { stored[place].label = label }
        let chosen = old?.tracks.first { $0.isDefault }?.id
        let isKept = stored.contains { $0.id == chosen }
        for place in stored.indices { stored[place].isDefault = isKept ? stored[place].id == chosen : place == 0 }
        var session = StoredSession(
            id: id, title: title ?? old?.title ?? StoredName.stem(of: tracks[0].path), tracks: stored,
            subtitlePath: subtitlePath.map(Files.absolute), revision: 1,
            cueDigest: cueDigest, position: 0, activeTrackID: nil)
        if let old {
            session.revision = old.cueDigest == cueDigest ? old.revision : old.revision + 1
            session.position = old.position
            session.activeTrackID = old.activeTrackID
        }
        return session
    }

    /// Stores a session that `draftInPlace` made, as opened now.
    package func register(_ session: StoredSession) throws(LibraryError) {
        let stored = folder.stored(session)
        try write(durable: false) { connection throws(DatabaseError) in
            if let old = try LibraryQueries.session(stored.id, on: connection) {
                if let path = old.subtitlePath, path != stored.subtitlePath, LibraryFolder.isOwn(path, of: stored.id) {
                    try LooseFiles.add([path], .leaving, on: connection)
                }
                try LibraryEdits.update(stored, at: Self.now(), on: connection)
            } else {
                try LibraryEdits.insert(stored, at: Self.now(), on: connection)
            }
            try LibraryEdits.replaceTracks(of: stored.id, by: stored.tracks, on: connection)
            return .success(())
        }
    }

    /// Marks a stored session as opened now with cues of `digest`, which may have changed since the last time.
    ///
    /// - Returns: Its revision, one higher where the digest differs from the stored one.
    /// - Throws: `LibraryError.noSession` for an unknown id.
    package func updateCues(sessionID: String, digest: String) throws(LibraryError) -> Int {
        try write(durable: false) { connection throws(DatabaseError) in
            guard var session = try LibraryQueries.session(sessionID, on: connection) else {
                return .failure(.noSession(query: sessionID))
            }
            if session.cueDigest != digest { session.revision += 1 }
            session.cueDigest = digest
            try LibraryEdits.update(session, at: Self.now(), on: connection)
            return .success(session.revision)
        }
    }
}
