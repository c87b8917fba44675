internal import LinuxSystem
internal import Playback
internal import SessionLibrary
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// Commands that change the library.
extension SessionsCommand {
    private var tracks: [NewTrack] {
        (invocation.values["--audio"] ?? []).map(PlayOptions.audio).map { NewTrack(path: $0.path, label: $0.label) }
    }

    private var check: MediaCheck { .real(encoding: invocation.value(HostSyntax.encoding.name)) }

    func add() throws(Failure) {
        let new = NewSession(
            title: invocation.value("--title"), tracks: tracks,
            subtitles: Files.absolute(invocation.value("--subtitles") ?? ""))
        let session = try withProgress("Copying") { progress throws(LibraryError) in
            try library.add(new, checkedBy: check, progress)
        }
        if new.tracks.count > session.tracks.count, !isJSON {
            console.say("A file given twice was added once.")
        }
        tell(session, "Added \(name(session)): allspeak-host play \(session.id.prefix(8))")
        tellRepairs(session, of: invocation.value("--subtitles") ?? "")
    }

    func rename() throws(Failure) {
        let old = try session()
        let session = try asFailure { () throws(LibraryError) in try library.rename(old.id, to: operands[1]) }
        tell(session, "Renamed \(name(old)) to \(name(session)).")
    }

    func delete() throws(Failure) {
        // All are found before the first is gone.
        var found: [StoredSession] = []
        for query in operands {
            let session = try asFailure { () throws(LibraryError) in try library.find(query) }
            if !found.contains(where: { $0.id == session.id }) { found.append(session) }
        }
        for session in found {
            try asFailure { () throws(LibraryError) in try library.delete(session.id) }
            if !isJSON { console.say("Deleted \(name(session)).") }
        }
        if isJSON { console.say(json: .object([.init("deleted", .array(found.map { .string($0.id) }))])) }
    }

    // MARK: Tracks

    func addTracks() throws(Failure) {
        let old = try session()
        let tracks = self.tracks
        let session = try withProgress("Copying") { progress throws(LibraryError) in
            try library.addTracks(tracks, to: old.id, checkedBy: .real, progress)
        }
        let known = Set(old.tracks.map(\.id))
        let added = session.tracks.filter { !known.contains($0.id) }.map { "“\(SafeText.line($0.label))”" }
        tell(
            session,
            added.isEmpty
                ? "\(name(session)) has had that already."
                : "Added \(added.joined(separator: ", ")) to \(name(session)).")
    }

    func removeTrack() throws(Failure) {
        let old = try session()
        let session = try asFailure { () throws(LibraryError) in try library.removeTrack(operands[1], of: old.id) }
        let kept = Set(session.tracks.map(\.id))
        let removed = old.tracks.filter { !kept.contains($0.id) }.map { "“\(SafeText.line($0.label))”" }
        tell(session, "Removed \(removed.joined(separator: ", ")) from \(name(session)).")
    }

    func setDefault() throws(Failure) {
        let old = try session()
        let session = try asFailure { () throws(LibraryError) in try library.setDefault(operands[1], of: old.id) }
        let label = session.tracks.first { $0.isDefault }?.label ?? ""
        tell(session, "\(name(session)) begins with “\(SafeText.line(label))”.")
    }

    // MARK: Subtitles

    func replaceSubtitles() throws(Failure) {
        let old = try session()
        let path = Files.absolute(invocation.value("--subtitles") ?? operands[1])
        let session = try asFailure { () throws(LibraryError) in
            try library.replaceSubtitles(of: old.id, by: path, checkedBy: check)
        }
        let isSame = session.revision == old.revision
        tell(
            session,
            isSame
                ? "Replaced the subtitles of \(name(session)); their lines are the same."
                : "Replaced the subtitles of \(name(session)).")
        tellRepairs(session, of: invocation.value("--subtitles") ?? operands[1])
    }

    /// What was mended or guessed in the subtitles that were copied, on standard error.
    private func tellRepairs(_ session: StoredSession, of path: String) {
        guard let stored = session.subtitlePath, let document = try? SubtitleFile.read(stored),
            document.repairCount > 0
        else { return }
        let mended = document.repairCount - (document.isEncodingGuessed ? 1 : 0)
        var words: [String] = []
        if mended > 0 { words.append(mended == 1 ? "1 place was mended" : "\(mended) places were mended") }
        if document.isEncodingGuessed { words.append("the encoding was guessed as \(document.encoding)") }
        console.warn(
            "Of the subtitles \(words.joined(separator: ", and ")): allspeak-host cues \(SafeText.line(NativePath.shown(path))) tells more."
        )
    }

    func name(_ session: StoredSession) -> String { "“\(SafeText.line(session.title))”" }
}
