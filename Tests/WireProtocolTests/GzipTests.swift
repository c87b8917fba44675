import Testing
import WireProtocol

@Suite("Gzip (RFC 1952)")
struct GzipTests {
    private static let plain = Array(String(repeating: "And then they all spoke at once. ", count: 400).utf8)

    private static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 7)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    @Test("any bytes come back, none included", arguments: [[], [0], plain, noise(100_000)])
    func roundTrip(bytes: [UInt8]) throws {
        #expect(try Gzip.decompress(Gzip.compress(bytes), maximumBytes: bytes.count) == bytes)
    }

    @Test("the stream begins as gzip does, carries no time or name, and is the same every time")
    func header() {
        let stream = Gzip.compress(Self.plain)
        #expect(stream.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        #expect(stream == Gzip.compress(Self.plain))
        #expect(stream.count < Self.plain.count / 10)
    }

    @Test("a stream that another program made is read")
    func foreignStream() throws {
        // printf 'hello\n' | gzip -n | xxd -i
        let stream: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 0x02, 0x00,
            0x20,
            0x30, 0x3A, 0x36, 0x06, 0x00, 0x00, 0x00,
        ]
        #expect(try Gzip.decompress(stream, maximumBytes: 100).text == "hello\n")
    }

    @Test("a stream cut anywhere is refused")
    func truncated() {
        let stream = Gzip.compress(Array("hello hello hello".utf8))
        for length in stream.indices {
            #expect(throws: Gzip.Failure.notGzip, "\(length) bytes") {
                try Gzip.decompress(Array(stream[..<length]), maximumBytes: 1_000)
            }
        }
    }

    @Test("bytes after the stream are refused, a second stream too")
    func trailing() {
        let stream = Gzip.compress(Self.plain)
        for tail in [[0], stream] {
            #expect(throws: Gzip.Failure.notGzip) { try Gzip.decompress(stream + tail, maximumBytes: 1 << 20) }
        }
    }

    @Test("a flipped bit is noticed, in the data or the check sum")
    func damaged() {
        let stream = Gzip.compress(Array("hello hello hello".utf8))
        // Bytes 4 to 9 hold time, flags for the extra effort and system: no content.
        for index in stream.indices where !(4...9).contains(index) {
            var damaged = stream
            damaged[index] ^= 0x10
            #expect(throws: Gzip.Failure.self, "byte \(index)") { try Gzip.decompress(damaged, maximumBytes: 1_000) }
        }
    }

    @Test(
        "raw deflate, zlib and plain text are not gzip",
        arguments: [
            [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 0x02, 0x00], [0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01],
            Array("{}".utf8),
        ] as [[UInt8]])
    func otherFormats(bytes: [UInt8]) {
        #expect(throws: Gzip.Failure.notGzip) { try Gzip.decompress(bytes, maximumBytes: 1_000) }
    }

    @Test("the limit holds to the byte, and a bomb is stopped at it")
    func limit() throws {
        let bomb = Gzip.compress([UInt8](repeating: 0, count: 8 << 20))
        #expect(bomb.count < 10_000)
        #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(bomb, maximumBytes: 100_000) }
        #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(bomb, maximumBytes: (8 << 20) - 1) }
        #expect(try Gzip.decompress(bomb, maximumBytes: 8 << 20).count == 8 << 20)
    }
}
