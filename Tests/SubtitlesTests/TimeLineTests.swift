import Subtitles
import Testing
import WireProtocol

@Suite("Time lines as people write them") struct TimeLines {
    @Test(arguments: [
        "00:00:01,500 --> 00:00:04,000", "  00:00:01,500   -->   00:00:04,000  ", "00:00:01,500-->00:00:04,000",
        "00:00:01,500 -> 00:00:04,000", "00:00:01,500 – > 00:00:04,000", "00:00:01,500 —> 00:00:04,000",
        "00:00:01,500 → 00:00:04,000", "00:00:01,500 ==> 00:00:04,000", "00:00:01,500 ---> 00:00:04,000",
        "00:00:01,500 --&gt; 00:00:04,000", "00:00:01,500 -- 00:00:04,000", "00: 00: 01, 500 -> 00: 00: 04, 000",
        "00:00:01:500 --> 00:00:04:000", "00:00:01;500 --> 00:00:04;000", "0:0:1,5 --> 0:0:4,0",
        "0:00:01.50 --> 0:00:04.00",
        "00:00:01,5000 --> 00:00:04,0000", "00:01,500 --> 00:04,000", "0:01.5 --> 0:04",
        "000:00:01,500 --> 000:00:04,000",
        "00：00：01，500 --> 00：00：04，000", "００：００：０１，５００　－－＞　００：００：０４，０００",
        "\u{200F}00:00:01,500 --> 00:00:04,000\u{200E}", "\u{202B}00:00:01,500 --> 00:00:04,000\u{202C}",
        "00:00:01,500\u{A0}-->\u{A0}00:00:04,000", "\t00:00:01,500\t-->\t00:00:04,000",
        "00.00.01.500 --> 00.00.04.000", "00.00.01,500 --> 00.00.04,000", "00:00:01.500,00:00:04.000",
        "0:00:01.500,0:00:04.000", "00:00:01,500, --> 00:00:04,000,", "00:00:01,500 >> 00:00:04,000",
        "00:00:01,500\u{B}-->\u{C}00:00:04,000",
        "00:00:01,500 --> 00:00:04,000 align:start line:10%", "00:00:01,500 --> 00:00:04,000.",
    ])
    func aVariant(_ line: String) throws {
        #expect(try cues(timed(line)) == [Cue(index: 1, start: 1.5, end: 4, text: "Hello")])
    }

    @Test(arguments: [
        ("00:00:01 --> 00:00:04", 1.0), ("00:00:01,001 --> 00:00:04,000", 1.001),
        ("00:00:01,0001 --> 00:00:04,000", 1.0001),
        ("100:00:00,000 --> 100:00:01,000", 360_000.0), ("90:30,000 --> 90:31,000", 5_430.0),
        ("00:99:00,000 --> 00:99:30,000", 5_940.0),
    ])
    func aStart(_ line: String, _ start: Double) throws {
        #expect(try cues(timed(line)).map(\.start) == [start])
    }

    @Test func negativeTimesBecomeZero() throws {
        let read = try SubtitleReader.read(Array(timed("-00:00:01,000 --> 00:00:04,000").utf8))
        #expect(read.cues == [Cue(index: 1, start: 0, end: 4, text: "Hello")])
        #expect(read.repairs.map(\.sentence) == ["a time before the film's start became 0"])
        #expect(try cues(timed("-00:00:02,000 --> -00:00:01,000")).map(\.end) == [0])
    }

    @Test func zeroDurationIsKept() throws {
        let read = try SubtitleReader.read(Array(timed("00:00:01,000 --> 00:00:01,000").utf8))
        #expect(read.cues == [Cue(index: 1, start: 1, end: 1, text: "Hello")])
        #expect(read.repairs.isEmpty)
    }

    @Test func invertedDurationEndsAtItsStart() throws {
        let read = try SubtitleReader.read(Array(timed("00:00:04,000 --> 00:00:01,000").utf8))
        #expect(read.cues == [Cue(index: 1, start: 4, end: 4, text: "Hello")])
        #expect(
            read.repairs == [Repair(line: 2, sentence: "this cue ended before its start; it now ends at its start")])
    }

    @Test func anUnreadableEndCostsNoText() throws {
        #expect(try cues(timed("00:00:01,000 --> 00:xx")) == [Cue(index: 1, start: 1, end: 1, text: "Hello")])
    }

    @Test(arguments: ["3 --> 4", "1000000:00:00,000 --> 1000001:00:00,000", "00:00 00:01", "1:2:3:4:5 --> 1:2:3:4:6"])
    func notATime(_ line: String) {
        #expect(refusal(Array(timed(line).utf8)) != nil)
    }

    @Test("a short arrow and a missing last end cost no line")
    func shortArrowAndNoEnd() throws {
        for last in ["00:00:09,000", "00:00:09,000 -->", "00:00:09,000 ->"] {
            let text = block("One") + "\n2\n00:00:06.5 -> 00:00:07\nTwo\n\n3\n\(last)\nThree\n"
            #expect(try cues(text).map(\.start) == [1, 6.5, 9], "\(last)")
            #expect(try cues(text).map(\.text) == ["One", "Two", "Three"], "\(last)")
            #expect(
                try repairs(text) == ["10: the end time cannot be read; the cue now ends at its start"], "\(last)")
        }
        #expect(try texts(block("It stopped at\n00:00:09,000\nsharp.")) == ["It stopped at\n00:00:09,000\nsharp."])
    }
}
