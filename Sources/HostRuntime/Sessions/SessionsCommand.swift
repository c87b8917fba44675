internal import LinuxSystem
internal import Playback
internal import SessionLibrary
internal import TerminalUI
internal import WireProtocol

/// `allspeak-host sessions`.
struct SessionsCommand {
    let invocation: Invocation
    let library: SessionLibrary
    let console = Console.standard

    var operands: [String] { invocation.operands }
    var isJSON: Bool { invocation.switches.contains("--json") }

    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        guard let name = invocation.subcommand else {
            throw HostSyntax.program.usage("sessions is followed by a command", of: HostSyntax.sessions)
        }
        try checkArguments(name, invocation)
        let library = try OpenedSession.openLibrary(try DataFolder.path(invocation))
        let command = SessionsCommand(invocation: invocation, library: library)
        if let repair = library.repair { command.console.warn(repair.sentence + ".") }
        switch name {
        case "list": try command.list()
        case "show": try command.tell(command.session())
        case "add": try command.add()
        case "rename": try command.rename()
        case "delete": try command.delete()
        case "add-track": try command.addTracks()
        case "remove-track": try command.removeTrack()
        case "set-default": try command.setDefault()
        case "replace-subtitles": try command.replaceSubtitles()
        case "export": try command.export()
        case "import": return try command.importAll()
        default: throw Failure(.bug, "There is no sessions \(name).")
        }
        return .success
    }

    /// What is wrong with the words is told before the library is touched.
    private static func checkArguments(_ name: String, _ invocation: Invocation) throws(Failure) {
        let count = invocation.operands.count
        let fits: Bool
        let wanted: String
        switch name {
        case "list": (fits, wanted) = (count == 0, "nothing")
        case "add": (fits, wanted) = (count == 0, "options only")
        case "show": (fits, wanted) = (count == 1, "one SESSION")
        case "rename": (fits, wanted) = (count == 2, "a SESSION and a TITLE")
        case "remove-track", "set-default": (fits, wanted) = (count == 2, "a SESSION and a TRACK")
        case "delete": (fits, wanted) = (count >= 1, "a SESSION")
        case "add-track": (fits, wanted) = (count == 1, "a SESSION, and --audio FILE")
        case "replace-subtitles":
            let given = invocation.value("--subtitles") == nil ? 0 : 1
            (fits, wanted) = (count + given == 2 && count >= 1, "a SESSION and a FILE")
        case "export": (fits, wanted) = ((1...2).contains(count), "a SESSION and a FILE, or a DIR")
        default: (fits, wanted) = (count >= 1, "a FILE")
        }
        guard fits else { throw usage("sessions \(name) takes \(wanted)", name) }
        let titles =
            name == "rename" ? [invocation.operands[1]] : name == "add" ? invocation.values["--title"] ?? [] : []
        if titles.contains(where: { SafeText.line($0).isEmpty }) {
            throw usage("a title shows at least one character", name)
        }
        _ = try CuesCommand.encoding(invocation, of: HostSyntax.sessions.subcommands.first { $0.name == name })
        if ["add", "add-track"].contains(name), invocation.value("--audio") == nil {
            throw usage("--audio FILE is missing", name)
        }
        if name == "add", invocation.value("--subtitles") == nil {
            throw usage("--subtitles FILE is missing: remotes steer by its lines", name)
        }
    }

    private static func usage(_ problem: String, _ name: String) -> Failure {
        HostSyntax.program.usage(problem, of: HostSyntax.sessions.subcommands.first { $0.name == name })
    }

    // MARK: Looking

    private func list() throws(Failure) {
        let sessions = try asFailure { () throws(LibraryError) in try library.list() }
        if isJSON { return console.say(json: .array(sessions.map(SessionText.json))) }
        if sessions.isEmpty {
            console.say("There is no film yet: allspeak-host sessions add --title … --audio … --subtitles …")
        }
        for session in sessions { console.say(SessionText.line(session, console)) }
    }

    /// The session that the first operand means.
    func session() throws(Failure) -> StoredSession {
        try asFailure { () throws(LibraryError) in try library.find(operands[0]) }
    }

    /// Tells of a session: all of it, or a sentence before its id.
    func tell(_ session: StoredSession, _ sentence: String? = nil) {
        if isJSON { return console.say(json: SessionText.json(session)) }
        guard let sentence else { return SessionText.lines(session, console).forEach(console.say) }
        console.say(sentence)
    }

    func asFailure<Result>(_ body: () throws(LibraryError) -> Result) throws(Failure) -> Result {
        try OpenedSession.asFailure(body)
    }

    /// Does what takes a while, with a bar that tells how far it is.
    func withProgress<Result>(
        _ words: String, _ body: (CopyProgress) throws(LibraryError) -> Result
    ) throws(Failure) -> Result {
        var line = ProgressLine(words, isShown: !isJSON)
        defer { line.finish() }
        return try asFailure { () throws(LibraryError) in try body { line.update($0, of: $1) } }
    }
}
