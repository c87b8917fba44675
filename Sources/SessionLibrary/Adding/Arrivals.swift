internal import LinuxSystem
internal import Playback
internal import WireProtocol

/// Taking files into the library, all or nothing.
///
/// Files go to their final place at once; what makes them part of the library is one transaction at the end. Until then
/// they are noted as loose, so that whatever happens in between, be it kill -9 or a power cut, they are removed.
extension SessionLibrary {
    /// Bytes to be left free on the disk, for the database and others.
    private static let reserve = 4 << 20

    /// Notes `paths` as loose, has `work` write them, and gives what it gives; if it throws, they are removed.
    ///
    /// `work` ends with `settle`.
    func arrive<Output>(
        _ paths: [String], _ work: () throws(LibraryError) -> Output
    ) throws(LibraryError) -> Output {
        let lock: FileLock
        do throws(SystemError) {
            lock = try FileLock(.shared, on: folder.arrivalLock)
        } catch {
            throw .unusable(path: folder.path, reason: error.reason)
        }
        try write { connection throws(DatabaseError) in
            try LooseFiles.add(paths, .arriving, on: connection)
            return .success(())
        }
        do throws(LibraryError) {
            return try work()
        } catch {
            for path in paths { folder.remove(path) }
            forgetLoose(paths)
            withExtendedLifetime(lock) {}
            throw error
        }
    }

    /// Has `store` make the files of `paths` a session's, in one transaction, once they outlive a power cut.
    func settle<Output: Sendable>(
        _ paths: [String], in sessionID: String,
        _ store: @escaping @Sendable (Connection) throws(DatabaseError) -> Result<Output, LibraryError>
    ) throws(LibraryError) -> Output {
        try system { () throws(SystemError) in
            try Files.syncFolder(folder.absolute(LibraryFolder.folder(of: sessionID)))
            try Files.syncFolder(folder.path + "/sessions")
        }
        return try write { connection throws(DatabaseError) in
            let result = try store(connection)
            if case .success = result { try LooseFiles.settle(paths, on: connection) }
            return result
        }
    }

    func makeFolder(of sessionID: String) throws(LibraryError) {
        try system { () throws(SystemError) in
            try Files.makeDirectory(folder.absolute(LibraryFolder.folder(of: sessionID)))
        }
    }

    /// Fails early where the disk is plainly too full.
    func requireRoom(for bytes: Int) throws(LibraryError) {
        guard let free = Files.freeBytes(at: folder.path), free < bytes + Self.reserve else { return }
        throw .full(path: folder.path, needed: bytes + Self.reserve, free: free)
    }

    /// Copies an open file to a stored path; gives its digest.
    func copy(
        _ source: borrowing SourceFile, to stored: String, _ progress: (Int) -> Void
    ) throws(LibraryError) -> String {
        var digest = SHA256.Stream()
        do throws(SystemError) {
            let target = try TargetFile(new: folder.absolute(stored))
            try source.read { bytes throws(SystemError) in
                digest.update(bytes)
                try target.write(bytes)
                progress(bytes.count)
            }
            try target.sync()
        } catch {
            if error.subject == source.path { throw .unfitFile(path: source.path, reason: Self.reading(error)) }
            throw .unusable(path: folder.path, reason: error.reason)
        }
        return digest.hexadecimalDigest()
    }

    /// Opens a file of the user's.
    static func open(_ path: String) throws(LibraryError) -> SourceFile {
        do throws(SystemError) {
            return try SourceFile(path)
        } catch {
            throw .unfitFile(path: path, reason: reading(error))
        }
    }

    private static func reading(_ error: SystemError) -> String { "it cannot be read (\(error.reason))" }

    func system<Output: ~Copyable>(_ work: () throws(SystemError) -> Output) throws(LibraryError) -> Output {
        do throws(SystemError) {
            return try work()
        } catch {
            throw .unusable(path: folder.path, reason: error.reason)
        }
    }
}
