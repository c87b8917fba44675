import Testing

@testable import TextScreen

/// As terminals measure what is used here.
let measure = TextMeasure { scalar in
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: -1
    case 0x300...0x36F, 0x591...0x5C7, 0x200B...0x200F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1FAFF: 2
    default: 1
    }
}

@Suite("Measuring text") struct TextMeasureTests {
    @Test(
        "letters take one column, East Asian letters and pictures two, marks none",
        arguments: [
            ("", 0), ("Hello", 5), ("日本", 4), ("e\u{301}", 1), ("שָׁלוֹם", 4), ("😀", 2), ("مرحبا", 5),
        ])
    func columns(text: String, columns: Int) {
        #expect(measure.columns(measure.shown(text)) == columns)
    }

    @Test("pictures joined into one are shown apart, as terminals disagree on them") func joined() {
        let family = measure.shown("👨\u{200D}👩\u{200D}👧")
        #expect(family == "👨👩👧" && measure.columns(family) == 6)
        #expect(measure.shown("❤\u{FE0F}") == "❤")
    }

    @Test("what cannot be shown is replaced, and a mark without a letter goes") func unshowable() {
        #expect(measure.shown("a\u{1B}[2Jb") == "a\u{FFFD}[2Jb")
        #expect(measure.shown("\u{301}a") == "a")
        #expect(measure.shown("plain ~") == "plain ~")
    }
}

@Suite("Making text fit") struct TextFittingTests {
    @Test(
        "what is too long ends in an ellipsis",
        arguments: [
            ("Hello", 5, "Hello"), ("Hello", 4, "Hel…"), ("Hello", 1, "…"), ("Hello", 0, ""), ("Hello", -3, ""),
            ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"), ("", 3, ""), ("e\u{301}tude", 2, "e\u{301}…"),
        ] as [(String, Int, String)])
    func cut(text: String, columns: Int, cut: String) {
        #expect(measure.cut(text, to: columns) == cut)
    }

    @Test("an ellipsis that is two columns wide never reaches past the end", arguments: 0..<8) func wideEllipsis(
        columns: Int
    ) {
        let wide = TextMeasure { $0.isASCII ? 1 : 2 }
        #expect(wide.columns(wide.cut("Hello, world", to: columns)) <= columns)
    }

    @Test(
        "lines break at spaces and at line ends, a long word where it must",
        arguments: [
            ("one two three", 7, 9, ["one two", "three"]), ("one\ntwo", 20, 9, ["one", "two"]),
            ("abcdefgh", 3, 9, ["abc", "def", "gh"]), ("日本語", 3, 9, ["日", "本", "語"]), ("", 5, 9, []),
            ("  one   two  ", 20, 9, ["one two"]), ("word", 1, 2, ["w", "…"]), ("one", 0, 9, []), ("one", 5, 0, []),
        ] as [(String, Int, Int, [String])])
    func wrapped(text: String, columns: Int, limit: Int, lines: [String]) {
        #expect(measure.wrapped(text, to: columns, limit: limit) == lines)
    }

    @Test("more lines than allowed end in an ellipsis") func limit() {
        #expect(measure.wrapped("one two three four", to: 5, limit: 2) == ["one", "two …"])
        #expect(measure.wrapped("alpha bravo charlie", to: 5, limit: 2) == ["alpha", "brav…"])
        #expect(measure.wrapped("a b", to: 3, limit: 1) == ["a b"])
    }

    @Test("no line is wider than asked for", arguments: 2..<12) func widths(columns: Int) {
        let text = "A שָׁלוֹם 日本語日本語 supercalifragilistic e\u{301}e\u{301}e\u{301}e\u{301} 😀😀😀😀😀 end\nof it"
        for limit in 1..<8 {
            let lines = measure.wrapped(text, to: columns, limit: limit)
            #expect(lines.count <= limit)
            for line in lines { #expect(measure.columns(line) <= columns) }
        }
    }
}
