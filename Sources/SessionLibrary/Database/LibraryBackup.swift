internal import Glibc
internal import LinuxSystem

/// A second copy of the database beside it, of a few pages, from which a damaged one is mended.
enum LibraryBackup {
    /// Replaces the backup by what `connection` has, if that is sound; where that fails, the old one stays.
    ///
    /// One that has more sessions, though this change `deletes` none, is kept as the older one.
    static func refresh(_ connection: Connection, _ folder: LibraryFolder, deletes: Bool) {
        let new = folder.backup + ".\(getpid()).new"
        defer { for end in ["", "-wal", "-shm", "-journal"] { Files.remove(new + end) } }
        guard (try? LibraryFile.makePrivate(new)) != nil, (try? connection.backUp(to: new, isSynced: false)) != nil,
            let count = sessions(inSound: new)
        else { return }
        if !deletes, Files.exists(folder.backup), let older = sessions(inSound: folder.backup), older > count {
            rename(folder.backup, folder.olderBackup)
        }
        rename(new, folder.backup)
    }

    /// How many sessions it has; `nil` where it is damaged: pages are copied as they are, damaged ones too.
    private static func sessions(inSound path: String) -> Int? {
        guard let copy = try? Connection(path: path, busySeconds: 0),
            (try? copy.rows("PRAGMA quick_check(1)") { $0.text(0) }) == ["ok"]
        else { return nil }
        return try? copy.integer("SELECT count(*) FROM session")
    }
}
