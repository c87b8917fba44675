internal import Glibc
internal import LinuxSystem
internal import Playback
internal import WireProtocol

/// Copying the whole library.
extension SessionLibrary {
    /// Copies the library as it is at this moment, with its files, into a new folder, which can be used as a library.
    ///
    /// The folder appears when it is whole; until then it has a name of its own, made for this copy alone, beside it. An
    /// empty folder may be there already. Files that lie where the user has them are not copied.
    /// - Throws: `LibraryError.unfitFile` for a file that is not as it was, or for `target`.
    package func backUp(to target: String, _ progress: CopyProgress) throws(LibraryError) {
        let part = try Self.atTarget(target) { () throws(SystemError) in
            if Files.isThere(target), try !Files.isEmptyFolder(target) {
                throw SystemError("mkdir", subject: target, errno: EEXIST)
            }
            try Files.makeDirectory(Files.folder(of: target))
            return LibraryFolder(path: try Files.makeUniqueDirectory(target + ".part-"))
        }
        do throws(LibraryError) {
            try fill(part, target, progress)
            try Self.atTarget(target) { () throws(SystemError) in
                try Files.syncFolder(part.path)
                // Of folders, only an empty one is replaced.
                try retryingInterrupts("rename", subject: target) {
                    Glibc.rename(NativePath.bytes(of: part.path), NativePath.bytes(of: target))
                }
                try Files.syncFolder(Files.folder(of: target))
            }
        } catch {
            Files.removeTree(part.path)
            throw error
        }
    }

    private func fill(
        _ part: LibraryFolder, _ target: String, _ progress: CopyProgress
    ) throws(LibraryError) {
        try Self.atTarget(target) { () throws(SystemError) in try LibraryFile.makePrivate(part.database) }
        try read { connection throws(DatabaseError) in try connection.backUp(to: part.database, isSynced: true) }
        let sessions: [StoredSession]
        do throws(DatabaseError) {
            let copy = try Connection(path: part.database, busySeconds: 0)
            try copy.execute("DELETE FROM loose_file")
            sessions = try LibraryQueries.sessions(on: copy)
        } catch {
            throw LibraryError(error, path: target)
        }
        var files: [(path: String, sum: String?)] = []
        for session in sessions {
            files += session.tracks.map { ($0.path, $0.copy?.sha256) }
            files += session.subtitlePath.map { [($0, nil)] } ?? []
        }
        // A film may play another one's copies.
        var seen: Set<String> = []
        files.removeAll { !LibraryFolder.isOwn($0.path) || !seen.insert($0.path).inserted }
        var total = 0
        for file in files { total += try Self.open(folder.absolute(file.path)).byteCount }
        var done = 0
        for file in files {
            try copy(file.path, file.sum, to: part, target) {
                done += $0
                progress(done, total)
            }
        }
    }

    private func copy(
        _ stored: String, _ sum: String?, to part: LibraryFolder, _ target: String, _ progress: (Int) -> Void
    ) throws(LibraryError) {
        let source = try Self.open(folder.absolute(stored))
        var digest = SHA256.Stream()
        try Self.atTarget(target) { () throws(SystemError) in
            try Files.makeDirectory(Files.folder(of: part.absolute(stored)))
            let file = try TargetFile(new: part.absolute(stored))
            try source.read { bytes throws(SystemError) in
                digest.update(bytes)
                try file.write(bytes)
                progress(bytes.count)
            }
            try file.sync()
        }
        if let sum, digest.hexadecimalDigest() != sum {
            throw .unfitFile(path: source.path, reason: "its content is not what it was")
        }
    }

    private static func atTarget<Output: ~Copyable>(
        _ target: String, _ work: () throws(SystemError) -> Output
    ) throws(LibraryError) -> Output {
        do throws(SystemError) {
            return try work()
        } catch {
            let reason =
                [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.errno)
                ? "there is something of that name; choose another" : "it cannot be written (\(error.reason))"
            throw .unwritable(path: target, reason: reason)
        }
    }
}
