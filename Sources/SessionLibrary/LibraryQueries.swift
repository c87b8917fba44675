internal import Playback

/// Every SQL statement of the library beside its schema.
enum LibraryQueries {
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
        try connection.transaction { () throws(DatabaseError) in
            var sessions = try connection.rows(
                """
                SELECT id, title, subtitle_path, revision, cue_digest, position, active_track_id FROM session
                ORDER BY opened_at DESC, rowid DESC
                """, [], session)
            for place in sessions.indices {
                sessions[place].tracks = try tracks(of: sessions[place].id, on: connection)
            }
            return sessions
        }
    }

    static func session(_ id: String, on connection: Connection) throws(DatabaseError) -> StoredSession? {
        let found = try connection.rows(
            """
            SELECT id, title, subtitle_path, revision, cue_digest, position, active_track_id FROM session WHERE id = ?
            """, [.text(id)], session)
        guard var session = found.first else { return nil }
        session.tracks = try tracks(of: id, on: connection)
        return session
    }

    static func insert(_ session: StoredSession, origin: Origin, at now: Int, on connection: Connection)
        throws(DatabaseError)
    {
        try connection.run(
            """
            INSERT INTO session (id, title, origin, subtitle_path, revision, cue_digest, position, created_at, opened_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8)
            """,
            [
                .text(session.id), .text(session.title), .text(origin.rawValue), SQLValue(session.subtitlePath),
                .integer(session.revision), .text(session.cueDigest), .real(session.position), .integer(now),
            ])
    }

    /// Title, subtitle file, revision and digest as in `session`; position and active track stay.
    static func update(_ session: StoredSession, at now: Int, on connection: Connection) throws(DatabaseError) {
        try connection.run(
            """
            UPDATE session SET title = ?, subtitle_path = ?, revision = ?, cue_digest = ?, opened_at = ? WHERE id = ?
            """,
            [
                .text(session.title), SQLValue(session.subtitlePath), .integer(session.revision),
                .text(session.cueDigest),
                .integer(now), .text(session.id),
            ])
    }

    /// Makes exactly `tracks` the session's, the first the default; those that stay keep their row.
    static func replaceTracks(
        of sessionID: String, by tracks: [StoredSession.Track], on connection: Connection
    ) throws(DatabaseError) {
        let kept = Set(tracks.map(\.id))
        for old in try self.tracks(of: sessionID, on: connection) where !kept.contains(old.id) {
            try connection.run("DELETE FROM track WHERE id = ?", [.text(old.id)])
        }
        for (place, track) in tracks.enumerated() {
            try connection.run(
                """
                INSERT INTO track (id, session_id, label, path, sort_order, is_default) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET label = excluded.label, path = excluded.path,
                    sort_order = excluded.sort_order, is_default = excluded.is_default
                """,
                [
                    .text(track.id), .text(sessionID), .text(track.label), .text(track.path), .integer(place),
                    .integer(place == 0 ? 1 : 0),
                ])
        }
    }

    private static func tracks(of sessionID: String, on connection: Connection) throws(DatabaseError) -> [StoredSession
        .Track]
    {
        try connection.rows(
            "SELECT id, label, path FROM track WHERE session_id = ? ORDER BY sort_order", [.text(sessionID)]
        ) { StoredSession.Track(id: $0.text(0), label: $0.text(1), path: $0.text(2)) }
    }

    private static func session(_ row: borrowing Statement) -> StoredSession {
        StoredSession(
            id: row.text(0), title: row.text(1), tracks: [], subtitlePath: row.optionalText(2),
            revision: row.integer(3),
            cueDigest: row.text(4), position: row.real(5), activeTrackID: row.optionalText(6))
    }
}

/// Where a session's files are; the schema holds the words.
enum Origin: String {
    /// Where the user has them; nothing was copied.
    case inPlace
    /// In the library's own folder.
    case imported
}
