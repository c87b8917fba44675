internal import WireProtocol

/// What stands first in a session file: `manifest.json` (Protocol/session-file.md).
struct SessionManifest: Equatable, Sendable {
    /// A file of the archive.
    struct File: Equatable, Sendable {
        /// Its entry.
        var entry: String
        /// What it was called; free text.
        var name: String
        var byteCount: Int
        /// 64 lower-case hexadecimal digits.
        var sha256: String
    }

    struct Track: Equatable, Sendable {
        var file: File
        var label: String
        var isDefault: Bool
    }

    static let format = "allspeak-session"
    static let version = 1
    static let entry = "manifest.json"
    /// Bytes of the largest manifest read.
    static let maximumBytes = 1 << 18
    /// Bytes of the largest file of an archive: a day of uncompressed 48 kHz stereo has 17 GB.
    private static let maximumFileBytes = 1 << 36

    var title: String
    var subtitles: File
    /// At least one.
    var tracks: [Track]

    var files: [File] { [subtitles] + tracks.map(\.file) }
    var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }

    // MARK: Writing

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.value(
            .object([
                .init("format", .string(Self.format)), .init("version", .integer(Self.version)),
                .init("title", .string(title)), .init("subtitles", .object(Self.members(subtitles))),
                .init(
                    "tracks",
                    .array(
                        tracks.map {
                            .object(
                                Self.members($0.file) + [
                                    .init("label", .string($0.label)), .init("default", .bool($0.isDefault)),
                                ])
                        })),
            ]))
        return writer.bytes
    }

    private static func members(_ file: File) -> [JSONValue.Member] {
        [
            .init("file", .string(file.entry)), .init("name", .string(file.name)),
            .init("bytes", .integer(file.byteCount)), .init("sha256", .string(file.sha256)),
        ]
    }

    // MARK: Reading

    /// - Throws: `ArchiveError` that says what is wrong; unknown members are passed over.
    static func read(_ bytes: [UInt8]) throws(ArchiveError) -> SessionManifest {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.value(of: bytes)
        } catch {
            throw ArchiveError("its manifest is not JSON")
        }
        guard json["format"]?.stringValue == format else { throw ArchiveError("it is not a session file") }
        guard let version = json["version"]?.integerValue else { throw ArchiveError("its manifest has no version") }
        guard version == Self.version else {
            throw ArchiveError("it has version \(version) of the format, and this program reads \(Self.version)")
        }
        guard let title = Naming.title(json["title"]?.stringValue) else {
            throw ArchiveError("its manifest has no title")
        }
        guard let subtitles = json["subtitles"] else { throw ArchiveError("its manifest has no subtitles") }
        guard let list = json["tracks"]?.arrayValue, (1...SessionLibrary.maximumTracks).contains(list.count) else {
            throw ArchiveError("its manifest has not 1 to \(SessionLibrary.maximumTracks) tracks")
        }
        var tracks: [Track] = []
        for track in list {
            guard let label = Naming.label(track["label"]?.stringValue) else {
                throw ArchiveError("a track of its manifest has no label")
            }
            tracks.append(
                Track(file: try file(track), label: label, isDefault: track["default"]?.boolValue ?? false))
        }
        let manifest = SessionManifest(title: title, subtitles: try file(subtitles), tracks: tracks)
        guard Set(manifest.files.map(\.entry)).count == manifest.files.count else {
            throw ArchiveError("its manifest names one file twice")
        }
        return manifest
    }

    private static func file(_ json: JSONValue) throws(ArchiveError) -> File {
        guard let entry = json["file"]?.stringValue, isPlain(entry), entry != Self.entry else {
            throw ArchiveError("its manifest names a file as no file may be named")
        }
        guard let bytes = json["bytes"]?.integerValue, (0...maximumFileBytes).contains(bytes) else {
            throw ArchiveError("its manifest has no size for \(entry)")
        }
        guard let sum = json["sha256"]?.stringValue, sum.utf8.count == 64, sum.utf8.allSatisfy(isHexadecimal) else {
            throw ArchiveError("its manifest has no SHA-256 for \(entry)")
        }
        return File(entry: entry, name: json["name"]?.stringValue ?? entry, byteCount: bytes, sha256: sum)
    }

    /// Letters, digits, `-`, `_` and dots that are not the first: no path, and no name that another system reads otherwise.
    static func isPlain(_ entry: String) -> Bool {
        (1...64).contains(entry.utf8.count) && entry.utf8.first != UInt8(ascii: ".")
            && entry.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
            }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
