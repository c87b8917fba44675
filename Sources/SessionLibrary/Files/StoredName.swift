internal import LinuxSystem
internal import WireProtocol

/// What a file is called in the library, whatever it was called before.
enum StoredName {
    /// Bytes a name may have on every file system of Linux (NAME_MAX).
    private static let nameBytes = 255

    static func track(_ trackID: String, named name: String) -> String {
        whole("track-\(trackID)-", name)
    }

    /// A new name each time, so that new subtitles never take the place of old ones before they are stored.
    static func subtitles(named name: String) -> String {
        whole("subtitles-\(Identifiers.uuid().prefix(8))-", name)
    }

    /// The name the file had, from the one it has in the library.
    static func original(of path: String) -> String {
        let name = last(of: path)
        for (prefix, length) in [("track-", 36), ("subtitles-", 8)] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count + length)
            if rest.first == "-", rest.count > 1 { return String(rest.dropFirst()) }
        }
        return name
    }

    /// The last part of a path.
    static func last(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    /// The last part of a path without its extension; never empty.
    static func stem(of path: String) -> String {
        let name = SafeText.line(NativePath.shown(last(of: path)))
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name.isEmpty ? "?" : name }
        return String(name[..<dot])
    }

    /// `name` without what no file name should have, cut in the middle so that with `prefix` it is short enough.
    private static func whole(_ prefix: String, _ name: String) -> String {
        // Of slashes alone there is no last part.
        let part = last(of: name)
        let isName = !part.utf8.contains(UInt8(ascii: "/"))
        let safe = isName ? SafeText.line(NativePath.shown(part), maximumCharacters: nameBytes) : "unnamed"
        let room = nameBytes - prefix.utf8.count
        guard safe.utf8.count > room else { return prefix + safe }
        let end = safe.lastIndex(of: ".").map { safe[$0...] }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        var kept = ""
        for character in safe.dropLast(end.count) {
            if kept.utf8.count + character.utf8.count + end.utf8.count > room { break }
            kept.append(character)
        }
        return prefix + kept + end
    }
}
