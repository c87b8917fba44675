internal import LinuxSystem
internal import Playback

/// Where things lie in the library's folder, and what their paths are in the database.
struct LibraryFolder: Sendable {
    /// Absolute.
    let path: String

    var database: String { path + "/library.sqlite" }
    /// The database as it was after the last change that was not only a position.
    var backup: String { path + "/library.backup" }
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

    /// Whether the library may remove what a stored path names: something within `sessions`, never `sessions` itself.
    static func isOwn(_ stored: String) -> Bool {
        let parts = stored.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        return (2...3).contains(parts.count) && parts[0] == "sessions"
            && parts.dropFirst().allSatisfy { !["", ".", ".."].contains($0) }
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
