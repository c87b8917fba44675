import Testing

@testable import TextScreen

@Suite("Time text") struct TimeTextTests {
    @Test(
        "reads what people type",
        arguments: [
            ("1:02:03.5", 3723.5), ("62:03", 3723), ("90", 90), ("90.5", 90.5), ("0", 0), ("0:00", 0),
            ("1:00:00", 3600),
            ("00:01:05.250", 65.25), ("100:00:00", 360_000), ("3723.001", 3723.001), ("5:59.999", 359.999),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) {
        #expect(TimeText.seconds(from: text) == seconds)
    }

    @Test(
        "refuses nonsense, signs, and 60 below a higher part",
        arguments: [
            "", " ", ":", "1:", ":30", "1::2", "-1", "+1", "-1:00", "1:60", "1:60:00", "1:2:60", "1:02:60.0", "1:2:3:4",
            "abc", "1:a", "1.5:00", "1.", ".5", "1..5", "1:2.5.5", "1,5", "1e3", "nan", "inf", "0x10", " 1", "1 ", "１２",
            "1234567890",
        ])
    func refuses(text: String) {
        #expect(TimeText.seconds(from: text) == nil)
    }

    @Test(
        "shows elapsed time cut to seconds",
        arguments: [
            (42, "0:42"), (92, "1:32"), (3700, "1:01:40"), (0, "0:00"), (-5, "0:00"), (59.999, "0:59"),
            (3599.999, "59:59"), (3600, "1:00:00"), (36_000, "10:00:00"), (.nan, "0:00"), (.infinity, "0:00"),
            (-.infinity, "0:00"), (1e300, "999999:59:59"),
        ] as [(Double, String)])
    func elapsed(seconds: Double, text: String) {
        #expect(TimeText.elapsed(seconds) == text)
    }

    @Test(
        "shows what remains",
        arguments: [
            (28, 120, "-1:32"), (120, 120, "-0:00"), (130, 120, "-0:00"), (0, 3700, "-1:01:40"), (0, 0, "-0:00"),
            (.nan, 120, "-0:00"),
        ] as [(Double, Double, String)])
    func remaining(elapsed: Double, duration: Double, text: String) {
        #expect(TimeText.remaining(elapsed, of: duration) == text)
    }

    @Test(
        "shows cue times with padded minutes",
        arguments: [
            (0, "00:00"), (42, "00:42"), (92, "01:32"), (3700, "1:01:40"), (.infinity, "00:00"), (-1, "00:00"),
        ] as [(Double, String)])
    func cue(seconds: Double, text: String) {
        #expect(TimeText.cue(seconds) == text)
    }

    @Test(
        "shows milliseconds, rounded",
        arguments: [
            (0, "0:00:00.000"), (62.003, "0:01:02.003"), (3723.5, "1:02:03.500"), (1.9996, "0:00:02.000"),
            (59.9999, "0:01:00.000"), (-3, "0:00:00.000"), (.nan, "0:00:00.000"),
        ] as [(Double, String)])
    func precise(seconds: Double, text: String) {
        #expect(TimeText.precise(seconds) == text)
    }

    @Test("reads back every precise text") func roundTrip() throws {
        for millisecond in stride(from: 0, to: 9_000_000, by: 7_919) {
            let seconds = Double(millisecond) / 1000
            #expect(try #require(TimeText.seconds(from: TimeText.precise(seconds))) == seconds)
        }
    }
}
