internal import LinuxSystem
internal import Playback
internal import TerminalUI
internal import TextScreen
internal import WireProtocol

/// A stored session for a person, and for a program.
enum SessionText {
    static func json(_ session: StoredSession) -> JSONValue {
        .object([
            .init("id", .string(session.id)), .init("title", .string(session.title)),
            .init("position", .number(session.position.isFinite ? session.position : 0)),
            .init("tracks", .array(session.tracks.map { json($0, of: session) })),
            .init("subtitles", session.subtitlePath.map { .string($0) } ?? .null),
            .init("revision", .integer(session.revision)), .init("cueDigest", .string(session.cueDigest)),
            .init("imported", .bool(session.isImported)), .init("missing", .bool(isMissingAny(session))),
        ])
    }

    private static func json(_ track: StoredSession.Track, of session: StoredSession) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(track.id)), .init("label", .string(track.label)), .init("path", .string(track.path)),
            .init("default", .bool(track.isDefault)), .init("active", .bool(track.id == session.startTrackID)),
            .init("missing", .bool(!Files.exists(track.path))),
        ]
        if let copy = track.copy {
            members += [
                .init("duration", .number(copy.duration)), .init("bytes", .integer(copy.byteCount)),
                .init("sha256", .string(copy.sha256)),
            ]
        }
        return .object(members)
    }

    /// One line of the list.
    static func line(_ session: StoredSession, _ console: Console) -> String {
        let labels = session.tracks.map { SafeText.line($0.label) }.joined(separator: ", ")
        let title = console.bold(SafeText.line(session.title))
        return "\(session.id.prefix(8))  \(title)  at \(TimeText.elapsed(session.position))  \(labels)"
            + (isMissingAny(session) ? "  (files are missing)" : "")
    }

    /// Whether a file that the film needs is not there.
    static func isMissingAny(_ session: StoredSession) -> Bool {
        !session.tracks.allSatisfy { Files.exists($0.path) } || session.subtitlePath.map(Files.exists) != true
    }

    /// Everything, a line for each thing.
    static func lines(_ session: StoredSession, _ console: Console) -> [String] {
        var lines = [
            console.bold(SafeText.line(session.title)), "  id         \(session.id)",
            "  position   \(TimeText.elapsed(session.position))",
        ]
        for (place, track) in session.tracks.enumerated() {
            var words = ["\(place + 1)", SafeText.line(track.label)]
            if let copy = track.copy {
                words.append("(\(TimeText.elapsed(copy.duration)), \(ByteText.size(copy.byteCount)))")
            }
            if track.isDefault { words.append("default") }
            if track.id == session.activeTrackID, session.tracks.count > 1 { words.append("heard last") }
            words.append("id \(track.id.prefix(8))")
            lines.append("  track      " + words.joined(separator: "  "))
            lines.append("             " + shown(track.path))
        }
        lines.append("  subtitles  " + (session.subtitlePath.map(shown) ?? "none"))
        if !session.isImported { lines.append("  " + whereFilesLie(session)) }
        return lines
    }

    private static func whereFilesLie(_ session: StoredSession) -> String {
        let folder = "/sessions/\(session.id)/"
        let paths = session.tracks.map(\.path) + (session.subtitlePath.map { [$0] } ?? [])
        return paths.contains { $0.contains(folder) }
            ? "What was added later is a copy in the library; the other files lie where you have them."
            : "The files lie where you have them; nothing was copied."
    }

    private static func shown(_ path: String) -> String {
        SafeText.line(NativePath.shown(path), maximumCharacters: 4_096) + (Files.exists(path) ? "" : "  (missing)")
    }
}
