internal import Charset
internal import CueSearch
internal import LinuxSystem
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// `allspeak-host cues FILE`.
enum CuesCommand {
    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        guard invocation.operands.count == 1 else {
            throw HostSyntax.program.usage("cues takes one FILE", of: HostSyntax.cues)
        }
        let encoding = invocation.value("--encoding")
        if let encoding, !SystemCodePages().knows(encoding) {
            let name = SafeText.line(encoding)
            throw HostSyntax.program.usage(
                "There is no encoding “\(name)” (iconv -l lists them)", of: HostSyntax.cues)
        }
        let console = Console.standard
        let isJSON = invocation.switches.contains("--json")
        let document: SubtitleDocument
        do throws(Failure) {
            document = try SubtitleFile.read(Files.absolute(invocation.operands[0]), encoding: encoding)
        } catch {
            if isJSON { console.say(json: .object([.init("error", .string(error.message))])) }
            if isJSON { return error.code }
            throw error
        }
        for repair in document.repairs { console.warn("line \(repair.line): \(repair.sentence)") }
        var cues = document.cues
        if let words = invocation.value("--find") {
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
}
