internal import CArchive

/// Writes a tar archive (POSIX pax) to a descriptor, which stays open.
final class ArchiveWriter {
    private let archive: OpaquePointer

    /// Writes to `descriptor`, from where it stands on.
    init(to descriptor: Int32) throws(ArchiveError) {
        guard let archive = archive_write_new() else { throw ArchiveError("there is no memory") }
        self.archive = archive
        // Plain POSIX headers, with pax ones only for what they cannot hold: files over 8 GiB.
        archive_write_set_format_pax_restricted(archive)
        // A pipe's last block would be filled up; a file need not be.
        archive_write_set_bytes_in_last_block(archive, 1)
        guard archive_write_open_fd(archive, descriptor) == ARCHIVE_OK else { throw ArchiveError(of: archive) }
    }

    deinit {
        archive_write_free(archive)
    }

    /// Begins an entry of exactly `byteCount` bytes, a regular file without owner and date.
    func begin(_ name: String, byteCount: Int) throws(ArchiveError) {
        guard let entry = archive_entry_new() else { throw ArchiveError("there is no memory") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, Int64(byteCount))
        archive_entry_set_filetype(entry, UInt32(ALLSPEAK_AE_IFREG))
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, 0, 0)
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw ArchiveError(of: archive) }
    }

    /// Adds to the entry begun last.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var written = 0
        while written < bytes.count {
            let count = archive_write_data(archive, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            guard count > 0 else { throw ArchiveError(of: archive) }
            written += count
        }
    }

    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, ArchiveError> in
            do throws(ArchiveError) {
                return .success(try write(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Writes the end of the archive.
    func finish() throws(ArchiveError) {
        guard archive_write_close(archive) == ARCHIVE_OK else { throw ArchiveError(of: archive) }
    }
}
