internal import Glibc
internal import LinuxSystem

/// A second copy of the database beside it, of a few pages, from which a damaged one is mended.
enum LibraryBackup {
    /// Replaces the backup by what `connection` has, if that is sound; where that fails, the old one stays.
    static func refresh(_ connection: Connection, _ folder: LibraryFolder) {
        let new = folder.backup + ".\(getpid()).new"
        defer { for end in ["", "-wal", "-shm", "-journal"] { Files.remove(new + end) } }
        guard (try? LibraryFile.makePrivate(new)) != nil, (try? connection.backUp(to: new, isSynced: false)) != nil,
            isSound(new)
        else { return }
        rename(new, folder.backup)
    }

    /// Pages are copied as they are, damaged ones too.
    private static func isSound(_ path: String) -> Bool {
        guard let copy = try? Connection(path: path, busySeconds: 0) else { return false }
        return (try? copy.rows("PRAGMA quick_check(1)") { $0.text(0) }) == ["ok"]
    }
}
