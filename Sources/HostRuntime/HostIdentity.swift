internal import LinuxSystem
internal import WireProtocol

/// Who this host is to remotes: a random id that stays, and a name for people.
struct HostIdentity {
    var id: String
    var name: String

    /// Reads the id kept in `folder`, or makes one; where it cannot be kept, it lasts for this run.
    ///
    /// A host that does not have `folder` to itself gets an id for this run, or remotes would take the two for one.
    init(folder: String, name: String?, isAlone: Bool) {
        self.name = SafeText.line(name ?? Environment.hostName, maximumCharacters: Limits.nameCharacters)
        let path = folder + "/host-id"
        guard isAlone else {
            id = Self.fresh()
            return
        }
        if let bytes = try? Files.read(path, maximumBytes: 64), let kept = Self.valid(bytes) {
            id = kept
            return
        }
        id = Self.fresh()
        try? Files.makeDirectory(folder)
        try? Files.replace(path, with: Array((id + "\n").utf8))
    }

    /// Takes `folder` for this process's life; `false` when another host has it.
    static func claim(_ folder: String) -> Bool {
        try? Files.makeDirectory(folder)
        // Where nothing can be written, nothing is shared either.
        return (try? Files.lockForThisProcess(folder + "/host-id.lock")) ?? true
    }

    /// Sixteen letters and digits: 80 random bits, short enough for a TXT record.
    private static func fresh() -> String {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        return String(decoding: Identifiers.randomBytes(16).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    private static func valid(_ bytes: [UInt8]) -> String? {
        let id = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        let isPlain = id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        return id.count == 16 && isPlain ? id : nil
    }
}
