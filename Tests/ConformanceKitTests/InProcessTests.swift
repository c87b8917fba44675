import Conformance
import Testing

@Suite("This project's host on virtual time")
struct InProcessTests {
    @Test("passes every recording, and skips only what needs an output without a volume")
    func passesAll() {
        let checks = replayed(RecordingFolder.all)
        #expect(checks.count == RecordingFolder.all.count)
        for check in checks {
            let isAboutNoVolume = check.name.hasPrefix("no-volume:")
            let isExpected =
                isAboutNoVolume
                ? check.outcome == .skipped(reason: "needs an output without a volume") : check.outcome == .passed
            #expect(isExpected, "\(check.name): \(check.outcome)")
        }
    }

    @Test("gives the same checks again")
    func isRepeatable() {
        let recordings = RecordingFolder.named(["two-remotes", "clock-skew", "commands-playing"])
        #expect(recordings.count == 3)
        #expect(replayed(recordings) == replayed(recordings))
    }

    @Test("is tried with commands whose answers are timed")
    func timings() throws {
        let check = try #require(replayed(RecordingFolder.named(["commands-paused"])).first)
        #expect(check.timings.map(\.name) == ["replyP50", "replyP99", "replyMax", "replay"])
        #expect(check.timings.last.map { $0.seconds > 1 } == true)
    }
}
