import Glibc
import Subtitles
import Testing

@Suite("Speed", .serialized) struct Speed {
    private func file(cues: Int) -> [UInt8] {
        var text: [UInt8] = []
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        for number in 1...cues {
            let clock = "\(two(number / 3_600)):\(two(number / 60 % 60)):\(two(number % 60))"
            text += Array(
                "\(number)\n\(clock),000 --> \(clock),900\n<i>Line \(number) of a long film</i>\nwith a second, längere Zeile.\n\n"
                    .utf8)
        }
        return text
    }

    /// Of this thread's own work, so that a busy machine does not fail the test.
    private func seconds(_ bytes: [UInt8]) throws -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        _ = try SubtitleReader.read(bytes)
        return now() - start
    }

    @Test func fiftyThousandCues() throws {
        let bytes = file(cues: 50_000)
        let best = try (0..<5).map { _ in try seconds(bytes) }.min() ?? 0
        print("50 000 cues, \(bytes.count) bytes: \(best) s")
        #if !DEBUG
            #expect(best <= 0.1)
        #endif
    }

    /// Inputs that make a careless reader look back or ahead again and again.
    @Test(arguments: [
        "<", "{\\", "\u{1B}]", "<i", "1\n", "\r", "-", "00:00:01,000 --> 00:00:02,000\n", "\n", "00:00:0", "&",
    ])
    func hostileRepetitionIsLinear(_ piece: String) throws {
        try expectLinear(after: block("x"), piece)
    }

    @Test func openBracesInAdvancedSubStationAreLinear() throws {
        try expectLinear(after: "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,x", "{")
    }

    /// Codes that are closed one inside the other, all at the end.
    @Test(arguments: [
        ("<b x", ">"), ("<i", ">"), ("{\\", "}"), ("<1", ">"), ("<b ", "/>"), ("{y:", "}"), ("<font ", ">"),
    ])
    func nestedCodesAreLinear(_ open: String, _ close: String) throws {
        func file(_ count: Int) -> [UInt8] {
            Array(block(String(repeating: open, count: count) + String(repeating: close, count: count) + "x").utf8)
        }
        let (one, eight) = (try seconds(file(2_500)), try seconds(file(20_000)))
        #expect(eight < 32 * one || eight < 0.2)
    }

    private func expectLinear(after head: String, _ piece: String) throws {
        let small = Array((head + String(repeating: piece, count: 5_000)).utf8)
        let large = Array((head + String(repeating: piece, count: 40_000)).utf8)
        let (one, eight) = (try seconds(small), try seconds(large))
        // Linear would be 8; quadratic 64. Small absolute times are noise.
        #expect(eight < 32 * one || eight < 0.2)
    }
}
