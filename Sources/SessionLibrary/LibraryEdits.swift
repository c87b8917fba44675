internal import Playback

/// The SQL that makes, changes and removes sessions; each to be called within a transaction.
enum LibraryEdits {
    /// Stores a session without its tracks.
    static func insert(_ session: StoredSession, at now: Int, on connection: Connection) throws(DatabaseError) {
        let origin = session.isImported ? Origin.imported : .inPlace
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

    /// Title, subtitle file, revision and digest as in `session`, opened `now`; position and active track stay.
    static func update(_ session: StoredSession, at now: Int, on connection: Connection) throws(DatabaseError) {
        try connection.run(
            """
            UPDATE session SET title = ?, subtitle_path = ?, revision = ?, cue_digest = ?, opened_at = ? WHERE id = ?
            """,
            [
                .text(session.title), SQLValue(session.subtitlePath), .integer(session.revision),
                .text(session.cueDigest), .integer(now), .text(session.id),
            ])
    }

    static func rename(_ id: String, to title: String, on connection: Connection) throws(DatabaseError) {
        try connection.run("UPDATE session SET title = ? WHERE id = ?", [.text(title), .text(id)])
    }

    static func replaceSubtitles(
        of id: String, by path: String, revision: Int, digest: String, on connection: Connection
    ) throws(DatabaseError) {
        try connection.run(
            "UPDATE session SET subtitle_path = ?, revision = ?, cue_digest = ? WHERE id = ?",
            [.text(path), .integer(revision), .text(digest), .text(id)])
    }

    static func delete(_ id: String, on connection: Connection) throws(DatabaseError) {
        try connection.run("DELETE FROM session WHERE id = ?", [.text(id)])
    }

    // MARK: Tracks

    /// Makes exactly `tracks` the session's; those that stay keep their row.
    static func replaceTracks(
        of sessionID: String, by tracks: [StoredSession.Track], on connection: Connection
    ) throws(DatabaseError) {
        let kept = Set(tracks.map(\.id))
        for old in try LibraryQueries.tracks(of: sessionID, on: connection) where !kept.contains(old.id) {
            try remove(old.id, on: connection)
        }
        for (place, track) in tracks.enumerated() {
            try connection.run(
                """
                INSERT INTO track
                    (id, session_id, label, path, sort_order, is_default, byte_count, sha256, duration)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET label = excluded.label, path = excluded.path,
                    sort_order = excluded.sort_order, is_default = excluded.is_default,
                    byte_count = excluded.byte_count, sha256 = excluded.sha256, duration = excluded.duration
                """,
                [
                    .text(track.id), .text(sessionID), .text(track.label), .text(track.path), .integer(place),
                    .integer(track.isDefault ? 1 : 0), track.copy.map { .integer($0.byteCount) } ?? .null,
                    SQLValue(track.copy?.sha256), track.copy.map { .real($0.duration) } ?? .null,
                ])
        }
    }

    static func remove(_ trackID: String, on connection: Connection) throws(DatabaseError) {
        try connection.run("DELETE FROM track WHERE id = ?", [.text(trackID)])
    }

    /// Makes one track the default, and no other.
    static func setDefault(_ trackID: String, of sessionID: String, on connection: Connection) throws(DatabaseError) {
        try connection.run(
            "UPDATE track SET is_default = (id = ?) WHERE session_id = ?", [.text(trackID), .text(sessionID)])
    }

    /// Forgets which track was chosen last, so that the session begins with its default.
    static func forgetActiveTrack(of sessionID: String, on connection: Connection) throws(DatabaseError) {
        try connection.run("UPDATE session SET active_track_id = NULL WHERE id = ?", [.text(sessionID)])
    }
}
