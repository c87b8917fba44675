internal import Glibc

/// Removing whole trees; a symbolic link goes, and what it leads to stays.
///
/// Every folder is opened below the one before it and without following links, so that nothing that is put in the way
/// meanwhile leads elsewhere.
extension Files {
    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Removes a file, or a folder with all that is in it, as far as that is possible.
    package static func removeTree(_ path: String) {
        removeEntry(NativePath.bytes(of: path), in: AT_FDCWD)
    }

    /// Removes what `relative` names below the folder `root`, as far as that is possible.
    ///
    /// Nothing is removed where a part of `relative` is a symbolic link, empty, `.` or `..`; `root` may be a link.
    package static func removeTree(_ relative: String, within root: String) {
        let parts = relative.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard let last = parts.last, !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return }
        var raw = open(NativePath.bytes(of: root), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for part in parts.dropLast() where raw >= 0 {
            let next = openat(raw, NativePath.bytes(of: part), folderFlags)
            close(raw)
            raw = next
        }
        guard raw >= 0 else { return }
        let folder = FileDescriptor(owning: raw)
        removeEntry(NativePath.bytes(of: last), in: folder.raw)
    }

    private static func removeEntry(_ name: [CChar], in parent: Int32) {
        // Of a folder this fails, of a link it removes the link.
        if unlinkat(parent, name, 0) == 0 { return }
        let raw = openat(parent, name, folderFlags)
        guard raw >= 0 else { return }
        // The stream owns the descriptor from here on.
        guard let stream = fdopendir(raw) else {
            close(raw)
            return
        }
        for name in names(in: stream) { removeEntry(NativePath.bytes(of: name), in: raw) }
        closedir(stream)
        unlinkat(parent, name, AT_REMOVEDIR)
    }
}

extension Files {
    /// Whether it is a folder, not a link to one, and has nothing in it.
    ///
    /// - Throws: `SystemError` with the path for a folder that cannot be read.
    package static func isEmptyFolder(_ path: String) throws(SystemError) -> Bool {
        let raw = open(NativePath.bytes(of: path), folderFlags)
        if raw < 0, [ENOTDIR, ELOOP].contains(errno) { return false }
        guard raw >= 0 else { throw SystemError.last("open", subject: path) }
        guard let stream = fdopendir(raw) else {
            let failure = SystemError.last("fdopendir", subject: path)
            close(raw)
            throw failure
        }
        defer { closedir(stream) }
        return names(in: stream).isEmpty
    }
}
