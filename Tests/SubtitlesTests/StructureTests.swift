import Subtitles
import Testing
import WireProtocol

@Suite("Finding cues in files whose structure is off") struct Structure {
    @Test(arguments: ["\n", "\r\n", "\r", "\r\r\n"])
    func lineEnds(_ end: String) throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\nOne\nmore\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"
        let read = try SubtitleReader.read(
            Array(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end).utf8))
        #expect(read.cues.map(\.text) == ["One\nmore", "Two"])
        #expect(read.repairs.isEmpty)
    }

    @Test func mixedLineEnds() throws {
        #expect(
            try texts("1\r\n00:00:01,000 --> 00:00:02,000\nOne\rmore\r\r\n\n2\n00:00:03,000 --> 00:00:04,000\r\nTwo")
                == ["One\nmore", "Two"])
    }

    @Test func missingBlankLines() throws {
        let text =
            [
                "1", "00:00:01,000 --> 00:00:02,000", "One", "2", "00:00:03,000 --> 00:00:04,000", "Two", "3",
                "00:00:05,000 --> 00:00:06,000", "Three",
            ].joined(separator: "\n")
        #expect(try texts(text) == ["One", "Two", "Three"])
        #expect(try repairs(text) == ["4: no blank line before this cue", "7: no blank line before this cue"])
    }

    @Test func missingBlankLinesAndNumbers() throws {
        let text = "00:00:01,000 --> 00:00:02,000\nOne\n00:00:03,000 --> 00:00:04,000\nTwo"
        #expect(try texts(text) == ["One", "Two"])
        #expect(try cues(text).map(\.index) == [1, 2])
    }

    @Test func everyLineFollowedByABlankOne() throws {
        let text =
            [
                "1", "00:00:01,000 --> 00:00:02,000", "One", "2", "00:00:03,000 --> 00:00:04,000", "Two", "more", "5",
                "00:00:05,000 --> 00:00:06,000", "Five",
            ].joined(separator: "\n\n")
        #expect(try texts(text) == ["One", "Two\n\nmore", "Five"])
        #expect(try cues(text).map(\.index) == [1, 2, 5])
    }

    @Test(arguments: ["42", "1984.", "2", "#7"])
    func textThatIsANumber(_ number: String) throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\n\(number)\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"
        #expect(try texts(text) == [number, "Two"])
        #expect(try cues(text).map(\.index) == [1, 2])
    }

    @Test func textThatIsANumberWithoutCueNumbers() throws {
        let text = "00:00:01,000 --> 00:00:02,000\n42\n\n00:00:03,000 --> 00:00:04,000\nTwo\n"
        #expect(try texts(text) == ["42", "Two"])
    }

    @Test func numberAsLastLineOfText() throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\nHow many?\n42\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"
        #expect(try texts(text) == ["How many?\n42", "Two"])
    }

    @Test(arguments: [
        "Departures:\n10:00 --> 11:00", "10:00 --> 11:00", "Read:\n00:10:00,000 --> 00:11:00,000",
        "00:10:00,000 --> 00:11:00,000", "a --> b", "x -- y", "10:00 --> 11:00 is the slow one",
    ])
    func textThatLooksLikeATimeLine(_ quoted: String) throws {
        #expect(try texts(between("2\n00:00:03,000 --> 00:00:04,000\n\(quoted)")) == ["One", quoted, "Nine"])
    }

    @Test func numberOnTheTimeLine() throws {
        let text = "1 00:00:01,000 --> 00:00:02,000\nOne\n\n2. 00:00:03,000 --> 00:00:04,000\nTwo\n"
        #expect(try texts(text) == ["One", "Two"])
        #expect(try cues(text).map(\.index) == [1, 2])
    }

    @Test func textOnTheTimeLine() throws {
        #expect(try texts(timed("00:00:01,000 --> 00:00:02,000 Well,")) == ["Well,\nHello"])
        #expect(try texts(timed("00:00:01,000 --> 00:00:02,000 X1:1 Привет")) == ["Привет\nHello"])
    }

    @Test func emptyCuesAreLeftOutAndTold() throws {
        #expect(try texts(between("2\n00:00:03,000 --> 00:00:04,000\n")) == ["One", "Nine"])
        #expect(
            try repairs(between("2\n00:00:03,000 --> 00:00:04,000\n<i></i>")) == [
                "6: this cue has no text and was left out"
            ])
    }

    @Test func textBeforeTheFirstCueIsToldNotShown() throws {
        #expect(try texts("Subtitles by somebody\n\n" + block("Hello")) == ["Hello"])
        #expect(
            try repairs("Subtitles by somebody\n\n" + block("Hello")) == [
                "1: text before the first time line was left out"
            ])
    }

    @Test(arguments: ["2", "2\n", "2\n00:00:0", "2\n00:00:03,000 -", "2\n00:00:03,000 --> 00:0"])
    func truncatedEnd(_ rest: String) throws {
        #expect(try texts(block("Hello") + "\n" + rest) == ["Hello"])
        #expect(try !repairs(block("Hello") + "\n" + rest).isEmpty)
    }

    @Test func joinedFilesWithAMarkBetween() throws {
        let text = "\u{FEFF}" + block("Hello") + "\n\u{FEFF}2\n00:00:05,000 --> 00:00:06,000\n\u{FEFF}World\n"
        #expect(try texts(text) == ["Hello", "World"])
        #expect(try cues(text).map(\.index) == [1, 2])
    }

    @Test func aWebVTTFile() throws {
        let text = """
            WEBVTT - with a title

            STYLE
            ::cue { color: red }

            NOTE nobody reads this

            intro
            00:01.000 --> 00:04.000 align:start position:10%
            <v Mary><c.loud>Hello</c> &amp; <00:00:02.000>welcome

            NOTE nor this
            at all

            00:00:05.000 --> 00:00:06.000
            Second
            """
        #expect(
            try cues(text) == [
                Cue(index: 1, start: 1, end: 4, text: "Hello & welcome"),
                Cue(index: 2, start: 5, end: 6, text: "Second"),
            ])
        #expect(try repairs(text).isEmpty)
    }
}

@Suite("Order and numbers") struct OrderAndNumbers {
    private func file(_ cues: [(number: String, second: Int)]) -> String {
        cues.map {
            "\($0.number)\n00:00:0\($0.second),000 --> 00:00:0\($0.second),500\nat \($0.second), \($0.number)\n\n"
        }
        .joined()
    }

    @Test func sortedByStart() throws {
        let read = try SubtitleReader.read(Array(file([("1", 5), ("2", 1), ("3", 3)]).utf8))
        #expect(read.cues.map(\.start) == [1, 3, 5])
        #expect(read.cues.map(\.index) == [1, 2, 3])
        #expect(read.repairs.contains { $0.line == 6 && $0.sentence.contains("sorted") })
    }

    @Test func equalStartsKeepTheOrderOfTheFile() throws {
        #expect(
            try texts(file([("1", 5), ("2", 1), ("3", 1), ("4", 1)])) == ["at 1, 2", "at 1, 3", "at 1, 4", "at 5, 1"])
    }

    @Test(arguments: [["1", "2", "3"], ["0", "1", "2"], ["7", "9", "100"]])
    func growingNumbersAreKept(_ numbers: [String]) throws {
        let read = try cues(file(zip(numbers, 1...).map { ($0, $1) }))
        #expect(read.map(\.index) == numbers.compactMap(Int.init))
    }

    @Test(arguments: [
        ["1", "1", "2"], ["3", "2", "1"], ["1", "99999999999999999999999", "3"], ["1", "-2", "3"], ["1", "2a", "3"],
    ])
    func otherNumbersAreCountedAnew(_ numbers: [String]) throws {
        let read = try SubtitleReader.read(Array(file(zip(numbers, 1...).map { ($0, $1) }).utf8))
        #expect(read.cues.map(\.index) == [1, 2, 3])
        #expect(read.repairs.map(\.sentence).contains { $0.contains("numbered from 1") })
    }

    @Test func fullWidthAndPaddedNumbers() throws {
        #expect(try cues(file([("\u{FF11}\u{FF12}", 1), ("  013  ", 2)])).map(\.index) == [12, 13])
    }
}
