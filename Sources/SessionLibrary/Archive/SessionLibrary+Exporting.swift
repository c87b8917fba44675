internal import Glibc
internal import LinuxSystem
package import Playback
internal import WireProtocol

/// Writing a session into one file that can be given away.
extension SessionLibrary {
    /// Writes `session` to a new file at `path`; it appears there when it is whole, and not at all otherwise.
    ///
    /// - Throws: `LibraryError.unfitFile` for a file of the session that is not as it was, or for `path`.
    package func export(
        _ session: StoredSession, to path: String, _ progress: CopyProgress
    ) throws(LibraryError) {
        guard let subtitlePath = session.subtitlePath else {
            throw .refused(reason: "“\(session.title)” has no subtitles")
        }
        let subtitles = try part(subtitlePath, as: "subtitles", knownSum: nil)
        var tracks: [SessionManifest.Track] = []
        for (place, track) in session.tracks.enumerated() {
            let file = try part(track.path, as: "track-\(place + 1)", knownSum: track.copy?.sha256)
            tracks.append(.init(file: file, label: track.label, isDefault: track.isDefault))
        }
        let manifest = SessionManifest(title: session.title, subtitles: subtitles, tracks: tracks)
        let file = try Self.unseen(path)
        let paths = [subtitlePath] + session.tracks.map(\.path)
        try write(manifest, from: paths, to: file.descriptor.raw, path, progress)
        do throws(SystemError) {
            try file.appear()
        } catch {
            throw Self.writing(path, error)
        }
    }

    private static func unseen(_ path: String) throws(LibraryError) -> UnseenFile {
        do throws(SystemError) {
            return try UnseenFile(toBecome: path)
        } catch {
            throw writing(path, error)
        }
    }

    private static func writing(_ path: String, _ error: SystemError) -> LibraryError {
        let reason =
            error.errno == EEXIST
            ? "there is a file of that name; choose another, or remove it" : "it cannot be written (\(error.reason))"
        return .unwritable(path: path, reason: reason)
    }

    /// The manifest's words for one file; one whose sum nobody knows is read for it.
    private func part(
        _ path: String, as stem: String, knownSum: String?
    ) throws(LibraryError) -> SessionManifest.File {
        let source = try Self.open(path)
        let name = StoredName.original(of: path)
        let sum: String
        if let knownSum { sum = knownSum } else { sum = try Self.sum(of: source) }
        return SessionManifest.File(
            entry: stem + Self.plainExtension(of: name), name: NativePath.shown(name), byteCount: source.byteCount,
            sha256: sum)
    }

    private static func sum(of source: borrowing SourceFile) throws(LibraryError) -> String {
        var digest = SHA256.Stream()
        do throws(SystemError) {
            try source.read { bytes throws(SystemError) in digest.update(bytes) }
        } catch {
            throw .unfitFile(path: source.path, reason: error.reason)
        }
        return digest.hexadecimalDigest()
    }

    /// `.m4a`, where that can be part of any file name; else nothing.
    private static func plainExtension(of name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "" }
        let text = name[dot...].lowercased()
        return (2...9).contains(text.utf8.count) && SessionManifest.isPlain("x" + text) ? text : ""
    }

    // MARK: The archive

    private func write(
        _ manifest: SessionManifest, from paths: [String], to descriptor: Int32, _ target: String,
        _ progress: CopyProgress
    ) throws(LibraryError) {
        let json = manifest.json
        let writer = try Self.archiving(target) { () throws(ArchiveError) in
            let writer = try ArchiveWriter(to: descriptor)
            try writer.begin(SessionManifest.entry, byteCount: json.count)
            try writer.write(json)
            return writer
        }
        var done = 0
        for (file, path) in zip(manifest.files, paths) {
            try Self.append(path, file, to: writer, target) {
                done += $0
                progress(done, manifest.byteCount)
            }
        }
        try Self.archiving(target) { () throws(ArchiveError) in try writer.finish() }
    }

    private static func append(
        _ path: String, _ file: SessionManifest.File, to writer: ArchiveWriter, _ target: String,
        _ progress: (Int) -> Void
    ) throws(LibraryError) {
        let source = try open(path)
        let changed = LibraryError.unfitFile(path: path, reason: "its content is not what it was")
        guard source.byteCount == file.byteCount else { throw changed }
        try archiving(target) { () throws(ArchiveError) in
            try writer.begin(file.entry, byteCount: file.byteCount)
        }
        var digest = SHA256.Stream()
        do throws(SystemError) {
            try source.read { bytes throws(SystemError) in
                digest.update(bytes)
                do throws(ArchiveError) {
                    try writer.write(bytes)
                } catch {
                    throw error.system(target)
                }
                progress(bytes.count)
            }
        } catch {
            throw error.subject == target ? writing(target, error) : .unfitFile(path: path, reason: error.reason)
        }
        guard digest.hexadecimalDigest() == file.sha256 else { throw changed }
    }

    private static func archiving<Output>(
        _ target: String, _ work: () throws(ArchiveError) -> Output
    ) throws(LibraryError) -> Output {
        do throws(ArchiveError) {
            return try work()
        } catch {
            throw writing(target, error.system(target))
        }
    }
}

extension ArchiveError {
    /// As an error of writing the file.
    fileprivate func system(_ path: String) -> SystemError {
        SystemError("write", subject: path, errno: errno > 0 ? errno : EIO)
    }
}
