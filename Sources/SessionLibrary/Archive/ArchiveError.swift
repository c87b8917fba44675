internal import CArchive

/// A call to libarchive that failed, in its own words.
struct ArchiveError: Error, Equatable {
    var reason: String
    /// A number of errno.h, where there is one that fits.
    var errno: Int32 = 0

    /// The last error of that archive.
    init(of archive: OpaquePointer) {
        let words = archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
        reason = words.hasSuffix(".") ? String(words.dropLast()) : words
        errno = archive_errno(archive)
    }

    /// Of a file that is something else.
    static let foreign = ArchiveError(
        "it is not a session file, as `allspeak-host sessions export` makes them; other files: `allspeak-host sessions add`"
    )

    init(_ reason: String) {
        self.reason = reason
    }
}
