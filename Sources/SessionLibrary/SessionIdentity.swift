internal import Glibc
internal import LinuxSystem
internal import WireProtocol

/// Names sessions and tracks by their files, so that the same files are the same session after a restart.
enum SessionIdentity {
    /// A UUID (RFC 9562 version 8) of the SHA-256 over all of the files, whatever their order.
    static func session(trackPaths: [String], subtitlePath: String?) -> String {
        uuid(["session", subtitlePath.map(resolved) ?? ""] + trackPaths.map(resolved).sorted())
    }

    static func track(path: String, sessionID: String) -> String {
        uuid(["track", sessionID, resolved(path)])
    }

    /// The file's one path, without links, `.` and `..`; its absolute path where there is no such file.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(NativePath.bytes(of: path), nil) else { return Files.absolute(path) }
        defer { free(real) }
        return NativePath.text(of: UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }

    private static func uuid(_ parts: [String]) -> String {
        // A NUL cannot stand in a path, so no two lists give the same bytes.
        let bytes = parts.flatMap { (part: String) -> [UInt8] in Array(part.utf8) + [0] }
        return Identifiers.uuid(of: SHA256.digest(of: bytes), version: 8)
    }
}
