internal import LinuxSystem
internal import Playback
internal import SessionLibrary
internal import TerminalUI
internal import WireProtocol

/// Giving films away and taking them in.
extension SessionsCommand {
    static let fileExtension = ".allspeak"

    func export() throws(Failure) {
        guard operands.count == 1 else { return try export(session(), to: Files.absolute(operands[1])) }
        let target = plain(Files.absolute(operands[0]))
        guard target.hasSuffix(Self.fileExtension) else {
            try requireNoSession()
            return try backUp(to: target)
        }
        let sessions = try asFailure { () throws(LibraryError) in try library.list() }
        guard let only = sessions.first, sessions.count == 1 else {
            throw Failure(
                .usage,
                "There are \(sessions.count) films; name the one to export: allspeak-host sessions export SESSION \(SafeText.line(operands[0]))"
            )
        }
        try export(only, to: target)
    }

    /// One word that means a film is no folder: the whole library is copied only on purpose.
    private func requireNoSession() throws(Failure) {
        let word = operands[0]
        guard !Files.isFolder(Files.absolute(word)) else { return }
        let film: StoredSession
        do throws(LibraryError) {
            film = try library.find(word)
        } catch {
            if case .noSession = error { return }
            throw OpenedSession.failure(error)
        }
        throw Failure(
            .usage,
            "To which file? allspeak-host sessions export \(film.id.prefix(8)) FILE\(Self.fileExtension) exports \(name(film)); to copy the whole library into a folder of that name, write ./ before it."
        )
    }

    /// Into `target`, or into a file named after the film where that is a folder.
    private func export(_ session: StoredSession, to target: String) throws(Failure) {
        let path = Files.isFolder(target) ? plain(target) + "/" + fileName(session) : target
        try withProgress("Exporting") { progress throws(LibraryError) in
            try library.export(session, to: path, progress)
        }
        say("Exported \(name(session)) to \(shown(path)).", path)
    }

    private func backUp(to target: String) throws(Failure) {
        try withProgress("Copying") { progress throws(LibraryError) in try library.backUp(to: target, progress) }
        say("Copied the whole library to \(shown(target)); use it with --data, or with sessions import.", target)
    }

    private func say(_ sentence: String, _ path: String) {
        if isJSON { return console.say(json: .object([.init("path", .string(path))])) }
        console.say(sentence)
    }

    /// A folder's path without `/` and `/.` at its end.
    private func plain(_ folder: String) -> String {
        var path = folder
        while path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        return path.isEmpty ? "/" : path
    }

    private func fileName(_ session: StoredSession) -> String {
        let title = session.title.split { $0.utf8.contains(UInt8(ascii: "/")) || $0 == "\\" }.joined(separator: "-")
        var name = ""
        for character in SafeText.line(title) where name.utf8.count + character.utf8.count <= 200 {
            name.append(character)
        }
        return (name.isEmpty || name.first == "." ? "_" : "") + name + Self.fileExtension
    }

    private func shown(_ path: String) -> String {
        SafeText.line(NativePath.shown(path), maximumCharacters: 4_096)
    }

    // MARK: Import

    /// Takes in one after the other; what failed is told, and the others are taken in all the same.
    func importAll() throws(Failure) -> ExitCode {
        var results: [JSONValue] = []
        var code = ExitCode.success
        for operand in operands {
            let path = Files.absolute(operand)
            do throws(Failure) {
                if Files.isFolder(path) {
                    try importLibrary(path, into: &results)
                } else {
                    let session = try withProgress("Importing") { progress throws(LibraryError) in
                        try library.importSession(from: path, checkedBy: .real, progress)
                    }
                    told(session, in: &results)
                }
            } catch {
                code = error.code
                results.append(Failures.json(error))
                if !isJSON { console.warn("allspeak-host: " + error.message) }
            }
        }
        if isJSON { console.say(json: .array(results)) }
        return code
    }

    /// Every film of another library, with its position.
    private func importLibrary(_ path: String, into results: inout [JSONValue]) throws(Failure) {
        guard SessionLibrary.isLibrary(path) else {
            throw Failure(
                .badData, "\(shown(path)) holds no library. Give a file, or a folder made by sessions export.")
        }
        let films = try asFailure { () throws(LibraryError) in try SessionLibrary.sessions(ofLibraryAt: path) }
        for film in films.reversed() {
            let session = try withProgress("Importing") { progress throws(LibraryError) in
                try library.addCopy(of: film, checkedBy: .real, progress)
            }
            told(session, in: &results)
        }
    }

    private func told(_ session: StoredSession, in results: inout [JSONValue]) {
        results.append(SessionText.json(session))
        guard !isJSON else { return }
        console.say("Added \(name(session)): allspeak-host play \(session.id.prefix(8))")
    }
}
