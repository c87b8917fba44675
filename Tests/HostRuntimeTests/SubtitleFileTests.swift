import TerminalUI
import TestKit
import Testing

@testable import HostRuntime

@Suite("A subtitle file for the host") struct SubtitleFileTests {
    @Test("one that makes more cues than a remote takes is refused with its number of lines") func tooMany() throws {
        let folder = try TemporaryFolder()
        let lines = (1...50).map { "\($0)\n00:00:\($0 + 9),000 --> 00:00:\($0 + 9),500\nA line\n\n" }
        let path = try folder.file("film.srt", lines.joined())
        _ = try SubtitleFile.read(path)
        _ = try SubtitleFile.read(path, maximumBundleBytes: 10_000)
        do {
            _ = try SubtitleFile.read(path, maximumBundleBytes: 3_000)
            Issue.record("accepted")
        } catch {
            #expect(error.code == .badData)
            #expect(error.message.contains("has 50 lines, more than a remote takes"))
        }
    }
}
