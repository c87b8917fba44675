import Foundation
import Testing
import WireProtocol

@Suite("Base 64 (RFC 4648)")
struct Base64Tests {
    @Test(
        "the vectors of RFC 4648 §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)[...]) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test("bytes of every length and value survive, and Foundation agrees")
    func roundTrip() {
        var generator = SeededGenerator(seed: 6)
        for length in 0...300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.encode(bytes[...])
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
        }
        #expect(Base64.decode(Base64.encode(Array(UInt8(0)...255)[...])) == Array(0...255))
    }

    @Test("a slice is encoded from where it starts")
    func slices() {
        #expect(Base64.encode(Array("xxfoobar".utf8)[2...]) == "Zm9vYmFy")
    }

    @Test("a chunk of 30 000 bytes fits a frame")
    func chunkFits() {
        let text = Base64.encode([UInt8](repeating: 0xFF, count: Limits.cueChunkBytes)[...])
        #expect(text.utf8.count == 40_000)
        #expect(text.utf8.count + 1_024 < Limits.frameBytes)
    }

    @Test(
        "what is not exactly an encoding is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zm8", "Zm9vY", "=", "==", "====", "Zg===", "Z===", "Zg==Zg==", "Zm=v", "=Zm9",
            "Zm9v====", "Zg==\n",
            "Zm9v\n", "Zm9v Zg==", "Zm\r\n9v", "Zm9-", "Zm9_", "Zm9\u{0}", "Zmé", "Zm9v!Zg=",
        ])
    func strict(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("bits that no byte uses must be zero", arguments: ["Zh==", "Zn==", "Zm9=", "Zm+=", "//==", "///="])
    func strayBits(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
