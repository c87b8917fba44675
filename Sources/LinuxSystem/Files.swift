internal import Glibc
internal import Synchronization

/// Small whole-file operations.
package enum Files {
    /// The bytes of a regular file.
    /// - Throws: `SystemError`; EISDIR for a directory, EFBIG past `maximumBytes`.
    package static func read(_ path: String, maximumBytes: Int) throws(SystemError) -> [UInt8] {
        let native = NativePath.bytes(of: path)
        let raw = try retryingInterrupts("open", subject: path) { open(native, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        let file = FileDescriptor(owning: raw)
        var status = stat()
        try retryingInterrupts("fstat", subject: path) { fstat(file.raw, &status) }
        if status.st_mode & S_IFMT == S_IFDIR { throw SystemError("read", subject: path, errno: EISDIR) }
        if status.st_mode & S_IFMT != S_IFREG { throw SystemError("read", subject: path, errno: EINVAL) }
        if status.st_size > maximumBytes { throw SystemError("read", subject: path, errno: EFBIG) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var filled = 0
        while true {
            if filled > maximumBytes { throw SystemError("read", subject: path, errno: EFBIG) }
            if filled == bytes.count { bytes.append(contentsOf: repeatElement(0, count: 65_536)) }
            let room = bytes.count - filled
            let got = try retryingInterrupts("read", subject: path) {
                bytes.withUnsafeMutableBytes { Glibc.read(file.raw, $0.baseAddress?.advanced(by: filled), room) }
            }
            if got == 0 {
                bytes.removeSubrange(filled...)
                return bytes
            }
            filled += got
        }
    }

    /// Numbers the temporary files, so that two threads that replace one path never write into the same one.
    private static let replacements = Atomic(0)

    /// Replaces `path` by `bytes` so that a reader, or a crash, sees the old or the new content and nothing between.
    ///
    /// - Throws: `SystemError` of the first call that failed; the old content is still there.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(SystemError) {
        let number = replacements.add(1, ordering: .relaxed).newValue
        let temporary = path + ".\(getpid())-\(number).new"
        do throws(SystemError) {
            try write(bytes, toNew: temporary, mode: mode)
            try retryingInterrupts("rename", subject: path) { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Puts `bytes` where a person wants them: a file is replaced, a device or a pipe is written to, a link followed.
    ///
    /// - Throws: `SystemError` of the first call that failed.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            return try replace(path, with: bytes, mode: mode)
        }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let file = FileDescriptor(owning: try retryingInterrupts("open", subject: path) { open(path, flags, mode) })
        try write(bytes, to: file, path)
    }

    private static func write(_ bytes: [UInt8], toNew path: String, mode: UInt32) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let file = FileDescriptor(owning: try retryingInterrupts("open", subject: path) { open(path, flags, mode) })
        try write(bytes, to: file, path)
        try retryingInterrupts("fsync", subject: path) { fsync(file.raw) }
    }

    static func write(_ bytes: [UInt8], to file: borrowing FileDescriptor, _ path: String) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.count - written
            written += try retryingInterrupts("write", subject: path) {
                bytes.withUnsafeBytes { Glibc.write(file.raw, $0.baseAddress?.advanced(by: written), rest) }
            }
        }
    }

    /// Whether it is a folder, also by a link.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(NativePath.bytes(of: path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Why `replace` could not write there now, in words; `nil` where it can.
    ///
    /// `path` is absolute.
    package static func refusal(ofReplacing path: String) -> String? {
        if isFolder(path) { return SystemError("open", errno: EISDIR).reason }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        guard access(String(folder), W_OK | X_OK) != 0 else { return nil }
        return SystemError.last("access").reason
    }

    /// Makes a folder and those above it; one that exists is fine.
    ///
    /// - Throws: `SystemError` with the path.
    package static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
        let native = NativePath.bytes(of: path)
        if mkdir(native, mode) == 0 { return }
        let failure = SystemError.last("mkdir", subject: path)
        if failure.errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeDirectory(String(path[..<slash]), mode: mode)
            if mkdir(native, mode) == 0 { return }
        }
        var status = stat()
        guard stat(native, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
    }

    /// The names in a folder, unsorted, without `.` and `..`; none where the folder cannot be read.
    package static func names(in directory: String) -> [String] {
        guard let stream = opendir(NativePath.bytes(of: directory)) else { return [] }
        defer { closedir(stream) }
        return names(in: stream)
    }

    /// The names that an open folder gives.
    static func names(in stream: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { NativePath.text(of: $0.prefix { $0 != 0 }) }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    package static func remove(_ path: String) {
        unlink(NativePath.bytes(of: path))
    }

    /// The absolute form of `path` as seen from the working directory; symbolic links and `..` stay as they are.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let bytes = UnsafeRawBufferPointer(start: folder, count: strlen(folder))
        return NativePath.text(of: bytes) + "/" + path
    }
}

extension Files {
    /// Whether something of that name exists and can be looked at.
    package static func exists(_ path: String) -> Bool {
        access(NativePath.bytes(of: path), F_OK) == 0
    }
}

extension Files {
    /// Nanoseconds since 1970 of the last change; 0 where there is no such file.
    package static func modified(_ path: String) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}

extension Files {
    /// Holds `path` until this process ends, so that no other can; `false` when another one does.
    ///
    /// - Throws: `SystemError` where such a file cannot be made.
    package static func lockForThisProcess(_ path: String) throws(SystemError) -> Bool {
        let raw = try retryingInterrupts("open", subject: path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        if flock(raw, LOCK_EX | LOCK_NB) == 0 { return true }
        let failure = SystemError.last("flock", subject: path)
        close(raw)
        guard failure.errno == EWOULDBLOCK else { throw failure }
        return false
    }
}

extension Files {
    /// Makes a new folder that only its owner can read, its name `path` with six characters behind it; gives that.
    ///
    /// - Throws: `SystemError` with the path.
    package static func makeUniqueDirectory(_ path: String) throws(SystemError) -> String {
        var template = NativePath.bytes(of: path + "XXXXXX")
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp", subject: path) }
        return template.withUnsafeBytes { NativePath.text(of: $0.prefix { $0 != 0 }) }
    }
}

extension Files {
    /// Whether it is a file, not a link to one, without content.
    package static func isEmptyFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(NativePath.bytes(of: path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_size == 0
    }

    /// Whether there is something of that name, be it a link that leads nowhere.
    package static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(NativePath.bytes(of: path), &status) == 0
    }
}
