internal import Conformance
internal import LinuxSystem
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-conformance host`: replays recordings against a running host, or against ours in this process.
enum HostCommand {
    private static let defaultPort: UInt16 = 42557

    static let recordings = OptionSyntax(
        "--recordings", "DIR|FILE",
        "what to replay (default: \(RecordingFiles.standardFolder), seen from the current folder)")
    static let only = OptionSyntax("--only", "NAME", "this recording only; may be given several times")
    static let stage = OptionSyntax(
        "--stage", "COMMAND", "a program that does what no remote can, called with the event's words")
    static let long = OptionSyntax("--long", nil, "also replay what waits for limits of tens of seconds")
    static let inProcess = OptionSyntax(
        "--in-process", nil, "try this project's own host, on virtual time, in place of an ADDRESS")

    static let syntax = CommandSyntax(
        "host", operands: "ADDRESS[:PORT]",
        summary: "Replays recorded command streams against a host, and tells what it answers wrongly.",
        options: [recordings, only, stage, long, inProcess, ConformanceSyntax.report, ConformanceSyntax.json])

    /// - Throws: `Failure` where there is nothing to replay or nobody to try.
    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let operand = invocation.operands.first
        let isInProcess = invocation.switches.contains(inProcess.name)
        guard invocation.operands.count == (isInProcess ? 0 : 1) else {
            throw usage(isInProcess ? "\(inProcess.name) takes no ADDRESS" : "Name one host: ADDRESS or ADDRESS:PORT")
        }
        if isInProcess, invocation.value(stage.name) != nil { throw usage("\(inProcess.name) has a stage of its own") }
        let recordings = try RecordingFiles.read(
            invocation.value(Self.recordings.name), only: invocation.values[only.name] ?? [])
        let printer = try ReportPrinter("host \(operand.map { SafeText.line($0) } ?? "in process")", invocation)
        if let operand {
            try tryHost(at: operand, recordings, invocation, printer)
        } else {
            var trial = VirtualTrial(recordings)
            trial.checks(printer.add)
        }
        return try printer.finish()
    }

    private static func tryHost(
        at operand: String, _ recordings: [Recording], _ invocation: Invocation, _ printer: ReportPrinter
    ) throws(Failure) {
        let host = try endpoints(operand)
        try knock(at: host, operand)
        let loop = try eventLoop()
        let stage = try StageCommand(invocation.value(Self.stage.name), loop: loop)
        var pace = ReplayPace.realTime
        pace.takesLongOnes = invocation.switches.contains(long.name)
        let trial = HostTrial(recordings, host: host, stage: stage, pace: pace, loop: loop, onCheck: printer.add)
        withExtendedLifetime(trial) { trial.runToEnd() }
    }

    private static func eventLoop() throws(Failure) -> EventLoop {
        do throws(SystemError) {
            return try EventLoop()
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence).")
        }
    }

    /// Connects once, so that a host that is not there is told of once and not for each recording.
    ///
    /// - Throws: `Failure` with code `unavailable` where nobody listens.
    private static func knock(at host: [Endpoint], _ operand: String) throws(Failure) {
        let loop = try eventLoop()
        var answer: Result<Channel, SystemError>?
        let connector = Connector(to: host, loop: loop) { result in
            answer = result
            loop.stop()
        }
        withExtendedLifetime(connector) { loop.run() }
        switch answer {
        case .success(let channel): channel.close()
        case .failure(let error):
            throw Failure(.unavailable, "No host answers at \(SafeText.line(operand)): \(error.reason).")
        case nil: throw Failure(.unavailable, "No host answers at \(SafeText.line(operand)).")
        }
    }

    static func usage(_ problem: String) -> Failure {
        ConformanceSyntax.program.usage(problem, of: syntax)
    }

    /// `127.0.0.1`, `127.0.0.1:42557`, `[::1]:42557`, `::1` or a name.
    static func endpoints(_ text: String) throws(Failure) -> [Endpoint] {
        var (name, port) = (text, defaultPort)
        let colons = text.count { $0 == ":" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            name = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if !rest.isEmpty { port = try portNumber(rest.dropFirst(), of: text) }
        } else if colons == 1, let colon = text.firstIndex(of: ":") {
            name = String(text[..<colon])
            port = try portNumber(text[text.index(after: colon)...], of: text)
        }
        do throws(ResolutionError) {
            return try Endpoint.resolve(name, port: port)
        } catch {
            throw Failure(.unavailable, "\(SafeText.line(name)) is not to be found: \(error.reason).")
        }
    }

    private static func portNumber(_ text: Substring, of operand: String) throws(Failure) -> UInt16 {
        guard let number = UInt16(text) else { throw usage("\(SafeText.line(operand)) has no port that is a number") }
        return number
    }
}
