import Testing
import WireProtocol

@Suite("Reading JSON (strict RFC 8259)")
struct JSONReaderTests {
    @Test(
        "every kind of value reads as what it is",
        arguments: [
            ("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)),
            ("0", .integer(0)), ("-12", .integer(-12)), ("1.5", .number(1.5)), ("\"a\"", .string("a")),
            ("[]", .array([])), ("{}", .object([])), ("[1,[2]]", .array([.integer(1), .array([.integer(2)])])),
            (#"{"a":{"b":[null]}}"#, .object([.init("a", .object([.init("b", .array([.null]))]))])),
            (" \t\r\n{ \"a\" : [ 1 , 2 ] } \n", .object([.init("a", .array([.integer(1), .integer(2)]))])),
        ])
    func values(text: String, value: JSONValue) throws {
        #expect(try json(text) == value)
    }

    @Test(
        "depth counts objects and arrays from the outside in",
        arguments: [
            ("1", 0), ("\"[[\"", 0), ("[]", 1), ("{}", 1), ("[1,[2],3]", 2), (#"{"a":[],"b":{"c":[{}]}}"#, 4),
        ])
    func depth(text: String, levels: Int) throws {
        #expect(try json(text).depth == levels)
        _ = try JSONReader.value(of: Array(text.utf8), maximumDepth: levels)
        if levels > 0 {
            #expect(throws: JSONError.self) { try JSONReader.value(of: Array(text.utf8), maximumDepth: levels - 1) }
        }
    }

    @Test(
        "what is not exactly one value is refused",
        arguments: [
            "", " ", "nul", "nulll", "True", "'a'", "[1,]", "[,1]", "[1 2]", "[1", "{", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1", "[}", "{]", "1 2", "{}{}", "{}x", "[]]",
            "// 1",
            "/* */1", "\u{FEFF}{}", "\u{00A0}1", "\u{0}", "{}\u{0}",
        ])
    func notOneValue(text: String) {
        #expect(throws: JSONError.self) { try json(text) }
    }

    @Test("every cut of a frame is refused, never read as something shorter")
    func truncated() throws {
        let frame = Array(
            #"{"kind":"command","id":7,"payload":{"kind":"skip","seconds":-5.25e0,"x":["\u00e9\n",true]}}"#.utf8)
        _ = try JSONReader.value(of: frame)
        for length in frame.indices {
            #expect(throws: JSONError.self, "first \(length) bytes") { try JSONReader.value(of: frame[..<length]) }
        }
    }

    @Test("the error names the byte where reading stopped")
    func errorOffset() {
        let colon = #expect(throws: JSONError.self) { try json(#"{"a" 1}"#) }
        #expect(colon?.offset == 5)
        let second = #expect(throws: JSONError.self) { try json("{} {}") }
        #expect(second?.offset == 3)
    }

    // MARK: Numbers

    @Test(
        "numbers follow the grammar to the letter",
        arguments: [
            "01", "-01", "00", "+1", ".5", "5.", "-", "-.5", "1.e3", "1e", "1e+", "1E-", "0x10", "1_000", "1,5", "NaN",
            "nan",
            "Infinity", "-Infinity", "inf", "1e5.5", "--1", "1-1", "\u{0661}",
        ])
    func badNumbers(text: String) {
        #expect(throws: JSONError.self) { try json(text) }
    }

    @Test(
        "exponents and fractions read as doubles",
        arguments: [
            ("1e3", 1000.0), ("1E+3", 1000), ("25e-1", 2.5), ("0.1", 0.1), ("-0.0", -0.0), ("0e0", 0), ("1e-999", 0),
            ("1.7976931348623157e308", Double.greatestFiniteMagnitude), ("5e-324", Double.leastNonzeroMagnitude),
            ("0.30000000000000004", 0.1 + 0.2),
        ])
    func doubles(text: String, value: Double) throws {
        #expect(try json(text) == .number(value))
    }

    @Test(
        "a number that no double holds is refused, not made infinite",
        arguments: [
            "1e999", "-1e999", "1e309", "123456789" + String(repeating: "0", count: 400),
        ])
    func outOfRange(text: String) {
        #expect(throws: JSONError.self) { try json(text) }
    }

    @Test("minus zero is zero")
    func minusZero() throws {
        #expect(try json("-0") == .integer(0))
        #expect(try json("-0.0").doubleValue == 0)
        #expect(try json("-0.0").integerValue == 0)
    }

    @Test("integers are exact to 64 bits and become doubles beyond")
    func hugeIntegers() throws {
        #expect(try json("9223372036854775807") == .integer(.max))
        #expect(try json("-9223372036854775808") == .integer(.min))
        #expect(try json("9007199254740993") == .integer(9_007_199_254_740_993))
        let beyond = try json("9223372036854775808")
        #expect(beyond == .number(9_223_372_036_854_775_808))
        #expect(beyond.integerValue == nil)
    }

    @Test("short decimal numbers are the doubles nearest to them, bit for bit")
    func shortDecimals() throws {
        var random = SystemRandomNumberGenerator()
        for round in 0..<50_000 {
            let decimals = Int.random(in: 1...14, using: &random)
            let whole = Int.random(in: 0...(round % 2 == 0 ? 9 : 99_999_999), using: &random)
            let digits = (0..<decimals).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let text = (round % 3 == 0 ? "-" : "") + "\(whole).\(digits)"
            let expected = try #require(Double(text))
            let read = try JSONReader.value(of: Array(text.utf8)).doubleValue
            #expect(read?.bitPattern == expected.bitPattern, "\(text)")
        }
    }

    @Test("a whole double counts as an integer, another does not")
    func wholeDoubles() throws {
        #expect(try json("3.0").integerValue == 3)
        #expect(try json("3e2").integerValue == 300)
        #expect(try json("3.5").integerValue == nil)
        #expect(try json("1e300").integerValue == nil)
        #expect(try json("7").doubleValue == 7)
    }

    // MARK: Strings

    @Test("braces, quotes and escaped line ends inside a string stay inside it")
    func structureInStrings() throws {
        let value = try json(#"{"text":"}{][,:\"\\","next":"line\nfeed"}"#)
        #expect(value["text"]?.stringValue == "}{][,:\"\\")
        #expect(value["next"]?.stringValue == "line\nfeed")
    }

    @Test(
        "every escape of the grammar, and no other",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u00E9\u20ac""#, "Aéé€"),
            (#""\u0000""#, "\0"), (#""\ud83c\udfac""#, "🎬"), (#""a\ud83c\udfacb""#, "a🎬b"),
        ])
    func escapes(text: String, value: String) throws {
        #expect(try json(text) == .string(value))
    }

    @Test(
        "unknown and unfinished escapes are refused",
        arguments: [
            #""\x41""#, #""\'""#, #""\u12""#, #""\u12g4""#, #""\u""#, #""\"#, #""\ud83c\u12""#, #""\U0041""#,
            #""\u+041""#,
            #""\uＡＡＡＡ""#,
        ])
    func badEscapes(text: String) {
        #expect(throws: JSONError.self) { try json(text) }
    }

    @Test(
        "a lone surrogate becomes U+FFFD and harms nothing beside it",
        arguments: [
            (#""\ud83c""#, "\u{FFFD}"), (#""\udfac""#, "\u{FFFD}"), (#""a\ud83cb""#, "a\u{FFFD}b"),
            (#""\ud83c\u0041""#, "\u{FFFD}A"), (#""\ud83c\n""#, "\u{FFFD}\n"), (#""\udfac\ud83c""#, "\u{FFFD}\u{FFFD}"),
            (#""\ud83c\ud83c\udfac""#, "\u{FFFD}🎬"),
        ])
    func loneSurrogates(text: String, value: String) throws {
        #expect(try json(text) == .string(value))
    }

    @Test("control characters must be escaped; delete may stand", arguments: Array(UInt8(0)...0x1F))
    func controlCharacters(byte: UInt8) throws {
        #expect(throws: JSONError.self) { try JSONReader.value(of: [0x22, byte, 0x22]) }
        #expect(throws: JSONError.self) { try JSONReader.value(of: [0x22, 0x5C, 0x6E, byte, 0x22]) }
        #expect(try JSONReader.value(of: [0x22, 0x7F, 0x22]) == .string("\u{7F}"))
    }

    @Test("text in any script reads as it stands")
    func scripts() throws {
        #expect(try json("\"Ещё раз — مرحبا 你好 🎬\"") == .string("Ещё раз — مرحبا 你好 🎬"))
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [
            [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONReader.value(of: [0x22] + bytes + [0x22]) }
        #expect(throws: JSONError.self) { try JSONReader.value(of: [0x22, 0x5C, 0x6E] + bytes + [0x22]) }
        #expect(throws: JSONError.self) { try JSONReader.value(of: bytes) }
    }

    // MARK: Objects and nesting

    @Test("of equal keys the last counts, and null counts as absent")
    func duplicateKeys() throws {
        #expect(try json(#"{"a":1,"b":2,"a":3}"#)["a"] == .integer(3))
        #expect(try json(#"{"a":1,"a":null}"#)["a"] == nil)
        #expect(try json(#"{"a":null}"#)["a"] == nil)
        #expect(try json(#"{"":1}"#)[""] == .integer(1))
        #expect(try json(#"{"\u0061":1}"#)["a"] == .integer(1))
    }

    @Test("a value that is no object has no members")
    func membersOfOthers() throws {
        for text in ["[1]", "1", "\"kind\"", "null", "true"] { #expect(try json(text)["kind"] == nil) }
    }

    @Test("sixteen levels are read, a seventeenth is refused")
    func nesting() throws {
        func nested(_ levels: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            _ = try json(nested(Limits.jsonDepth, open, close))
            #expect(throws: JSONError.self) { try json(nested(Limits.jsonDepth + 1, open, close)) }
        }
        _ = try json("[" + String(repeating: "[1],", count: 100) + "[1]]")
    }

    @Test("a frame full of brackets is refused without filling the stack")
    func bracketFlood() {
        #expect(throws: JSONError.self) { try json(String(repeating: "[", count: Limits.frameBytes)) }
        #expect(throws: JSONError.self) { try json(String(repeating: "{\"a\":", count: Limits.frameBytes / 5)) }
    }

    @Test("no bytes whatever stop the reader")
    func randomBytes() {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array(#"{}[]":,\u0dD8e+-.19 tfn"#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            _ = try? JSONReader.value(of: bytes)
        }
    }
}
