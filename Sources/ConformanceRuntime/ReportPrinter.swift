internal import Conformance
internal import LinuxSystem
internal import TerminalUI
internal import WireProtocol

/// Prints checks as they are done, and keeps them for the report.
final class ReportPrinter {
    private let console = Console.standard
    private let isJSON: Bool
    private let path: String?
    private var report: Report
    private var hasBegun = false

    /// Takes `--json` and `--report` from `invocation`.
    ///
    /// - Throws: `Failure` with code `unavailable` where the report could not be written at the end.
    init(_ subject: String, _ invocation: Invocation) throws(Failure) {
        isJSON = invocation.switches.contains(ConformanceSyntax.json.name)
        path = invocation.value(ConformanceSyntax.report.name)
        report = Report(of: subject)
        if let path, let reason = Files.refusal(ofReplacing: Files.absolute(path)) {
            throw Self.cannotWrite(path, reason)
        }
    }

    func add(_ check: Check) {
        let lines = report.add(check)
        lines.forEach(say)
    }

    /// The first line is preceded by the header: what ends with an error before it is no TAP stream.
    private func say(_ line: String) {
        guard !isJSON else { return }
        if !hasBegun { console.say(Report.tapHeader) }
        hasBegun = true
        console.say(line)
    }

    /// Prints the end, and writes the JSON report where one is wanted.
    ///
    /// - Throws: `Failure` with code `unavailable` where it cannot be written.
    func finish() throws(Failure) -> ExitCode {
        if isJSON { console.say(json: report.json) } else { say(report.tapPlan) }
        if let path {
            var writer = JSONWriter()
            writer.value(report.json)
            writer.lineFeed()
            do throws(SystemError) {
                try Files.write(writer.bytes, to: Files.absolute(path), mode: 0o644)
            } catch {
                throw Self.cannotWrite(path, error.reason)
            }
        }
        return report.hasPassed ? .success : .checkFailed
    }

    private static func cannotWrite(_ path: String, _ reason: String) -> Failure {
        Failure(.unavailable, "The report cannot be written to \(SafeText.line(path)): \(reason).")
    }
}
