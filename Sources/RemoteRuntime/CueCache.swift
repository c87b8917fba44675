internal import LinuxSystem
internal import WireProtocol

/// Cue bundles kept on disk, so that a remote that comes back needs no download.
struct CueCache {
    /// Files kept: a person has few films at hand, and a bundle is 20 to 80 KB.
    private static let capacity = 8
    private static let maximumFileBytes = 8 << 20

    private let folder: String

    init(folder: String) {
        self.folder = folder
    }

    /// The cues of a session, if they are here and undamaged; a damaged file counts as none.
    func cues(sessionID: String, digest: String) -> [Cue]? {
        guard let bytes = try? Files.read(path(sessionID, digest), maximumBytes: Self.maximumFileBytes),
            let bundle = try? CueBundle(gzip: bytes), bundle.sessionID == sessionID,
            CueBundle.digest(of: bundle.cues) == digest
        else { return nil }
        return bundle.cues
    }

    /// Keeps a bundle; where it cannot, the next run downloads again.
    func store(_ bundle: CueBundle, digest: String) {
        try? Files.makeDirectory(folder)
        try? Files.replace(path(bundle.sessionID, digest), with: Gzip.compress(bundle.json))
        evict()
    }

    /// Names made by hashing: neither part can lead out of the folder.
    private func path(_ sessionID: String, _ digest: String) -> String {
        folder + "/cues-" + SHA256.hexadecimalDigest(of: Array("\(sessionID)\n\(digest)".utf8)) + ".json.gz"
    }

    private func evict() {
        let paths = Files.names(in: folder).filter { $0.hasPrefix("cues-") && $0.hasSuffix(".json.gz") }
            .map { folder + "/" + $0 }
        let byAge = paths.sorted { Files.modified($0) > Files.modified($1) }
        for path in byAge.dropFirst(Self.capacity) { Files.remove(path) }
    }
}
