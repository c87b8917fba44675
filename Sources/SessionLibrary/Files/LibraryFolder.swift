internal import LinuxSystem
internal import Playback

/// Where things lie in the library's folder, and what their paths are in the database.
struct LibraryFolder: Sendable {
    /// Absolute.
    let path: String

    var database: String { path + "/library.sqlite" }
    /// The database as it was after the last change that was not only a position.
    var backup: String { path + "/library.backup" }
    /// The backup before it lost sessions that nobody deleted.
    var olderBackup: String { path + "/library.backup.old" }
    /// Held, shared, by everybody who has the library open, and alone by who mends it.
    var openLock: String { path + "/library.lock" }
    /// Held, shared, by everybody who copies files in.
    var arrivalLock: String { path + "/incoming.lock" }

    /// The folder of a session's files, relative.
    static func folder(of sessionID: String) -> String { "sessions/" + sessionID }

    /// The place of a stored path; one of the user's own files is absolute already.
    func absolute(_ stored: String) -> String {
        stored.utf8.first == UInt8(ascii: "/") ? stored : path + "/" + stored
    }

    /// The form in which a path is stored.
    func stored(_ absolute: String) -> String {
        let start = Array((path + "/sessions/").utf8)
        // By bytes: to characters, a slash before an accent would be none.
        guard absolute.utf8.starts(with: start) else { return absolute }
        return String(decoding: absolute.utf8.dropFirst(path.utf8.count + 1), as: UTF8.self)
    }

    /// Whether a stored path names something within the folder of copies: `sessions/ID` or `sessions/ID/NAME`.
    static func isOwn(_ stored: String) -> Bool { sessionID(of: stored) != nil }

    /// Whether a stored path names a copy of that session's, and not one of another's that is played in place.
    static func isOwn(_ stored: String, of sessionID: String) -> Bool {
        stored != folder(of: sessionID) && self.sessionID(of: stored) == sessionID
    }

    /// Whose folder a stored path lies in, or is; `nil` for one that is not within the folder of copies.
    static func sessionID(of stored: String) -> String? {
        let parts = stored.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard (2...3).contains(parts.count), parts[0] == "sessions",
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { return nil }
        return parts[1]
    }

    /// Removes what a stored path names, if the library may; no link on the way is followed.
    func remove(_ stored: String) {
        if Self.isOwn(stored) { Files.removeTree(stored, within: path) }
    }

    func absolute(_ session: StoredSession) -> StoredSession {
        var session = session
        session.subtitlePath = session.subtitlePath.map(absolute)
        for place in session.tracks.indices {
            session.tracks[place].path = absolute(session.tracks[place].path)
        }
        return session
    }

    func stored(_ session: StoredSession) -> StoredSession {
        var session = session
        session.subtitlePath = session.subtitlePath.map(stored)
        for place in session.tracks.indices { session.tracks[place].path = stored(session.tracks[place].path) }
        return session
    }
}
