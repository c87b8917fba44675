import Subtitles
import Testing
import WireProtocol

/// Whole files as they are passed around, each with one thing about it that trips readers up.
@Suite("Files as people have them") struct FieldFiles {
    @Test("advertising before, between and after the lines stays, since it may stand on a line of the film")
    func advertising() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:04,074
            Advertise your product or brand here
            contact www.OpenSubtitles.org today

            2
            00:00:10,000 --> 00:00:12,000
            <font color="#ffff00">Synced by</font> <a href="http://example.org/?a=1&b=2">someone</a>

            3
            00:00:13,000 --> 00:00:14,000
            Hello.

            4
            00:00:15,000 --> 00:00:20,000
            Please rate this subtitle at www.osdb.link/abc12
            Help other users to choose the best subtitles
            """
        #expect(
            try texts(text) == [
                "Advertise your product or brand here\ncontact www.OpenSubtitles.org today", "Synced by someone",
                "Hello.",
                "Please rate this subtitle at www.osdb.link/abc12\nHelp other users to choose the best subtitles",
            ])
        #expect(try repairs(text).isEmpty)
    }

    @Test("advertising appended without number and time is part of the last line") func appendedAdvertising() throws {
        #expect(
            try texts(block("Bye.") + "\n\nBest watched using Open Subtitles MKV Player\n") == [
                "Bye.\n\nBest watched using Open Subtitles MKV Player"
            ])
    }

    @Test("overlapping lines keep their own times") func overlaps() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:09,000
            (music)

            2
            00:00:02,000 --> 00:00:03,000
            Hello.

            3
            00:00:02,000 --> 00:00:05,000
            Who's there?
            """
        #expect(
            try cues(text) == [
                Cue(index: 1, start: 1, end: 9, text: "(music)"), Cue(index: 2, start: 2, end: 3, text: "Hello."),
                Cue(index: 3, start: 2, end: 5, text: "Who's there?"),
            ])
        #expect(try repairs(text).isEmpty)
    }

    @Test(
        "text of hundreds of lines loses none of them, blank ones between or not",
        arguments: ["\n", "\n\n", "\r\n \r\n"])
    func aLongText(_ gap: String) throws {
        for count in [1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 300] {
            let lines = (1...count).map { "line \($0) of many" }
            let text = between("2\n00:00:03,000 --> 00:00:04,000\n" + lines.joined(separator: gap))
            let inner = gap == "\n" ? "\n" : "\n\n"
            #expect(try texts(text) == ["One", lines.joined(separator: inner), "Nine"])
            #expect(try repairs(text).isEmpty)
        }
    }

    @Test("a list of numbers as text loses none of them", arguments: [1, 5, 11, 12, 13, 40])
    func manyNumbers(_ count: Int) throws {
        let numbers = (0..<count).map { String($0 * 7) }.joined(separator: "\n")
        #expect(
            try texts(between("2\n00:00:03,000 --> 00:00:04,000\nLotto:\n\(numbers)")) == [
                "One", "Lotto:\n\(numbers)", "Nine",
            ])
    }

    @Test("thousands of blank lines between two lines are as good as one") func manyBlankLines() throws {
        let gap = String(repeating: "\r\n", count: 5_000)
        #expect(
            try texts(
                gap + "1\n00:00:01,000 --> 00:00:02,000\nOne" + gap + "2\n00:00:03,000 --> 00:00:04,000\nTwo" + gap)
                == ["One", "Two"])
        #expect(
            try repairs(gap + "1\n00:00:01,000 --> 00:00:02,000\nOne" + gap + "00:00:03,000 --> 00:00:04,000\nTwo")
                == [
                    "5002: cue numbers are missing, repeated or do not grow; cues were numbered from 1",
                    "10003: this cue has no number",
                ])
    }

    @Test("a very long line is kept whole") func aLongLine() throws {
        let long = String(repeating: "blah ", count: 20_000) + "end"
        #expect(try texts(between("2\n00:00:03,000 --> 00:00:04,000\n\(long)")) == ["One", long, "Nine"])
    }

    @Test("NULs, as a full disk or a broken download leaves them, cost nothing around them") func nulls() throws {
        let nulls = String(repeating: "\0", count: 4_096)
        #expect(try texts(block("Hello") + nulls) == ["Hello"])
        #expect(try texts(nulls + block("Hello")) == ["Hello"])
        #expect(try texts("1\0\n00:00:01,000\0 --> 00:00:04,000\nHel\0lo\n") == ["Hello"])
    }

    @Test(
        "lines of spaces of any width separate",
        arguments: [" ", "\t", " \t ", "\u{A0}", "\u{3000}\u{3000}", "\u{200B}", "\u{FEFF}", "\u{2003}"])
    func spaces(_ separator: String) throws {
        let text =
            "1\n00:00:01,000 --> 00:00:02,000\nOne\n\(separator)\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n\(separator)\n"
        #expect(try texts(text) == ["One", "Two"])
        #expect(try repairs(text).isEmpty)
    }

    @Test("hours above 99 and none at all in one file") func hours() throws {
        let text =
            "1\n59:58,500 --> 59:59,000\nA\n\n2\n1:00:00,000 --> 1:00:01,000\nB\n\n3\n123:00:00,000 --> 123:00:01,000\nC\n"
        #expect(try cues(text).map(\.start) == [3_598.5, 3_600, 442_800])
    }

    @Test("two files joined without a line between them lose at most the first one's last blank line") func joined()
        throws
    {
        let first = "1\n00:00:01,000 --> 00:00:02,000\nOne"
        #expect(try texts(first + "\u{FEFF}1\n00:00:03,000 --> 00:00:04,000\nTwo\n") == ["One1", "Two"])
        #expect(try texts(first + "\n\u{FEFF}1\n00:00:03,000 --> 00:00:04,000\nTwo\n") == ["One", "Two"])
    }

    @Test("a cue of the end of a cut file is kept as far as it goes", arguments: ["Two", "T", "<i>Two", "Two\nmo"])
    func cutText(_ text: String) throws {
        let file = block("Hello") + "\n2\n00:00:05,000 --> 00:00:06,000\n" + text
        #expect(try texts(file) == ["Hello", text.replacing("<i>", with: "")])
    }
}

@Suite("Files that are none, and what is said of them") struct RefusedFiles {
    @Test(
        "the kind is named",
        arguments: [
            ("\u{FEFF}<!DOCTYPE html>\n<html>", "web page"), ("<html lang=en><head>", "web page"),
            ("<head><title>404 Not Found</title></head>", "web page"), ("<!-- x --><body>", "web page"),
            (
                "# VobSub index file, v7 (do not modify this line!)\ntimestamp: 00:00:01:000, filepos: 000000000",
                "picture"
            ),
            ("<SAMI><HEAD>", "SAMI"), ("<?xml version=\"1.0\"?><tt>", "XML"), ("%PDF-1.4", "PDF"),
            ("{\\rtf1\\ansi", "RTF"), ("{\"error\":\"not found\"}", "no time line"),
            (String(repeating: " \r\n\t", count: 100), "blank"), ("\0\0\0\0", "binary"), ("\u{FEFF}", "blank"),
            ("1\n2\n3\n", "no time line"), ("00:00:01,000 -->\n", "no text"),
        ])
    func named(_ text: String, _ word: String) throws {
        let reason = try #require(refusal(Array(text.utf8)))
        #expect(reason.contains(word), "\(reason)")
        #expect(!reason.contains("\n") && !reason.hasSuffix("."))
    }

    @Test(
        "so is that of binary ones",
        arguments: [
            (Array("Rar!\u{1A}\u{7}".utf8), "RAR"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip"),
            ([0x42, 0x5A, 0x68, 0x39, 0x31, 0x41], "bzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"),
            ([0x50, 0x47, 0, 1, 2, 3, 0, 0, 0, 0, 0x16], "picture"), ([0, 0, 1, 0xBA, 0x44], "MPEG"),
            ([0x1A, 0x45, 0xDF, 0xA3], "Matroska"), ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "Office"),
        ] as [([UInt8], String)])
    func binary(_ bytes: [UInt8], _ word: String) throws {
        #expect(try #require(refusal(bytes)).contains(word))
    }
}

@Suite("WebVTT under any name") struct WebVTTFiles {
    @Test(
        "whatever stands after or before the first word",
        arguments: [
            "WEBVTT", "\u{FEFF}WEBVTT", "WEBVTT FILE", "WEBVTT\nKind: captions\nLanguage: en", "\n\nWEBVTT", "webvtt",
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000",
        ])
    func head(_ head: String) throws {
        #expect(
            try cues(head + "\n\n00:01.000 --> 00:02.000 line:0\n<v.loud Ann>Hi &lt;3</v>\n") == [
                Cue(index: 1, start: 1, end: 2, text: "Hi <3")
            ])
    }

    @Test("a blank line inside a text loses nothing, comments and style sheets do go") func blankLines() throws {
        let text = """
            WEBVTT

            one
            00:01.000 --> 00:02.000
            First

            and more

            NOTE
            nobody sees this
            00:01.500 is no time line

            STYLE
            ::cue(b) { color: red; }

            REGION
            id:fred

            two
            00:03.000 --> 00:04.000
            Second

            NOTE the end
            """
        #expect(try texts(text) == ["First\n\nand more", "Second"])
    }

    @Test("numbers as names are the cues' numbers, and no line has to be told") func numbers() throws {
        let text = "WEBVTT\n\n5\n00:01.000 --> 00:02.000\nA\n\n6\n00:03.000 --> 00:04.000\nB\n"
        #expect(try cues(text).map(\.index) == [5, 6])
        #expect(try repairs(text).isEmpty)
    }

    @Test("with SRT's commas and tags") func mixture() throws {
        #expect(
            try texts(
                "WEBVTT\n\n1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color=red>Hi</font> <00:00:01,500>there\n")
                == ["Hi there"])
    }

    @Test("SRT that says WEBVTT in a text stays SRT") func saidInText() throws {
        #expect(try texts(block("WEBVTT is a format &lrm; so on")) == ["WEBVTT is a format &lrm; so on"])
    }
}
