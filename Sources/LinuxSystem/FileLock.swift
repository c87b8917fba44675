internal import Glibc

/// A lock on a file, which the kernel takes back when its holder is let go of or its process ends, however that is.
package struct FileLock: ~Copyable {
    package enum Kind: Sendable {
        /// Held by any number at once.
        case shared
        /// Held by one, and by nobody else.
        case exclusive
    }

    private let descriptor: FileDescriptor

    /// Takes the lock, waiting for others that hold it; makes the file where it is not.
    ///
    /// - Throws: `SystemError` with the path.
    package init(_ kind: Kind, on path: String) throws(SystemError) {
        let file = try Self.open(path)
        try retryingInterrupts("flock", subject: path) { flock(file.raw, kind == .shared ? LOCK_SH : LOCK_EX) }
        descriptor = file
    }

    /// The lock, or `nil` where it cannot be had at once.
    ///
    /// - Throws: `SystemError` with the path.
    package static func ifFree(_ kind: Kind, on path: String) throws(SystemError) -> FileLock? {
        let descriptor = try open(path)
        if flock(descriptor.raw, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 {
            return FileLock(descriptor: descriptor)
        }
        let failure = SystemError.last("flock", subject: path)
        if failure.errno == EWOULDBLOCK { return nil }
        throw failure
    }

    private init(descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
        let native = NativePath.bytes(of: path)
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        return FileDescriptor(
            owning: try retryingInterrupts("open", subject: path) { Glibc.open(native, flags, 0o600) })
    }
}
