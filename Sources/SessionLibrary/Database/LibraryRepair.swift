internal import Glibc
internal import LinuxSystem

/// What was done about a damaged library.
package struct LibraryRepair: Equatable, Sendable {
    /// What was wrong, in SQLite's words.
    package var fault: String
    /// Where the damaged file is now; `nil` where there was none any more.
    package var copy: String?
    /// How many sessions could be read from it.
    package var keptSessions: Int

    /// For a person, without the final stop.
    package var sentence: String {
        let kept = keptSessions == 1 ? "1 session was" : "\(keptSessions) sessions were"
        let place = copy.map { "The damaged file is \($0), and the" } ?? "The"
        return """
            The library was damaged (\(fault)), so a new one was made; \(kept) kept. \(place) films' files are where they \
            were
            """
    }
}

extension LibraryRepair {
    /// Puts a damaged database aside and makes a new one of what can be read from it.
    ///
    /// - Throws: `LibraryError.damaged` where another program has the library open, for its writes would be lost;
    ///   `unusable` where the folder cannot be written.
    static func run(in folder: LibraryFolder, fault: String) throws(LibraryError) -> LibraryRepair {
        let copy = folder.path + "/library-damaged-\(MonotonicClock.wallNanoseconds() / 1_000_000).sqlite"
        do throws(SystemError) {
            guard let lock = try FileLock.ifFree(.exclusive, on: folder.openLock) else {
                throw SystemError("flock", subject: folder.database, errno: EWOULDBLOCK)
            }
            try putAside(folder.database, as: copy)
            let kept = try salvage(from: copy, into: folder)
            withExtendedLifetime(lock) {}
            return LibraryRepair(fault: fault, copy: Files.isThere(copy) ? copy : nil, keptSessions: kept)
        } catch {
            if error.errno == EWOULDBLOCK {
                throw .damaged(path: folder.database, reason: fault + "; end the other allspeak-host first")
            }
            throw .unusable(path: folder.path, reason: error.reason)
        }
    }

    /// The journal belongs to the file and goes with it; its index is made anew.
    private static func putAside(_ database: String, as copy: String) throws(SystemError) {
        if Files.exists(database + "-wal") {
            try retryingInterrupts("rename", subject: copy) { rename(database + "-wal", copy + "-wal") }
        }
        Files.remove(database + "-shm")
        if Files.isThere(database) { try retryingInterrupts("rename", subject: copy) { rename(database, copy) } }
    }

    /// Gives how many sessions could be kept, from the damaged file and then from the backup.
    private static func salvage(from copy: String, into folder: LibraryFolder) throws(SystemError) -> Int {
        // Of the copy another copy is read, so that SQLite's own repairs do not change what a person may want to look at.
        let reading = copy + ".reading"
        defer { for end in ["", "-wal", "-shm"] { Files.remove(reading + end) } }
        for end in ["", "-wal"] where Files.exists(copy + end) {
            try Files.replace(reading + end, with: try Files.read(copy + end, maximumBytes: 1 << 30))
        }
        do throws(LibraryError) {
            let target = try LibraryFile.open(in: folder, isOurs: true, isNew: true)
            var kept = 0
            // An older backup may have what was deleted since, so it is for when there is nothing else.
            for path in [reading, folder.backup, folder.olderBackup] where Files.exists(path) {
                if path == folder.olderBackup, kept > 0 { break }
                guard let source = try? Connection(path: path, busySeconds: 0) else { continue }
                kept = (try? Salvage.run(from: source, isStale: path != reading, to: target)) ?? kept
            }
            return kept
        } catch {
            throw SystemError("open", subject: folder.database, errno: EIO)
        }
    }
}

/// Copies what can be read of one library's rows into another.
enum Salvage {
    private static let tables = ["session", "track"]

    /// Of a `isStale` source, what was arriving then may be a session's by now, so that it is not taken for worthless.
    static func run(
        from source: Connection, isStale: Bool, to target: Connection
    ) throws(DatabaseError) -> Int {
        try target.execute("PRAGMA foreign_keys = OFF")
        try target.transaction { () throws(DatabaseError) in
            for table in tables { try copy(table, source, target) }
            try copy("loose_file", source, target, where: isStale ? "state = 'leaving'" : "true")
            try target.execute(
                """
                DELETE FROM track WHERE session_id NOT IN (SELECT id FROM session);
                DELETE FROM session WHERE id NOT IN (SELECT session_id FROM track);
                UPDATE session SET active_track_id = NULL WHERE active_track_id NOT IN (SELECT id FROM track);
                """)
        }
        try target.execute("PRAGMA foreign_keys = ON")
        return try target.integer("SELECT count(*) FROM session")
    }

    private static func copy(
        _ table: String, _ source: Connection, _ target: Connection, where condition: String = "true"
    ) throws(DatabaseError) {
        let known = try target.rows("PRAGMA table_info(\(table))") { $0.text(1) }
        let there = Set((try? source.rows("PRAGMA table_info(\(table))") { $0.text(1) }) ?? [])
        // Of an older version some are missing, and have their default.
        let columns = known.filter(there.contains)
        guard !columns.isEmpty else { return }
        let names = columns.joined(separator: ", ")
        let insert = """
            INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        // From both ends, since a damaged page hides what lies behind it.
        for order in ["ASC", "DESC"] {
            // The table's own order: one without row ids has that of its first column.
            let key = table == "loose_file" ? "path" : "rowid"
            for row in source.readableRows(
                "SELECT \(names) FROM \(table) WHERE \(condition) ORDER BY \(key) \(order)")
            {
                try? target.run(insert, row)
            }
        }
    }
}
