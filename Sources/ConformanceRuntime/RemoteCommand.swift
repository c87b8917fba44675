internal import Conformance
internal import Glibc
internal import LinuxSystem
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-conformance remote`: plays the host against a remote and judges what it sends and shows.
struct RemoteCommand {
    static let withoutKeyboard = OptionSyntax("--no-keyboard", nil, "the remote takes no typed words: only watch it")
    static let only = OptionSyntax("--only", "TRIAL", "play only this trial; may be repeated")
    static let attempts = OptionSyntax(
        "--attempts", "N", "play a trial at most N times until its durations are right (default: 3)")
    static let inProcess = OptionSyntax(
        "--in-process", nil, "try this project's own remote machine, on virtual time, in place of a COMMAND")

    static let syntax = CommandSyntax(
        "remote", operands: "-- COMMAND…",
        summary: "Tries a remote: COMMAND is started with {host} and {port} replaced (Protocol/conformance.md).",
        options: [withoutKeyboard, only, attempts, inProcess, ConformanceSyntax.report, ConformanceSyntax.json])

    private let trials: [Trial]
    private let skipped: [Trial]
    private let command: [String]
    private let attempts: Int

    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let trials = try RemoteCommand(invocation)
        let subject = trials.command.isEmpty ? "remote in process" : "remote \(trials.command.joined(separator: " "))"
        let printer = try ReportPrinter(SafeText.line(subject), invocation)
        try trials.run(printer)
        return try printer.finish()
    }

    private init(_ invocation: Invocation) throws(Failure) {
        command = invocation.operands
        let isInProcess = invocation.switches.contains(Self.inProcess.name)
        guard command.isEmpty == isInProcess else {
            throw ConformanceSyntax.program.usage(
                isInProcess ? "--in-process takes no COMMAND" : "remote needs a COMMAND after --", of: Self.syntax)
        }
        var wanted = Trial.all
        if let names = invocation.values[Self.only.name] {
            wanted = wanted.filter { names.contains($0.name) }
            if let unknown = names.first(where: { name in !wanted.contains { $0.name == name } }) {
                throw ConformanceSyntax.program.usage(
                    "There is no trial \(unknown); there are: "
                        + Trial.all.map(\.name).joined(separator: ", "), of: Self.syntax)
            }
        }
        let count = invocation.value(Self.attempts.name).map { Int($0) ?? 0 } ?? RemoteTrials.usualAttempts
        guard (1...100).contains(count) else {
            throw ConformanceSyntax.program.usage("--attempts takes a number from 1 to 100", of: Self.syntax)
        }
        attempts = count
        let isPassive = invocation.switches.contains(Self.withoutKeyboard.name)
        trials = wanted.filter { !isPassive || $0.need == .nothing }
        skipped = wanted.filter { isPassive && $0.need != .nothing }
    }

    private func run(_ printer: ReportPrinter) throws(Failure) {
        func tell(_ checks: [Check]) { checks.forEach(printer.add) }
        let plays = try command.isEmpty ? playInProcess(tell) : play(tell)
        tell(LineRules.checks(of: plays))
        for trial in skipped { tell(trial.skipped("it needs a keyboard")) }
    }

    private func playInProcess(_ tell: ([Check]) -> Void) -> [TrialMachine] {
        trials.map { trial in
            let play = VirtualPlay.play(trial)
            tell(play.checks)
            return play
        }
    }

    private func play(_ tell: @escaping ([Check]) -> Void) throws(Failure) -> [TrialMachine] {
        let folder = try Self.temporaryFolder()
        defer { Files.removeTree(folder) }
        do throws(SystemError) {
            let loop = try EventLoop()
            let run = RemoteTrials(trials, command: command, attempts: attempts, folder: folder, loop: loop)
            var isInterrupted = false
            let signals = try SignalWatch(SignalWatch.termination, loop: loop) { _ in
                isInterrupted = true
                run.stop()
            }
            defer { withExtendedLifetime(signals) {} }
            run.onChecks = tell
            run.run()
            if let failure = run.failure { throw failure }
            if isInterrupted { throw SystemError("run", errno: EINTR) }
            return run.finished
        } catch {
            throw Failure(.unavailable, "The remote cannot be tried: \(error.sentence)")
        }
    }

    // MARK: The remote's files

    private static func temporaryFolder() throws(Failure) -> String {
        let root = Environment.value("TMPDIR") ?? "/tmp"
        var template = Array("\(root)/allspeak-trial-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Failure(.unavailable, "There is no temporary folder: \(SystemError.last("mkdtemp").sentence)")
        }
        return String(cString: made)
    }
}
