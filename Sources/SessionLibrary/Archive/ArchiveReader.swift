internal import CArchive

/// Reads a tar archive from a descriptor, which stays open.
///
/// Nothing else is understood, neither another format nor a compressed one: what is not needed cannot be attacked.
final class ArchiveReader {
    /// One entry's header.
    struct Entry: Equatable {
        /// `nil` for one that is not plain text.
        var name: String?
        /// Neither link, folder nor device, and without holes.
        var isPlainFile: Bool
        var byteCount: Int
    }

    private static let blockBytes = 1 << 16
    private let archive: OpaquePointer
    private var hasBegun = false

    /// Reads from `descriptor`, from where it stands on.
    init(from descriptor: Int32) throws(ArchiveError) {
        guard let archive = archive_read_new() else { throw ArchiveError("there is no memory") }
        self.archive = archive
        archive_read_support_format_tar(archive)
        // It looks at the beginning already.
        guard archive_read_open_fd(archive, descriptor, Self.blockBytes) == ARCHIVE_OK else { throw .foreign }
    }

    deinit {
        archive_read_free(archive)
    }

    /// The next entry's header; `nil` at the end.
    func next() throws(ArchiveError) -> Entry? {
        var entry: OpaquePointer?
        let code = archive_read_next_header(archive, &entry)
        if code == ARCHIVE_EOF { return nil }
        // A warning is an error: of a good archive there is none.
        guard code == ARCHIVE_OK, let entry else {
            throw hasBegun ? ArchiveError(of: archive) : .foreign
        }
        hasBegun = true
        let isFile = UInt32(archive_entry_filetype(entry)) == UInt32(ALLSPEAK_AE_IFREG)
        let isLink = archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil
        return Entry(
            name: archive_entry_pathname(entry).map { String(cString: $0) },
            isPlainFile: isFile && !isLink && archive_entry_sparse_count(entry) == 0,
            byteCount: archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : -1)
    }

    /// Fills `buffer` with what follows of the present entry; gives how much, 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw ArchiveError(of: archive) }
        return count
    }
}
