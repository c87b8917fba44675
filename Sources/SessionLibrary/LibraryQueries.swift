internal import Playback

/// The SQL that reads sessions and keeps positions; `LibraryEdits` and `LooseFiles` have that of changes.
///
/// Paths are as stored: relative to the library's folder where the file is a copy in it.
enum LibraryQueries {
    private static let sessionColumns = """
        SELECT id, title, subtitle_path, revision, cue_digest, position, active_track_id, origin FROM session
        """

    /// Writes positions and active tracks; of a session or track that is gone, nothing.
    static func save(_ states: [ListeningState], on connection: Connection) throws(DatabaseError) {
        try connection.transaction { () throws(DatabaseError) in
            for state in states {
                try connection.run(
                    """
                    UPDATE session SET position = ?1,
                        active_track_id = coalesce(
                            (SELECT id FROM track WHERE id = ?2 AND session_id = ?3), active_track_id)
                    WHERE id = ?3
                    """, [.real(state.position), .text(state.activeTrackID), .text(state.sessionID)])
            }
        }
    }

    /// The most recently opened first.
    static func sessions(on connection: Connection) throws(DatabaseError) -> [StoredSession] {
        try connection.reading { () throws(DatabaseError) in
            var sessions = try connection.rows(sessionColumns + " ORDER BY opened_at DESC, rowid DESC", [], session)
            for place in sessions.indices {
                sessions[place].tracks = try tracks(of: sessions[place].id, on: connection)
            }
            return sessions
        }
    }

    /// To be called within `reading` or `transaction`.
    static func session(_ id: String, on connection: Connection) throws(DatabaseError) -> StoredSession? {
        let found = try connection.rows(sessionColumns + " WHERE id = ?", [.text(id)], session)
        guard var session = found.first else { return nil }
        session.tracks = try tracks(of: id, on: connection)
        return session
    }

    static func tracks(
        of sessionID: String, on connection: Connection
    ) throws(DatabaseError) -> [StoredSession.Track] {
        try connection.rows(
            """
            SELECT id, label, path, is_default, byte_count, sha256, duration FROM track
            WHERE session_id = ? ORDER BY sort_order, rowid
            """, [.text(sessionID)], track)
    }

    private static func session(_ row: borrowing Statement) -> StoredSession {
        StoredSession(
            id: row.text(0), title: row.text(1), tracks: [], subtitlePath: row.optionalText(2),
            revision: row.integer(3), cueDigest: row.text(4), position: row.real(5),
            activeTrackID: row.optionalText(6), isImported: row.text(7) == Origin.imported.rawValue)
    }

    private static func track(_ row: borrowing Statement) -> StoredSession.Track {
        StoredSession.Track(
            id: row.text(0), label: row.text(1), path: row.text(2), isDefault: row.integer(3) == 1,
            copy: row.isNull(4)
                ? nil
                : StoredSession.Copy(
                    byteCount: row.integer(4), sha256: row.text(5), duration: row.real(6)))
    }
}

/// Where a session's files are; the schema holds the words.
enum Origin: String {
    /// Where the user has them; nothing was copied.
    case inPlace
    /// In the library's own folder.
    case imported
}
