internal import Playback

/// Finds the session a person means.
enum SessionQuery {
    /// By id, whole title, unique beginning of an id or unique part of a title, upper and lower case alike.
    static func match(_ query: String, in sessions: [StoredSession]) throws(LibraryError) -> StoredSession {
        let wanted = query.lowercased()
        guard !wanted.isEmpty else { throw .noSession(query: query) }
        if let session = sessions.first(where: { $0.id.lowercased() == wanted }) { return session }
        let titled = sessions.filter { $0.title.lowercased() == wanted }
        if let session = titled.first, titled.count == 1 { return session }
        let found = sessions.filter {
            $0.id.lowercased().hasPrefix(wanted) || $0.title.lowercased().contains(wanted)
        }
        guard let session = found.first else { throw .noSession(query: query) }
        guard found.count == 1 else {
            throw .severalSessions(query: query, titles: found.map { "\($0.title) (\($0.id.prefix(8)))" })
        }
        return session
    }
}
