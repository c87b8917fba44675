internal import Glibc
internal import LinuxSystem
internal import WireProtocol

/// Opens `library.sqlite` and sees that it is a sound one.
enum LibraryFile {
    /// Seconds a call waits for another program's lock: longer than any write of this program's takes.
    static let busySeconds = 2.0

    /// Opens the database, making it where there is none and bringing it to the newest version.
    ///
    /// `isOurs` tells that a library of this program has been here, so that a file that is no database must be its ruin.
    /// Only if it `isNew`, an empty one beside what earlier ones have left is fine.
    static func open(
        in folder: LibraryFolder, isOurs: Bool, isNew: Bool = false
    ) throws(LibraryError) -> Connection {
        let path = folder.database
        if !isNew, let fault = loss(in: folder) { throw .damaged(path: path, reason: fault) }
        do throws(SystemError) {
            try makePrivate(path)
        } catch {
            throw .unusable(path: folder.path, reason: error.reason)
        }
        let opened: Result<Connection, LibraryError>
        do throws(DatabaseError) {
            opened = try openDatabase(folder, mayBeEmpty: isNew || !Files.exists(folder.backup))
        } catch {
            if error.isNotADatabase, isOurs { throw .damaged(path: path, reason: error.message) }
            throw LibraryError(error, path: path)
        }
        return try opened.get()
    }

    /// What is wrong where there is no database any more though there has been one.
    private static func loss(in folder: LibraryFolder) -> String? {
        // Another program's new database is empty for a moment, but then there is nothing else yet; so that is looked
        // for first.
        let hasLeft =
            Files.exists(folder.backup) || Files.exists(folder.olderBackup)
            || !Files.names(in: folder.path + "/sessions").isEmpty
        guard hasLeft else { return nil }
        if !Files.isThere(folder.database) { return "its file is missing" }
        return Files.isEmptyFile(folder.database) ? "its file is empty" : nil
    }

    private static func openDatabase(
        _ folder: LibraryFolder, mayBeEmpty: Bool
    ) throws(DatabaseError) -> Result<Connection, LibraryError> {
        do throws(DatabaseError) {
            return try openDatabase(folder.database, mayBeEmpty: mayBeEmpty, isAlone: false)
        } catch {
            guard error.isFull(at: folder.path),
                let opened = try? openDatabase(folder.database, mayBeEmpty: mayBeEmpty, isAlone: true)
            else { throw error }
            return opened
        }
    }

    private static func openDatabase(
        _ path: String, mayBeEmpty: Bool, isAlone: Bool
    ) throws(DatabaseError) -> Result<Connection, LibraryError> {
        let connection = try Connection(path: path, busySeconds: busySeconds)
        // Before anything is read, for reading takes room already; this alone changes nothing in another program's file.
        if isAlone { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
        if try isForeign(connection) { return .failure(.foreign(path: path)) }
        if isAlone { try configureWithoutRoom(connection) } else { try configure(connection) }
        // The whole file is a few pages; a damaged one is found here rather than in the middle of a film.
        let findings = try connection.rows("PRAGMA quick_check(1)") { $0.text(0) }
        guard findings == ["ok"] else {
            return .failure(.damaged(path: path, reason: SafeText.line(findings.first ?? "it cannot be checked")))
        }
        let found = try connection.integer("PRAGMA user_version")
        if found == 0, !mayBeEmpty {
            return .failure(.damaged(path: path, reason: "it has no tables"))
        }
        if let table = try Schema.missingTable(connection) {
            return .failure(.damaged(path: path, reason: "the table \(table) is missing"))
        }
        if let version = try Schema.migrate(connection) { return .failure(.newer(path: path, version: version)) }
        return .success(connection)
    }

    /// A file with tables that this program did not make.
    private static func isForeign(_ connection: Connection) throws(DatabaseError) -> Bool {
        if try connection.integer("PRAGMA application_id") == Schema.applicationID { return false }
        return try connection.integer("SELECT count(*) FROM sqlite_schema") > 0
    }

    /// Room is needed for nothing then, so that a film can be deleted to make some: the index of the journal and the
    /// journal itself are in memory, and pages are changed in their place.
    ///
    /// Nobody else can have the library open meanwhile; a kill in the middle of a change is damage, to be mended from
    /// the backup.
    private static func configureWithoutRoom(_ connection: Connection) throws(DatabaseError) {
        try connection.execute("PRAGMA journal_mode = MEMORY")
        try connection.execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    }

    private static func configure(_ connection: Connection) throws(DatabaseError) {
        // WAL: readers and a writer in another process do not wait for each other.
        try connection.execute("PRAGMA journal_mode = WAL")
        // NORMAL: a commit is in the kernel's hands, so it outlives a kill -9 of this process; it is not synced by
        // itself, so a power cut may take back the last ones, never the file's soundness. The checkpoint below syncs
        // about every thirty saves (a save writes a page or two), so a power cut costs half a minute at most.
        try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 30")
        // A library file from a friend must not be able to run functions by itself.
        try connection.execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    }

    /// Mode 0600 from the first byte on; SQLite gives its -wal and -shm files the mode of the database.
    ///
    /// An existing file is not opened here: closing a descriptor of it would drop the locks this process holds on it
    /// (https://www.sqlite.org/howtocorrupt.html §2.2).
    static func makePrivate(_ path: String) throws(SystemError) {
        let raw = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if raw >= 0 {
            close(raw)
        } else if errno == EEXIST {
            chmod(path, 0o600)
        } else {
            throw SystemError.last("open", subject: path)
        }
    }
}
