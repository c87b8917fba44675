import Subtitles
import Testing
import WireProtocol

@Suite("What becomes of a text") struct CueText {
    @Test(arguments: [
        ("<font color=\"#ffff00\">Hi</font>", "Hi"), ("<i >Hi</ i >", "Hi"), ("<FONT SIZE=3>Hi", "Hi"),
        ("<i/>Hi", "Hi"),
        ("{\\an8\\pos(10,20)}Hi{\\i0}", "Hi"), ("{Y:i}Hi", "Hi"), ("One<br>Two<br />Three", "One\nTwo\nThree"),
        ("<b class=\"x\">Hi</b>", "Hi"), ("<a href=x>Hi</a>", "Hi"), ("<00:00:01.500><c> Hi</c>", "Hi"),
        ("<c.colorE5E5E5>Hi</c>", "Hi"),
        ("<i>One</i>\n<i></i>\nTwo", "One\nTwo"), ("- Who?\n- Me.", "- Who?\n- Me."),
        ("  spaced  \n\t out ", "spaced\nout"),
    ])
    func formattingCodes(_ text: String, _ expected: String) throws {
        #expect(try texts(block(text)) == [expected])
    }

    @Test(arguments: [
        "<String>", "Array<Int> it is", "{sighs}", "I <3 you", "a < b > c", "5 > 3", "<unfinished", "{\\unfinished",
        "{}", "<>",
        "i<b and b>a", "<a list>", "<p, q>", "<00:01>", "<v Tom>",
        "Tom & Jerry", "&", "R&D;", "&amp", "&copy;", "&#39;", "&lrm;", "C:\\New", "<bold claim>", "}{", "><",
    ])
    func wordsThatLookLikeCodesStay(_ text: String) throws {
        #expect(try texts(block(text)) == [text])
    }

    @Test("the references that programs write into SRT files are read, once, and make no codes")
    func characterReferences() throws {
        #expect(
            try texts(block("Tom &amp; &quot;Jerry&quot; &apos;&lt;i&gt;&apos;&nbsp;&amp;amp;"))
                == ["Tom & \"Jerry\" '<i>'\u{A0}&amp;"])
    }

    @Test(arguments: [
        ("<script>alert(1)</script>Hi", "alert(1)Hi"), ("<scr<script>ipt>Hi", "Hi"), ("{\\x<i}>Hi", ">Hi"),
        ("<font {\\x>}Hi", "}Hi"),
        ("<img src=x onerror=alert(1)>Hi", "Hi"),
        ("\u{1B}[31mred\u{1B}[0m", "red"), ("\u{1B}]0;title\u{7}Hi", "Hi"), ("\u{1B}]0;title\u{1B}\\Hi", "Hi"),
        ("\u{1B}]unended", "unended"), ("H\0i", "Hi"), ("Hi\u{8}\u{7F}", "Hi"), ("H\u{9B}i", "Hi"), ("a\tb", "a b"),
        ("a\u{2028}b", "a\nb"), ("\u{FEFF}Hi", "Hi"),
    ])
    func hostileBytesAreHarmless(_ text: String, _ expected: String) throws {
        #expect(try texts(block(text)) == [expected])
    }

    /// Halves of control characters, with what is taken out between them.
    private static let halves: [(bytes: [UInt8], text: String)] = [
        ([0xC2, 0x7F, 0x85], "a\u{FFFD}\u{FFFD}b"),
        // <i>
        ([0xC2, 0x3C, 0x69, 0x3E, 0x9B], "a\u{FFFD}\u{FFFD}b"),
        ([0xE2, 0x80, 0x00, 0xA8], "a\u{FFFD}\u{FFFD}b"),
        // An escape sequence.
        ([0xEF, 0x1B, 0x5B, 0x6D, 0xBB, 0xBF], "a\u{FFFD}\u{FFFD}\u{FFFD}b"),
        ([0xC2], "a\u{FFFD}b"),
    ]

    @Test(arguments: halves)
    func whatIsTakenOutMakesNoControlCharacter(_ bytes: [UInt8], _ expected: String) throws {
        let file = Array(block("a").utf8.dropLast()) + bytes + Array("b\n".utf8)
        #expect(try SubtitleReader.read(file).cues.map(\.text) == [expected])
    }

    @Test(arguments: [
        "שלום עולם", "\u{202B}שלום!\u{202C}", "مرحبا \u{200F}(123)", "e\u{301}te\u{301}", "👩‍👩‍👧 family", "สวัสดี", "Привет",
        "«Да»",
        "“quotes” – dash…",
    ])
    func otherScriptsStayByteForByte(_ text: String) throws {
        #expect(try texts(block(text)).map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)])
    }

    @Test func aBadByteCostsOneCharacter() throws {
        let bytes = Array(block("caf").utf8.dropLast()) + [0xE9] + Array(" au lait\n".utf8)
        let read = try SubtitleReader.read(bytes)
        #expect(read.cues.map(\.text) == ["caf\u{FFFD} au lait"])
        #expect(read.repairs.map(\.line) == [3])
    }

    @Test func aLongTextIsCutAtACharacter() throws {
        let read = try SubtitleReader.read(Array(block(String(repeating: "é", count: 600_000)).utf8))
        #expect(read.cues.map(\.text) == [String(repeating: "é", count: 524_288)])
        #expect(read.repairs.map(\.sentence) == ["the text is longer than 1 MiB and was cut"])
    }

    @Test func blankLinesInsideBecomeOne() throws {
        #expect(try texts(between("2\n00:00:03,000 --> 00:00:04,000\n\nA\n\n \n\nB")) == ["One", "A\n\nB", "Nine"])
    }
}
