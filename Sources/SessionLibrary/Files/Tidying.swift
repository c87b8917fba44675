internal import LinuxSystem

/// Removing files that no session has.
extension SessionLibrary {
    /// Removes what is to be removed, and what a program that is no more was copying; as far as it can be done now.
    func tidyUp() {
        removeLoose(.leaving)
        guard let arriving = try? loose(.arriving), !arriving.isEmpty else { return }
        // Nobody who copies files lets go of the lock before they belong to a session.
        guard let lock = try? FileLock.ifFree(.exclusive, on: folder.arrivalLock) else { return }
        removeLoose(.arriving)
        withExtendedLifetime(lock) {}
    }

    /// What cannot be removed, or forgotten, now is removed the next time.
    private func removeLoose(_ state: LooseFiles.State) {
        guard let paths = try? loose(state), !paths.isEmpty else { return }
        guard let kept = try? read({ connection throws(DatabaseError) in try LooseFiles.kept(on: connection) }) else {
            return
        }
        // Whatever the note says, what a session has stays for as long as it has it.
        for path in paths where !kept.contains(path) { folder.remove(path) }
        forgetLoose(paths.filter { !LibraryFolder.isOwn($0) || !Files.isThere(folder.absolute($0)) })
    }

    private func loose(_ state: LooseFiles.State) throws(LibraryError) -> [String] {
        try read { connection throws(DatabaseError) in try LooseFiles.all(state, on: connection) }
    }

    func forgetLoose(_ paths: [String]) {
        try? write(durable: false) { connection throws(DatabaseError) in
            try LooseFiles.forget(paths, on: connection)
            return .success(())
        }
    }
}
