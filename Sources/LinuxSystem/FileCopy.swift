internal import Glibc

/// A regular file opened for reading, by a link as well; its size is that at the opening.
package struct SourceFile: ~Copyable {
    /// Tells one file from every other of this machine, whatever it is called.
    package struct Identity: Hashable, Sendable {
        var device: UInt64
        var node: UInt64
    }

    package let path: String
    package let byteCount: Int
    package let identity: Identity
    /// At the beginning of the file, for who reads it by other means.
    package let descriptor: FileDescriptor

    /// - Throws: `SystemError` with the path; EISDIR for a folder, EINVAL for a pipe or device.
    package init(_ path: String) throws(SystemError) {
        let native = NativePath.bytes(of: path)
        let raw = try retryingInterrupts("open", subject: path) { open(native, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        let file = FileDescriptor(owning: raw)
        var status = stat()
        try retryingInterrupts("fstat", subject: path) { fstat(raw, &status) }
        if status.st_mode & S_IFMT == S_IFDIR { throw SystemError("read", subject: path, errno: EISDIR) }
        if status.st_mode & S_IFMT != S_IFREG { throw SystemError("read", subject: path, errno: EINVAL) }
        self.path = path
        byteCount = Int(status.st_size)
        identity = Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
        descriptor = file
    }

    /// Whether the file begins with `mark`; where reading goes on stays.
    package func begins(with mark: [UInt8]) -> Bool {
        var bytes = [UInt8](repeating: 0, count: mark.count)
        return pread(descriptor.raw, &bytes, mark.count, 0) == mark.count && bytes == mark
    }

    /// Hands out the whole content in pieces of at most a mebibyte.
    ///
    /// - Throws: `SystemError` with the path, EIO where the file has become shorter; or what `take` throws.
    package func read(_ take: (UnsafeRawBufferPointer) throws(SystemError) -> Void) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var rest = byteCount
        while rest > 0 {
            let got = try retryingInterrupts("read", subject: path) {
                Glibc.read(descriptor.raw, buffer.baseAddress, min(rest, buffer.count))
            }
            guard got > 0 else { throw SystemError("read", subject: path, errno: EIO) }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            rest -= got
        }
    }
}

/// A file being written.
package struct TargetFile: ~Copyable {
    package let path: String
    package let descriptor: FileDescriptor

    /// Makes a new file that only its owner can read.
    ///
    /// - Throws: `SystemError` with the path, EEXIST where there is something of that name.
    package init(new path: String) throws(SystemError) {
        let native = NativePath.bytes(of: path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        self.path = path
        descriptor = FileDescriptor(
            owning: try retryingInterrupts("open", subject: path) { open(native, flags, 0o600) })
    }

    /// The descriptor alone, to be written to by other means.
    consuming func release() -> FileDescriptor { descriptor }

    /// - Throws: `SystemError` with the path.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try retryingInterrupts("write", subject: path) {
                Glibc.write(descriptor.raw, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
        }
    }

    /// Returns once the content outlives a power cut.
    ///
    /// - Throws: `SystemError` with the path.
    package func sync() throws(SystemError) {
        try retryingInterrupts("fsync", subject: path) { fsync(descriptor.raw) }
    }
}

extension Files {
    /// Returns once the names in a folder outlive a power cut.
    ///
    /// - Throws: `SystemError` with the path.
    package static func syncFolder(_ path: String) throws(SystemError) {
        let native = NativePath.bytes(of: path)
        let raw = try retryingInterrupts("open", subject: path) { open(native, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        let folder = FileDescriptor(owning: raw)
        try retryingInterrupts("fsync", subject: path) { fsync(folder.raw) }
    }

    /// Bytes that may still be written where `path` lies; `nil` where the system does not say.
    package static func freeBytes(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(NativePath.bytes(of: path), &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }
}
