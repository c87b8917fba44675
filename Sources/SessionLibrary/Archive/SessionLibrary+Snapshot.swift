internal import Glibc
internal import LinuxSystem
package import Playback

/// Looking into another library, of which nothing is touched.
extension SessionLibrary {
    /// Bytes of the largest database of another library that is read; one of a thousand films has about a megabyte.
    private static let maximumDatabaseBytes = 1 << 28
    /// How often files that change while they are copied are copied again.
    private static let attempts = 3

    /// Whether there is something that `sessions(ofLibraryAt:)` can read.
    package static func isLibrary(_ path: String) -> Bool {
        let other = LibraryFolder(path: path)
        return Files.exists(other.database) || Files.exists(other.backup)
    }

    /// The sessions of the library in the folder `path`, the most recently opened first, with absolute paths.
    ///
    /// The database is copied aside, and the copy is brought to the newest version, or mended, as an own one would be.
    /// - Throws: `LibraryError.newer`, `foreign` or `damaged` for the other library, `unusable` where it cannot be read.
    package static func sessions(ofLibraryAt path: String) throws(LibraryError) -> [StoredSession] {
        let other = LibraryFolder(path: path)
        let aside: LibraryFolder
        do throws(SystemError) {
            aside = LibraryFolder(path: try Files.makeUniqueDirectory(Directories.temporary + "/allspeak-import-"))
        } catch {
            throw .unusable(path: Directories.temporary, reason: error.reason)
        }
        defer { Files.removeTree(aside.path) }
        do throws(SystemError) {
            try copyDatabase(of: other, to: aside)
        } catch {
            throw .unfitFile(path: error.subject ?? path, reason: "it cannot be read (\(error.reason))")
        }
        do throws(LibraryError) {
            return try sessions(in: aside, isOurs: Files.exists(other.openLock)).map(other.absolute)
        } catch {
            switch error {
            case .newer(_, let version): throw .newer(path: other.database, version: version)
            case .foreign: throw .foreign(path: other.database)
            case .damaged(_, let reason): throw .damaged(path: other.database, reason: reason)
            default: throw error
            }
        }
    }

    private static func sessions(in aside: LibraryFolder, isOurs: Bool) throws(LibraryError) -> [StoredSession] {
        var connection: Connection
        do throws(LibraryError) {
            connection = try LibraryFile.open(in: aside, isOurs: isOurs)
        } catch {
            guard case .damaged(_, let fault) = error else { throw error }
            _ = try LibraryRepair.run(in: aside, fault: fault)
            connection = try LibraryFile.open(in: aside, isOurs: true)
        }
        do throws(DatabaseError) {
            return try LibraryQueries.sessions(on: connection)
        } catch {
            throw LibraryError(error, path: aside.database)
        }
    }

    /// The database with its journal as of one moment, and the backup.
    private static func copyDatabase(of other: LibraryFolder, to aside: LibraryFolder) throws(SystemError) {
        let ends = ["", "-wal"]
        for _ in 0..<attempts {
            let before = ends.map { Files.modified(other.database + $0) }
            for end in ends {
                Files.remove(aside.database + end)
                try copy(other.database + end, to: aside.database + end)
            }
            if ends.map({ Files.modified(other.database + $0) }) == before { break }
        }
        for (from, to) in [(other.backup, aside.backup), (other.olderBackup, aside.olderBackup)] {
            try copy(from, to: to)
        }
    }

    private static func copy(_ source: String, to target: String) throws(SystemError) {
        guard Files.exists(source) else { return }
        let file = try SourceFile(source)
        guard file.byteCount <= maximumDatabaseBytes else { throw SystemError("read", subject: source, errno: EFBIG) }
        let copy = try TargetFile(new: target)
        try file.read { bytes throws(SystemError) in try copy.write(bytes) }
    }
}
