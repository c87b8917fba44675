import Testing

@testable import Discovery

@Suite("The name a host announces")
struct HostAdvertisementTests {
    private func announced(_ name: String) -> String {
        HostAdvertisement(name: name, port: 1, reach: .network, text: ServiceText(hostID: nil, security: .tls)).name
    }

    @Test("is the host's own, in any script")
    func plain() {
        #expect(announced("Ana's ThinkPad") == "Ana's ThinkPad")
        #expect(announced("映画館のノート") == "映画館のノート")
    }

    @Test("is cut between characters to the 63 bytes of a service name")
    func long() {
        #expect(announced(String(repeating: "a", count: 100)) == String(repeating: "a", count: 63))
        // 21 characters of three bytes are 63; the 22nd does not fit.
        #expect(announced(String(repeating: "映", count: 22)) == String(repeating: "映", count: 21))
        #expect(announced(String(repeating: "é", count: 40)) == String(repeating: "é", count: 31))
    }

    @Test("has no control characters, and is never empty")
    func hostile() {
        #expect(announced("a\u{1B}[31mb\nc") == "a [31mb c")
        #expect(announced("") == "Allspeak")
        #expect(announced("\u{0}\n") == "Allspeak")
    }
}
