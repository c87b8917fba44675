import Subtitles
import Testing
import WireProtocol

@Suite("ASS and SSA") struct AdvancedSubStation {
    private let head =
        "[Script Info]\r\nTitle: {x}\r\n\r\n[V4+ Styles]\r\nFormat: Name, Fontname\r\nStyle: Default,Arial\r\n\r\n"

    @Test func dialogueTextAndTimes() throws {
        let text =
            head + """
                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown
                Dialogue: 0,0:00:05.10,0:00:06.00,Default,,0,0,0,,Second, with a comma
                Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ana,0,0,0,,{\\an8\\i1}Hello{\\i0}\\Nthere\\h{a note}you
                Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}
                Dialogue: 0,soon,0:00:04.00,Default,,0,0,0,,when?
                """
        let read = try SubtitleReader.read(Array(text.utf8))
        #expect(
            read.cues == [
                Cue(index: 1, start: 1, end: 2.5, text: "Hello\nthere you"),
                Cue(index: 2, start: 5.1, end: 6, text: "Second, with a comma"),
            ])
        #expect(
            read.repairs.map(\.sentence) == [
                "this cue has no text and was left out", "this time line cannot be read; its text was left out",
            ])
    }

    @Test func columnsAreWhereTheFormatLineSays() throws {
        let text = head + "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,Hi, you\n"
        #expect(try cues(text) == [Cue(index: 1, start: 1, end: 2, text: "Hi, you")])
    }
}

@Suite("MicroDVD") struct MicroDVD {
    @Test func framesAtTheGivenRate() throws {
        let text = "{1}{1}25.000\n{25}{50}{y:i}Hello|there\n{75}{}Bye\n"
        #expect(
            try cues(text) == [
                Cue(index: 1, start: 1, end: 2, text: "Hello\nthere"), Cue(index: 2, start: 3, end: 3, text: "Bye"),
            ])
        #expect(try repairs(text).isEmpty)
    }

    @Test func anUnknownRateIsGuessedAndTold() throws {
        #expect(try cues("{24}{48}Hello\n").map(\.start) == [1.001])
        #expect(
            try repairs("{24}{48}Hello\n{50}{60}Bye") == [
                "1: the file does not say its frame rate; 23.976 frames a second were assumed"
            ])
    }

    @Test func wordsInBracesAreNotFrames() throws {
        #expect(try texts("{sighs}\n\n" + block("Hello")) == ["Hello"])
    }
}
