import Testing
import WireProtocol

@Suite("Text of a peer, made safe to show")
struct SafeTextTests {
    @Test(
        "ordinary text in any script stays as it is",
        arguments: [
            "", "The Mandalorian & Grogu", "Ещё раз", "你好，世界", "naïve café", "é (combining: e\u{301})", "שלום עולם",
            "مرحبا بالعالم",
            "हिन्दी", "🎬👩‍👩‍👧‍👦🇩🇪👍🏽", "a — b … “c”", "{\"json\":1}", "50% $HOME `x` ; rm",
        ])
    func kept(text: String) {
        #expect(SafeText.line(text) == text)
    }

    @Test(
        "the marks and joiners that right-to-left and Indian scripts are written with stay",
        arguments: [
            "\u{200F}מה?\u{200F}", "\u{200E}- Ja.\u{200E}", "\u{61C}٣ ‎كم", "می\u{200C}خواهم", "क्\u{200D}ष",
        ])
    func marks(text: String) {
        #expect(Array(SafeText.line(text).unicodeScalars) == Array(text.unicodeScalars))
        #expect(Array(SafeText.lines(text).unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        "terminal escapes lose what makes them one",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", "[31mred [0m"), ("\u{1B}]0;title\u{7}", "]0;title"), ("\u{9B}2J", "2J"),
            ("a\u{8}b\u{7F}c\u{0}d", "a b c d"), ("\u{90}q\u{9C}", "q"),
        ])
    func terminalEscapes(text: String, expected: String) {
        #expect(SafeText.line(text) == expected)
    }

    @Test(
        "every line end is one space, runs of spaces are one, none stands at an end",
        arguments: [
            ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\r\n\r\n b", "a b"),
            ("a\u{2028}b\u{2029}c\u{85}d\u{B}e\u{C}f", "a b c d e f"),
            ("  a   b  ", "a b"), ("\n\n", ""), ("\ta\t", "a"),
        ])
    func whitespace(text: String, expected: String) {
        #expect(SafeText.line(text) == expected)
    }

    @Test(
        "characters that turn the direction of what stands beside them are removed",
        arguments: [
            "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
            "\u{FEFF}",
            "\u{FFF9}", "\u{E0041}",
        ])
    func directionOverrides(hostile: String) {
        let safe = SafeText.line("evil\(hostile)gpj.exe")
        #expect(!safe.unicodeScalars.contains { hostile.unicodeScalars.contains($0) })
        #expect(safe.replacing(" ", with: "") == "evilgpj.exe")
    }

    @Test("a letter under more than fifteen marks is replaced whole")
    func combiningFlood() {
        func pile(_ marks: Int) -> String { "a" + String(repeating: "\u{301}", count: marks) + "b" }
        #expect(SafeText.line(pile(15)) == pile(15))
        #expect(SafeText.line(pile(16)) == "\u{FFFD}b")
        #expect(SafeText.line(pile(10_000)) == "\u{FFFD}b")
    }

    @Test("a pile that hides behind removed characters is no larger")
    func interruptedFlood() {
        let flood = String(repeating: "\u{202E}" + String(repeating: "\u{301}", count: 16), count: 10_000)
        #expect(SafeText.line(flood, maximumCharacters: 64).unicodeScalars.count <= 64 * 16)
    }

    @Test("a text is cut at a whole character")
    func cut() {
        #expect(SafeText.line("abcdef", maximumCharacters: 3) == "abc")
        #expect(SafeText.line("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", maximumCharacters: 2) == "👩‍👩‍👧‍👦👩‍👩‍👧‍👦")
        #expect(SafeText.line("ab cd", maximumCharacters: 3) == "ab")
        #expect(SafeText.line(String(repeating: "x", count: 1_000)).count == 256)
    }

    @Test("what is safe stays the same when made safe again")
    func idempotent() {
        var generator = SeededGenerator(seed: 11)
        let alphabet: [Unicode.Scalar] = [
            "a", " ", "\n", "\r", "\u{1B}", "\u{202E}", "\u{301}", "\u{200D}", "🎬", "ش", "\u{FEFF}", "\u{0}",
            "\u{1F1E9}",
        ]
        for _ in 0..<5_000 {
            let scalars = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "a"
            }
            let safe = SafeText.line(String(String.UnicodeScalarView(scalars)), maximumCharacters: 20)
            #expect(SafeText.line(safe, maximumCharacters: 20) == safe, "\(scalars)")
            #expect(!safe.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test(
        "so does what is joined only by what was taken out",
        arguments: [
            // Marks that a control character kept apart from the space it became.
            "\u{1F}" + String(repeating: "\u{301}", count: 17),
            // Half flags, and a family too large to keep, with more to join behind it.
            "🇦\u{E0041}🇧🇨", String(repeating: "👩\u{200D}", count: 9) + "👩",
            String(repeating: "\u{600}", count: 20) + "ab",
        ])
    func idempotentWhereJoined(text: String) {
        for limit in [1, 2, 256] {
            let safe = SafeText.line(text, maximumCharacters: limit)
            #expect(SafeText.line(safe, maximumCharacters: limit) == safe)
            #expect(safe.count <= limit)
            #expect(safe.unicodeScalars.count <= 16 * limit)
        }
    }

    @Test("several lines stay several lines, each safe")
    func severalLines() {
        #expect(SafeText.lines("one\u{1B}[1m\r\n two\n\nthree ") == "one [1m\ntwo\n\nthree")
        #expect(SafeText.lines("aaaa\nbbbb", maximumCharacters: 2) == "aa\nbb")
    }

    @Test("the short way to say that a text is safe already agrees with taking it apart, for any text")
    func shortWay() {
        let alphabet: [String] = [
            "a", "Z", "9", "-", " ", "  ", "\n", "\n\n", "\r", "\t", "\u{7F}", "\u{9B}", "é", "e\u{301}", "ж", "ש", "م",
            "\u{64B}",
            "語", "か\u{3099}", "한", "\u{11A8}", "\u{200F}", "\u{202E}", "\u{2028}", "\u{FEFF}", "👍🏽", "🇩", "\u{E0041}",
            "क्", "—", "”",
            "\u{AD}", "\u{A0}", "\u{3000}", "！",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement() ?? "" }.joined()
            // A limit below the number of bytes takes the long way; one that cuts nothing has the same result.
            let limits = (short: text.utf8.count, long: max(1, text.count))
            #expect(
                Array(SafeText.line(text, maximumCharacters: limits.short).unicodeScalars)
                    == Array(SafeText.line(text, maximumCharacters: limits.long).unicodeScalars),
                "\(text.debugDescription)")
            let lines = SafeText.lines(text, maximumCharacters: limits.short)
            let apart = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map { SafeText.line(String($0), maximumCharacters: max(1, $0.count)) }.joined(separator: "\n")
            #expect(Array(lines.unicodeScalars) == Array(apart.unicodeScalars), "\(text.debugDescription)")
        }
    }
}
