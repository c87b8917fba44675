internal import Charset
internal import CueSearch
internal import LinuxSystem
internal import Subtitles
internal import TerminalUI
internal import TextScreen
internal import WireProtocol

/// `allspeak-host cues FILE`.
enum CuesCommand {
    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let words = invocation.value("--find")
        guard invocation.operands.count == 1 else {
            let isSplit = words != nil && invocation.operands.count > 1
            throw HostSyntax.program.usage(
                isSplit ? "cues takes one FILE; quote the words: --find \"TWO WORDS\"" : "cues takes one FILE",
                of: HostSyntax.cues)
        }
        if let words, !CueIndex.canFind(words) {
            throw HostSyntax.program.usage("Give a word to find: --find WORDS", of: HostSyntax.cues)
        }
        let encoding = try Self.encoding(invocation, of: HostSyntax.cues)
        let console = Console.standard
        let isJSON = invocation.switches.contains("--json")
        let document = try read(invocation.operands[0], encoding)
        var cues = document.cues
        if words == nil { for repair in document.repairs { console.warn("line \(repair.line): \(repair.sentence)") } }
        if let words {
            cues = CueIndex(cues).find(words).map { cues[$0.place] }
            if cues.isEmpty { console.warn("No line has all of “\(SafeText.line(words))”.") }
        }
        if isJSON {
            console.say(String(decoding: CueBundle.cuesJSON(cues), as: UTF8.self))
        } else {
            console.say(lines: cues.map { "\($0.index)  \(TimeText.elapsed($0.start))  \(SafeText.line($0.text))" })
        }
        return .success
    }

    /// What `--encoding` names, if it is given.
    static func encoding(_ invocation: Invocation, of command: CommandSyntax?) throws(Failure) -> String? {
        guard let encoding = invocation.value(HostSyntax.encoding.name) else { return nil }
        guard SystemCodePages().knows(encoding) else {
            let name = SafeText.line(encoding)
            throw HostSyntax.program.usage("There is no encoding “\(name)” (iconv -l lists them)", of: command)
        }
        return encoding
    }

    private static func read(_ file: String, _ encoding: String?) throws(Failure) -> SubtitleDocument {
        do throws(Failure) {
            return try SubtitleFile.read(Files.absolute(file), encoding: encoding)
        } catch {
            guard let encoding else { throw error }
            throw Failure(
                error.code, "\(error.message) Or it is not in \(SafeText.line(encoding)): try without --encoding.")
        }
    }
}
