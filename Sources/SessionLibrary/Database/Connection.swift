internal import CSQLite

/// An open database file; closed when released.
///
/// Belongs to the thread that opened it. `package` for the tests, which look at a library from a second connection.
package final class Connection {
    private let handle: OpaquePointer

    /// Opens `path` for reading and writing, making it where it is not.
    ///
    /// A call waits `busySeconds` for another connection's lock before it fails.
    /// - Throws: `DatabaseError`, only where the file cannot be opened or made: its content is looked at later.
    package init(path: String, busySeconds: Double) throws(DatabaseError) {
        var opened: OpaquePointer?
        // No mutex: one thread uses a connection.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code: code, message: String(cString: sqlite3_errstr(code)))
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, Int32(busySeconds * 1_000))
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters, parted by semicolons.
    package func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw lastError(code) }
    }

    /// Runs one statement that gives no rows.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) {
        let statement = try prepare(sql, values)
        while try statement.step() {}
    }

    /// Runs one statement and reads its rows.
    package func rows<Element>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) -> Element
    ) throws(DatabaseError) -> [Element] {
        let statement = try prepare(sql, values)
        var elements: [Element] = []
        while try statement.step() { elements.append(read(statement)) }
        return elements
    }

    /// The rows that can be read, up to the first that cannot.
    func readableRows(_ sql: String) -> [[SQLValue]] {
        guard let statement = try? prepare(sql, []) else { return [] }
        var rows: [[SQLValue]] = []
        while (try? statement.step()) == true {
            rows.append((0..<statement.columnCount).map { statement.value($0) })
        }
        return rows
    }

    /// The first column of the first row as an integer; 0 without rows.
    package func integer(_ sql: String) throws(DatabaseError) -> Int {
        try rows(sql) { $0.integer(0) }.first ?? 0
    }

    /// All of `work` or nothing of it.
    ///
    /// The write lock is taken at the start, so that no reader turns out later to be unable to write.
    package func transaction<Result>(_ work: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try work()
            try execute("COMMIT")
            return result
        } catch {
            // Some errors roll back by themselves; a second time would only hide the first error.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// What `work` reads is of one moment; nobody waits for it, and it waits for no writer.
    package func reading<Result>(_ work: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try execute("BEGIN")
        defer { try? execute("COMMIT") }
        return try work()
    }

    /// Writes everything as of one moment into a new database file, by SQLite's own backup call.
    ///
    /// Only if it `isSynced`, a power cut right afterwards leaves it whole.
    /// - Throws: `DatabaseError` where the file cannot be written.
    package func backUp(to path: String, isSynced: Bool) throws(DatabaseError) {
        let target = try Connection(path: path, busySeconds: 0)
        if !isSynced { try target.execute("PRAGMA synchronous = OFF") }
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.lastError(sqlite3_errcode(target.handle))
        }
        let step = sqlite3_backup_step(backup, -1)
        let code = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, code == SQLITE_OK else {
            throw DatabaseError(
                code: code == SQLITE_OK ? step : code, message: String(cString: sqlite3_errstr(step)))
        }
    }

    private func prepare(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> Statement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw lastError(code) }
        let statement = Statement(owning: prepared, of: self)
        try statement.bind(values)
        return statement
    }

    fileprivate func lastError(_ code: Int32) -> DatabaseError {
        DatabaseError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}

/// A value as SQLite stores it.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)

    package init(_ text: String?) {
        self = text.map(SQLValue.text) ?? .null
    }
}

/// A prepared statement with its values, standing on a row while rows are read.
package struct Statement: ~Copyable {
    private let handle: OpaquePointer
    // Keeps the connection open for as long as the statement lives.
    private let connection: Connection

    fileprivate init(owning handle: OpaquePointer, of connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    fileprivate func bind(_ values: [SQLValue]) throws(DatabaseError) {
        for (place, value) in values.enumerated() {
            let number = Int32(place + 1)
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(handle, number)
            case .integer(let integer): code = sqlite3_bind_int64(handle, number, Int64(integer))
            case .real(let real): code = sqlite3_bind_double(handle, number, real)
            case .text(let text):
                code = allspeak_sqlite_bind_text(handle, number, text, Int32(clamping: text.utf8.count))
            }
            if code != SQLITE_OK { throw connection.lastError(code) }
        }
    }

    /// Moves to the next row; false after the last.
    fileprivate func step() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.lastError(code)
        }
    }

    package func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(handle, column))
    }

    /// How many columns a row has.
    package var columnCount: Int32 { sqlite3_column_count(handle) }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Whatever is stored there; a BLOB as NULL, since the library has none.
    package func value(_ column: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column))
        default: .null
        }
    }

    package func real(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    /// `nil` for NULL.
    package func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        // After the text: its length, so that a NUL inside does not end it.
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Empty for NULL.
    package func text(_ column: Int32) -> String {
        optionalText(column) ?? ""
    }
}
