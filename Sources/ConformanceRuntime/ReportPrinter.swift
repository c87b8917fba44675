internal import Conformance
internal import LinuxSystem
internal import TerminalUI
internal import WireProtocol

/// Prints checks as they are done, and keeps them for the report.
final class ReportPrinter {
    private let console = Console.standard
    private let isJSON: Bool
    private var report: Report

    init(_ subject: String, isJSON: Bool) {
        self.isJSON = isJSON
        report = Report(of: subject)
        if !isJSON { console.say(Report.tapHeader) }
    }

    func add(_ check: Check) {
        let lines = report.add(check)
        if !isJSON { lines.forEach(console.say) }
    }

    /// Prints the end, and writes the JSON report to `path` where there is one.
    ///
    /// - Throws: `Failure` with code `unavailable` where it cannot be written.
    func finish(writing path: String?) throws(Failure) -> ExitCode {
        if isJSON { console.say(json: report.json) } else { console.say(report.tapPlan) }
        if let path {
            var writer = JSONWriter()
            writer.value(report.json)
            writer.lineFeed()
            do throws(SystemError) {
                try Files.replace(Files.absolute(path), with: writer.bytes, mode: 0o644)
            } catch {
                throw Failure(.unavailable, "The report cannot be written: \(SafeText.line(error.sentence)).")
            }
        }
        return report.hasPassed ? .success : .checkFailed
    }
}
