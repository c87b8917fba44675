internal import LinuxSystem
package import Playback
internal import WireProtocol

/// Taking in a session file that somebody has sent.
extension SessionLibrary {
    /// Makes a new session of the file at `path`; nothing of it can be seen before all of it is checked and safe.
    ///
    /// - Throws: `LibraryError.unfitFile` for anything that is not exactly as `Protocol/session-file.md` says;
    ///   `full` or `unusable` for the disk.
    package func importSession(
        from path: String, checkedBy check: MediaCheck, _ progress: CopyProgress
    ) throws(LibraryError) -> StoredSession {
        let file = try Self.open(path)
        let (reader, manifest) = try Self.unpacking(path) { () throws(ArchiveError) in
            if file.begins(with: [0x1F, 0x8B]) {
                throw ArchiveError("it is not a session file but a gzip file; unpack it with gunzip, and import that")
            }
            let reader = try ArchiveReader(from: file.descriptor.raw)
            return (reader, try Self.manifest(of: reader))
        }
        // What is promised and cannot be in the file is not waited for.
        guard manifest.byteCount <= file.byteCount else {
            throw .unfitFile(path: path, reason: "it is shorter than its manifest says; have it sent again")
        }
        try requireRoom(for: manifest.byteCount)
        let id = Identifiers.uuid()
        let place = LibraryFolder.folder(of: id)
        var session = Self.session(id, manifest, place)
        return try arrive([place]) { () throws(LibraryError) in
            try makeFolder(of: id)
            let targets = [session.subtitlePath ?? ""] + session.tracks.map(\.path)
            let places = Dictionary(
                uniqueKeysWithValues: zip(manifest.files, targets).map { ($0.entry, (file: $0, path: $1)) })
            try unpack(reader, path, places, total: manifest.byteCount, progress)
            session.cueDigest = try checkedCopy(targets[0], of: manifest.subtitles.name) {
                path throws(MediaCheck.Fault) in try check.cueDigest(path)
            }
            for (index, track) in manifest.tracks.enumerated() {
                let seconds = try checkedCopy(targets[index + 1], of: track.file.name) {
                    path throws(MediaCheck.Fault) in try check.duration(path)
                }
                session.tracks[index].copy?.duration = seconds
            }
            return try store(session, arrivedAt: [place])
        }
    }

    private static func session(_ id: String, _ manifest: SessionManifest, _ place: String) -> StoredSession {
        let chosen = manifest.tracks.firstIndex { $0.isDefault } ?? 0
        let labels = Naming.distinct(manifest.tracks.map(\.label))
        let tracks = manifest.tracks.enumerated().map { index, track in
            let trackID = Identifiers.uuid()
            return StoredSession.Track(
                id: trackID, label: labels[index],
                path: place + "/" + StoredName.track(trackID, named: track.file.name),
                isDefault: index == chosen,
                copy: .init(byteCount: track.file.byteCount, sha256: track.file.sha256, duration: 0))
        }
        return StoredSession(
            id: id, title: manifest.title, tracks: tracks,
            subtitlePath: place + "/" + StoredName.subtitles(named: manifest.subtitles.name), revision: 1,
            cueDigest: "", position: 0, activeTrackID: nil, isImported: true)
    }

    // MARK: The archive

    /// The manifest, which is the first entry.
    private static func manifest(of reader: ArchiveReader) throws(ArchiveError) -> SessionManifest {
        guard let entry = try reader.next() else { throw .foreign }
        guard entry.name == SessionManifest.entry, entry.isPlainFile else {
            throw ArchiveError("it is not a session file: it does not begin with \(SessionManifest.entry)")
        }
        guard (1...SessionManifest.maximumBytes).contains(entry.byteCount) else {
            throw ArchiveError("its manifest is longer than \(SessionManifest.maximumBytes) bytes, or empty")
        }
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: entry.byteCount, alignment: 64)
        defer { buffer.deallocate() }
        while bytes.count < entry.byteCount {
            let count = try reader.read(into: buffer)
            guard count > 0 else { throw ArchiveError("its manifest is cut off") }
            bytes += buffer[..<count]
        }
        return try SessionManifest.read(bytes)
    }

    /// Writes every entry to its place, until each has come once.
    private func unpack(
        _ reader: ArchiveReader, _ path: String, _ places: [String: (file: SessionManifest.File, path: String)],
        total: Int, _ progress: CopyProgress
    ) throws(LibraryError) {
        var missing = Set(places.keys)
        var done = 0
        while let entry = try Self.unpacking(path, { () throws(ArchiveError) in try reader.next() }) {
            let name = entry.name ?? ""
            let shown = SafeText.line(name, maximumCharacters: 64)
            guard entry.isPlainFile else { throw .unfitFile(path: path, reason: "“\(shown)” in it is no plain file") }
            guard let place = places[name] else {
                throw .unfitFile(path: path, reason: "it holds “\(shown)”, of which its manifest knows nothing")
            }
            guard missing.remove(name) != nil else { throw .unfitFile(path: path, reason: "it holds \(shown) twice") }
            guard entry.byteCount == place.file.byteCount else {
                throw .unfitFile(path: path, reason: "\(shown) in it has another size than its manifest says")
            }
            let sum = try extract(entry, reader, path, to: place.path) {
                done += $0
                progress(done, total)
            }
            guard sum == place.file.sha256 else {
                throw .unfitFile(path: path, reason: "\(shown) in it is damaged (wrong SHA-256); have it sent again")
            }
        }
        if let name = missing.min() { throw .unfitFile(path: path, reason: "\(name) is missing in it") }
    }

    /// Gives the digest of what was written.
    private func extract(
        _ entry: ArchiveReader.Entry, _ reader: ArchiveReader, _ path: String, to stored: String,
        _ progress: (Int) -> Void
    ) throws(LibraryError) -> String {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        let target = try system { () throws(SystemError) in try TargetFile(new: folder.absolute(stored)) }
        var digest = SHA256.Stream()
        var rest = entry.byteCount
        while rest > 0 {
            let count = try Self.unpacking(path) { () throws(ArchiveError) in try reader.read(into: buffer) }
            guard count > 0, count <= rest else {
                throw .unfitFile(path: path, reason: "it is cut off; have it sent again")
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            digest.update(bytes)
            try system { () throws(SystemError) in try target.write(bytes) }
            rest -= count
            progress(count)
        }
        try system { () throws(SystemError) in try target.sync() }
        return digest.hexadecimalDigest()
    }

    private static func unpacking<Output>(
        _ path: String, _ work: () throws(ArchiveError) -> Output
    ) throws(LibraryError) -> Output {
        do throws(ArchiveError) {
            return try work()
        } catch {
            throw .unfitFile(path: path, reason: SafeText.line(error.reason))
        }
    }
}
