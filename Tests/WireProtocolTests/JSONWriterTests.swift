import Testing
import WireProtocol

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("commas stand between members and nowhere else")
    func commas() {
        let text = written { writer in
            writer.object { writer in
                writer.key("a")
                writer.array { writer in
                    writer.integer(1)
                    writer.array { _ in }
                    writer.object { _ in }
                    writer.null()
                }
                writer.key("b")
                writer.bool(true)
                writer.key("c")
                writer.object { writer in
                    writer.key("d")
                    writer.string("e")
                }
            }
        }
        #expect(text == #"{"a":[1,[],{},null],"b":true,"c":{"d":"e"}}"#)
    }

    @Test("a writer with a maximum stops soon after it, however much there is to write")
    func maximum() {
        let huge = JSONValue.array(Array(repeating: .number(1e300), count: 10_000))
        for value in [huge, .object([.init("a", .array([huge, huge])), .init("b", huge)])] {
            var writer = JSONWriter(maximumBytes: 1_000)
            writer.value(value)
            #expect((1_001...1_400).contains(writer.bytes.count))
        }
        var roomy = JSONWriter(maximumBytes: 13)
        roomy.value(.object([.init("a", .array([.integer(1), .integer(2)]))]))
        #expect(roomy.bytes.text == #"{"a":[1,2]}"#)
    }

    @Test(
        "texts are escaped as JSON.stringify escapes them (RFC 8785 §3.2.2.2)",
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("\"\\", #""\"\\""#), ("/", #""/""#),
            ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#),
            ("\u{7F}", "\"\u{7F}\""), ("é€🎬\u{2028}", "\"é€🎬\u{2028}\""), ("a\nb", #""a\nb""#),
            ("\nab\n", #""\nab\n""#),
        ])
    func escapes(text: String, expected: String) {
        #expect(written { $0.string(text) } == expected)
    }

    @Test("a line holds no line feed, whatever the text")
    func oneLine() {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))
        #expect(!written { $0.string(text) }.utf8.contains(0x0A))
    }

    @Test(
        "numbers have the fewest digits that read back the same, and never an exponent",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (-5, "-5"), (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"),
            (1234.5, "1234.5"),
            (-0.25, "-0.25"), (1e-4, "0.0001"), (1e-5, "0.00001"), (-1.5e-7, "-0.00000015"), (1e15, "1000000000000000"),
            (1e21, "1000000000000000000000"), (1.5e16, "15000000000000000"), (-1.25e20, "-125000000000000000000"),
            (9_007_199_254_740_992, "9007199254740992"), (1_152_921_504_606_846_976, "1152921504606847000"),
            (100_000.000_001, "100000.000001"), (123_456_789_012_345.67, "123456789012345.67"),
        ] as [(Double, String)])
    func numbers(value: Double, expected: String) {
        #expect(written { $0.number(value) } == expected)
    }

    @Test("every position in microseconds of a ten-hour film is written in at most six decimals")
    func positions() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            let position = (Double.random(in: 0...36_000, using: &generator) * 1e6).rounded() / 1e6
            let text = written { $0.number(position) }
            #expect(text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }, "\(text)")
            #expect((text.split(separator: ".").dropFirst().first?.count ?? 0) <= 6, "\(text)")
        }
    }

    @Test("every finite double survives a round trip, bit for bit but for the sign of zero")
    func doubleRoundTrip() throws {
        var generator = SeededGenerator(seed: 3)
        var values = [Double.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .pi, .ulpOfOne]
        while values.count < 20_000 {
            let value = Double(bitPattern: generator.next())
            if value.isFinite { values.append(value) }
        }
        for value in values + values.map(-) {
            let text = written { $0.number(value) }
            #expect(!text.contains("e"))
            #expect(try json(text).doubleValue == value, "\(text)")
        }
    }

    @Test("every integer survives", arguments: [0, 1, -1, 42, .max, .min] as [Int])
    func integers(value: Int) throws {
        #expect(try json(written { $0.integer(value) }) == .integer(value))
    }

    @Test("whatever value was built comes back equal from what was written")
    func valueRoundTrip() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let value = Self.randomValue(depth: 4, &generator)
            #expect(try json(written { $0.value(value) }) == value)
        }
    }

    @Test("infinity and NaN have no JSON: asking for one is a programmer's error")
    func notFinite() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.number(.nan)
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.number(.infinity)
        }
    }

    private static func randomValue(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int(truncatingIfNeeded: generator.next()))
        // A fraction, since a whole number is read back as an integer.
        case 3: return .number(Double(Int.random(in: -1000...1000, using: &generator)) + 0.5)
        case 4: return .string(randomText(&generator))
        case 5: return .array((0..<3).map { _ in randomValue(depth: depth - 1, &generator) })
        default:
            return .object(
                (0..<3).map { _ in .init(randomText(&generator), randomValue(depth: depth - 1, &generator)) })
        }
    }

    private static func randomText(_ generator: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
