import Testing
import WireProtocol

@Suite("Framing: one line, one frame")
struct LineFramerTests {
    private typealias Frame = LineFramer.Frame

    private func line(_ text: String) -> Frame { .line(Array(text.utf8)) }

    /// Feeds `bytes` in pieces of `size`.
    private func frames(of bytes: [UInt8], in size: Int = .max, limit: Int = Limits.frameBytes) -> [Frame] {
        var framer = LineFramer(maximumBytes: limit)
        var frames: [Frame] = []
        var start = 0
        while start < bytes.count {
            let end = start + min(size, bytes.count - start)
            framer.append(bytes[start..<end]) { frames.append($0) }
            start = end
        }
        return frames
    }

    private func frames(of text: String, in size: Int = .max, limit: Int = Limits.frameBytes) -> [Frame] {
        frames(of: Array(text.utf8), in: size, limit: limit)
    }

    @Test("a whole line is a frame; its line feed is not part of it")
    func whole() {
        #expect(frames(of: "{\"a\":1}\n") == [line("{\"a\":1}")])
    }

    @Test("however the bytes arrive, the frames are the same", arguments: 1...40)
    func dripped(size: Int) {
        let text = "{\"text\":\"é🎬}\\n{\"}\n\n{\"b\":2}\r\n   \n{\"c\":3}\n"
        let whole = [line("{\"text\":\"é🎬}\\n{\"}"), line("{\"b\":2}"), line("   "), line("{\"c\":3}")]
        #expect(frames(of: text, in: size) == whole)
    }

    @Test("lines glued into one packet come out one by one, in order")
    func glued() {
        let text = (1...500).map { "{\"id\":\($0)}\n" }.joined()
        #expect(frames(of: text) == (1...500).map { line("{\"id\":\($0)}") })
    }

    @Test("a line that has not ended is no frame, and waits")
    func truncated() {
        var framer = LineFramer()
        var frames: [Frame] = []
        framer.append(Array("{\"a\":".utf8)) { frames.append($0) }
        #expect(frames == [])
        #expect(framer.pendingBytes == 5)
        framer.append(Array("1}\n{".utf8)) { frames.append($0) }
        #expect(frames == [line("{\"a\":1}")])
        #expect(framer.pendingBytes == 1)
    }

    @Test("CRLF ends a line as LF does; a lone CR does not")
    func carriageReturns() {
        #expect(frames(of: "a\r\nb\n\r\nc\rd\n") == [line("a"), line("b"), line("c\rd")])
        #expect(frames(of: "a\r\nb\r\n", in: 1) == [line("a"), line("b")])
    }

    @Test("empty lines are passed over")
    func emptyLines() {
        #expect(frames(of: "\n\r\n\n\na\n\n") == [line("a")])
    }

    @Test("any collection of bytes will do")
    func collections() {
        var frames: [Frame] = []
        var framer = LineFramer()
        framer.append("a\nb".utf8.lazy.map { $0 }) { frames.append($0) }
        framer.append(Array("c\nxd\n".utf8)[0..<2]) { frames.append($0) }
        Array("d\n".utf8).withUnsafeBytes { bytes in framer.append(bytes) { frames.append($0) } }
        framer.append(EmptyCollection<UInt8>()) { frames.append($0) }
        #expect(frames == [line("a"), line("bc"), line("d")])
    }

    // MARK: The limit

    @Test("65 536 bytes with the line feed pass, 65 537 do not", arguments: [1, 4_096, 65_536, .max])
    func exactLimit(size: Int) {
        let limit = Limits.frameBytes
        #expect(limit == 65_536)
        func frame(_ count: Int) -> [UInt8] { Array(repeating: 0x61, count: count - 1) + [0x0A] }
        #expect(frames(of: frame(limit - 1), in: size) == [.line(Array(repeating: 0x61, count: limit - 2))])
        #expect(frames(of: frame(limit), in: size) == [.line(Array(repeating: 0x61, count: limit - 1))])
        #expect(frames(of: frame(limit + 1), in: size) == [.tooLarge])
    }

    @Test("a carriage return counts towards the limit")
    func limitWithCarriageReturn() {
        #expect(frames(of: "abcdef\r\n", limit: 8) == [line("abcdef")])
        #expect(frames(of: "abcdefg\r\n", limit: 8) == [.tooLarge])
    }

    @Test("too large is said once, as soon as it is certain, and the next line is read again", arguments: 1...40)
    func recovers(size: Int) {
        let text =
            "ok\n" + String(repeating: "x", count: 30) + "\n\nback\n" + String(repeating: "y", count: 8) + "\nend\n"
        #expect(frames(of: text, in: size, limit: 8) == [line("ok"), .tooLarge, line("back"), .tooLarge, line("end")])
        #expect(frames(of: String(repeating: "x", count: 8), in: size, limit: 8) == [.tooLarge])
    }

    @Test("a line without an end costs no memory past the limit")
    func bounded() {
        var framer = LineFramer()
        var count = 0
        for _ in 0..<1_000 {
            framer.append([UInt8](repeating: 0x7B, count: 1_000)) { _ in count += 1 }
            #expect(framer.pendingBytes < Limits.frameBytes)
        }
        #expect(count == 1)
        #expect(framer.pendingBytes == 0)
    }
}
