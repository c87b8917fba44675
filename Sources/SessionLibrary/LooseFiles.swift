/// The SQL about files in the library's folder that no session has, or has any more.
///
/// A path is noted here before its first byte is written, and the note goes in the transaction that gives the file to a
/// session; so a program killed in between leaves nothing that is not known to be worthless.
enum LooseFiles {
    /// What is to become of it; the schema holds the words.
    enum State: String {
        /// Being written by a program that holds the lock for arrivals.
        case arriving
        /// To be removed.
        case leaving
    }

    static func add(_ paths: [String], _ state: State, on connection: Connection) throws(DatabaseError) {
        for path in paths {
            try connection.run(
                "INSERT OR REPLACE INTO loose_file (path, state) VALUES (?, ?)", [.text(path), .text(state.rawValue)])
        }
    }

    static func forget(_ paths: [String], on connection: Connection) throws(DatabaseError) {
        for path in paths { try connection.run("DELETE FROM loose_file WHERE path = ?", [.text(path)]) }
    }

    /// These have arrived: a session has them, unless it was decided meanwhile that they are to go.
    static func settle(_ paths: [String], on connection: Connection) throws(DatabaseError) {
        for path in paths {
            try connection.run("DELETE FROM loose_file WHERE path = ? AND state = 'arriving'", [.text(path)])
        }
    }

    static func all(_ state: State, on connection: Connection) throws(DatabaseError) -> [String] {
        try connection.rows("SELECT path FROM loose_file WHERE state = ?", [.text(state.rawValue)]) { $0.text(0) }
    }

    /// The stored paths of all files that sessions have, with the folders these lie in.
    ///
    /// A film may be played in place from another one's copies, which then stay for as long as it is there.
    static func kept(on connection: Connection) throws(DatabaseError) -> Set<String> {
        let paths = try connection.rows(
            """
            SELECT path FROM track UNION SELECT subtitle_path FROM session WHERE subtitle_path IS NOT NULL
            UNION SELECT 'sessions/' || id FROM session
            """
        ) { $0.text(0) }
        let folders = paths.compactMap(LibraryFolder.sessionID).map(LibraryFolder.folder)
        return Set(paths + folders)
    }
}
