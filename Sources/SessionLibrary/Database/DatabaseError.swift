internal import CSQLite
internal import LinuxSystem

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

    /// Bytes that SQLite takes at once at most: a piece of the journal's index.
    private static let roomBytes = 1 << 15

    /// The disk that `path` lies on has no room; of some files SQLite says no more than that writing failed.
    func isFull(at path: String) -> Bool {
        if primaryCode == SQLITE_FULL { return true }
        guard primaryCode == SQLITE_IOERR || primaryCode == SQLITE_CANTOPEN else { return false }
        return Files.freeBytes(at: path).map { $0 < Self.roomBytes } ?? false
    }
}
