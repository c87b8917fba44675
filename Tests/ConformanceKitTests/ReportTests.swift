import Conformance
import Testing
import WireProtocol

@Suite("A report")
struct ReportTests {
    private func tap(_ checks: Check...) -> (lines: [String], report: Report) {
        var report = Report(of: "host")
        let lines = checks.flatMap { report.add($0) }
        return (lines, report)
    }

    @Test("numbers its checks and ends with the plan")
    func numbers() {
        let (lines, report) = tap(Check("first", section: "§1", .passed), Check("second", section: "§2", .passed))
        #expect(lines == ["ok 1 - first", "ok 2 - second"])
        #expect(report.tapPlan == "1..2")
        #expect(report.hasPassed)
    }

    @Test("tells of a failure what was expected, what came and where the specification says so")
    func failure() {
        let (lines, report) = tap(Check("sum", section: "§6", .failed(expected: "skip 5", got: "skip \"1\"\n")))
        #expect(
            lines == [
                "not ok 1 - sum", "  ---", "  expected: \"skip 5\"", "  got: \"skip \\\"1\\\"\"",
                "  section: \"Protocol/README.md §6\"", "  ...",
            ])
        #expect(!report.hasPassed)
        #expect(report.failures == 1)
    }

    @Test("has not passed when nothing was checked")
    func empty() {
        #expect(!Report(of: "host").hasPassed)
        #expect(!tap(Check("volume", section: "§5", .skipped(reason: "no output"))).report.hasPassed)
    }

    @Test("keeps a name from becoming a directive or a line of its own")
    func hostileName() {
        let (lines, _) = tap(Check("evil # SKIP\nok 9", section: "§1", .passed))
        #expect(lines == ["ok 1 - evil . SKIP ok 9"])
    }

    @Test("shows that something long is cut")
    func cut() {
        let got = String(repeating: "x", count: 300)
        let (lines, _) = tap(Check("long", section: "§1", .failed(expected: "short", got: got)))
        #expect(lines[3] == "  got: \"" + String(repeating: "x", count: 255) + "…\"")
    }

    @Test("is told as JSON with its timings")
    func json() {
        let check = Check("fast", section: "§8", .passed, timings: [.init("reply", seconds: 0.001)])
        #expect(tap(check).report.json["checks"]?.arrayValue?.first?["timings"]?["reply"]?.doubleValue == 0.001)
    }
}
