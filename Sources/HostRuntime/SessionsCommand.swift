internal import Playback
internal import SessionLibrary
internal import TerminalUI
internal import WireProtocol

/// `allspeak-host sessions`.
enum SessionsCommand {
    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        guard invocation.operands == ["list"] else {
            throw HostSyntax.program.usage("sessions is followed by list", of: HostSyntax.sessions)
        }
        let library = try OpenedSession.openLibrary(DataFolder.path(invocation))
        let sessions = try OpenedSession.asFailure { () throws(LibraryError) in try library.list() }
        let console = Console.standard
        if invocation.switches.contains("--json") {
            console.say(json: .array(sessions.map(json)))
            return .success
        }
        if sessions.isEmpty { console.say("No film has been opened here yet: allspeak-host play --audio …") }
        for session in sessions {
            let labels = session.tracks.map { SafeText.line($0.label) }.joined(separator: ", ")
            let title = console.bold(SafeText.line(session.title))
            console.say("\(session.id.prefix(8))  \(title)  at \(TimeText.elapsed(session.position))  \(labels)")
        }
        return .success
    }

    private static func json(_ session: StoredSession) -> JSONValue {
        .object([
            .init("id", .string(session.id)), .init("title", .string(session.title)),
            .init("position", .number(session.position)),
            .init(
                "tracks",
                .array(
                    session.tracks.map {
                        .object([
                            .init("id", .string($0.id)), .init("label", .string($0.label)),
                            .init("path", .string($0.path)),
                        ])
                    })),
            .init("subtitles", session.subtitlePath.map { .string($0) } ?? .null),
        ])
    }
}
