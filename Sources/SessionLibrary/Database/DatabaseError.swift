internal import CSQLite

/// A call to SQLite that failed.
package struct DatabaseError: Error, Equatable, Sendable {
    /// SQLite's extended result code (https://www.sqlite.org/rescode.html).
    package var code: Int32
    /// SQLite's own words.
    package var message: String

    package init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The primary result code: the low byte of every extended one.
    package var primaryCode: Int32 { code & 0xFF }
    /// Another connection holds a lock; the same call may succeed later.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    /// The file's content is not what SQLite wrote.
    package var isDamage: Bool { primaryCode == SQLITE_CORRUPT }
    /// The file never was a database.
    package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
}
