internal import CLinux
internal import Glibc

/// A file that has no name before it is whole: nothing is left of one that is never finished, whatever ends the program.
package struct UnseenFile: ~Copyable {
    private let path: String
    /// To write to.
    package let descriptor: FileDescriptor
    /// Where the file system has no files without a name.
    private let temporary: String?

    /// Makes it in the folder in which it is to appear under the name of `path`.
    ///
    /// - Throws: `SystemError` with the path; EEXIST where there is something of that name.
    package init(toBecome path: String) throws(SystemError) {
        if Files.isThere(path) { throw SystemError("open", subject: path, errno: EEXIST) }
        let parent = NativePath.bytes(of: Files.folder(of: path))
        let unnamed = open(parent, Int32(ALLSPEAK_O_TMPFILE_BIT) | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        if unnamed >= 0 {
            self.init(path, FileDescriptor(owning: unnamed), nil)
        } else {
            guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { throw SystemError.last("open", subject: path) }
            let name = path + "." + Identifiers.uuid().prefix(8) + ".part"
            let file = try TargetFile(new: name)
            self.init(path, file.release(), name)
        }
    }

    private init(_ path: String, _ descriptor: consuming FileDescriptor, _ temporary: String?) {
        self.path = path
        self.descriptor = descriptor
        self.temporary = temporary
    }

    /// Gives it its name, once its content outlives a power cut.
    ///
    /// - Throws: `SystemError` with the path; nothing is left then.
    package consuming func appear() throws(SystemError) {
        try retryingInterrupts("fsync", subject: path) { fsync(descriptor.raw) }
        let target = NativePath.bytes(of: path)
        let source = NativePath.bytes(of: temporary ?? "/proc/self/fd/\(descriptor.raw)")
        // Not a rename, which would replace what has come there meanwhile.
        try retryingInterrupts("link", subject: path) {
            linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW)
        }
        try Files.syncFolder(Files.folder(of: path))
    }

    deinit {
        if let temporary { Files.remove(temporary) }
    }
}

extension Files {
    /// The folder that a path lies in; `.` for a bare name.
    package static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }
}
