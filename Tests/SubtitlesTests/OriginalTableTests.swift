import Subtitles
import Testing
import WireProtocol

/// What the original app's reader is tested for, with the right value where it loses text.
@Suite struct OriginalTable {
    @Test func oneCue() throws {
        #expect(try cues(block("Hello world")) == [Cue(index: 1, start: 1, end: 4, text: "Hello world")])
    }

    @Test func twoLinesAreJoinedByALineFeed() throws {
        #expect(try texts(block("Hello\nWorld")) == ["Hello\nWorld"])
    }

    @Test func cuesKeepTheirOrderAndNumbers() throws {
        let read = try cues(
            """
            1
            00:00:01,000 --> 00:00:02,000
            A

            2
            00:00:03,000 --> 00:00:04,000
            B

            3
            00:00:05,000 --> 00:00:06,000
            C
            """)
        #expect(read.map(\.index) == [1, 2, 3])
        #expect(read.map(\.text) == ["A", "B", "C"])
    }

    @Test(arguments: [
        "<i>Hello</i>", "<b>Hello</b>", "<u>Hello</u>", "<I>Hello</I>", "<i><b>Hello</b></i>", "{\\an8}Hello",
        "{\\\\an2}Hello", "Hello",
    ])
    func formattingGoesTextStays(_ text: String) throws {
        #expect(try texts(block(text)) == ["Hello"])
    }

    @Test func byteOrderMark() throws {
        #expect(try cues("\u{FEFF}" + block("Hello")).count == 1)
    }

    @Test func carriageReturns() throws {
        #expect(try texts("1\r\n00:00:01,000 --> 00:00:04,000\r\nHello\r\nWorld\r\n") == ["Hello\nWorld"])
    }

    @Test func dotDecimals() throws {
        let cue = try cues(timed("00:00:01.250 --> 00:00:02.750"))[0]
        #expect(cue.start == 1.25)
        #expect(cue.end == 2.75)
    }

    @Test func hours() throws {
        let cue = try cues(timed("01:23:45,500 --> 01:23:50,000"))[0]
        #expect(cue.start == 5_025.5)
        #expect(cue.end == 5_030)
    }

    @Test func noLineFeedAtTheEnd() throws {
        #expect(try texts("1\n00:00:01,000 --> 00:00:04,000\nHello") == ["Hello"])
    }

    @Test func severalBlankLinesBetweenCues() throws {
        #expect(try texts(between("\n\n\n")) == ["One", "Nine"])
    }

    @Test(arguments: [
        "", "\n\n\n", "   ", timed("garbled"), timed("00:00:01,000 00:00:04,000"),
        timed("00:xx:01,000 --> 00:xx:04,000"),
        block(""),
    ])
    func noCues(_ text: String) {
        #expect(refusal(Array(text.utf8)) != nil)
    }

    @Test(arguments: [
        "2\n00:xx:03,000 --> 00:00:04,000\nBad", "2\nxx --> 00:00:04,000\nBad", "2\n00:00:03,000 00:00:04,000\nBad",
    ])
    func aBadCueLeavesTheGoodOnes(_ bad: String) throws {
        #expect(try texts(between(bad)) == ["One", "Nine"])
        #expect(try repairs(between(bad)) == ["6: this time line cannot be read; its text was left out"])
    }

    @Test func noNumberLine() throws {
        #expect(try cues("00:00:01,000 --> 00:00:04,000\nHello\n") == [Cue(index: 1, start: 1, end: 4, text: "Hello")])
    }

    @Test func coordinatesAfterTheEndTimeAreNoText() throws {
        let read = try cues(timed("00:00:01,000 --> 00:00:04,000 X1:100 X2:200 Y1:050 Y2:060"))
        #expect(read == [Cue(index: 1, start: 1, end: 4, text: "Hello")])
    }

    @Test func aBlankLineInsideATextLosesNothing() throws {
        #expect(
            try texts(between("2\n00:00:03,000 --> 00:00:04,000\nTwo\n\nand more")) == [
                "One", "Two\n\nand more", "Nine",
            ])
    }

    @Test func aLineOfSpacesSeparatesCues() throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\nOne\n  \t \n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"
        #expect(try texts(text) == ["One", "Two"])
    }
}
