import Foundation
import LinuxSystem
import Testing

@Suite("Random identifiers")
struct IdentifiersTests {
    @Test("as many random bytes as asked for, never the same twice", arguments: [0, 1, 16, 300, 100_000])
    func randomBytes(count: Int) {
        let bytes = Identifiers.randomBytes(count)
        #expect(bytes.count == count)
        if count >= 16 { #expect(bytes != Identifiers.randomBytes(count)) }
        if count == 100_000 { #expect(Set(bytes).count == 256) }
    }

    @Test("a UUID is what Foundation reads and writes as one, of version 4")
    func uuid() throws {
        for _ in 0..<200 {
            let text = Identifiers.uuid()
            #expect(try #require(UUID(uuidString: text)).uuidString == text)
            #expect(text[text.index(text.startIndex, offsetBy: 14)] == "4")
            #expect("89AB".contains(text[text.index(text.startIndex, offsetBy: 19)]))
        }
        #expect(Identifiers.uuid() != Identifiers.uuid())
    }

    @Test(
        "the same sixteen bytes make the same UUID, with version and variant set",
        arguments: [
            ([UInt8](repeating: 0, count: 16), 4, "00000000-0000-4000-8000-000000000000"),
            ([UInt8](repeating: 0xFF, count: 16), 8, "FFFFFFFF-FFFF-8FFF-BFFF-FFFFFFFFFFFF"),
            (Array(1...20), 4, "01020304-0506-4708-890A-0B0C0D0E0F10"),
        ] as [([UInt8], UInt8, String)])
    func fromBytes(bytes: [UInt8], version: UInt8, expected: String) {
        #expect(Identifiers.uuid(of: bytes, version: version) == expected)
    }

    @Test("fewer than sixteen bytes are a programmer's error")
    func tooFew() async {
        await #expect(processExitsWith: .failure) { _ = Identifiers.uuid(of: [1, 2, 3], version: 4) }
    }
}
