import Testing

@testable import Discovery

@Suite("The TXT record")
struct ServiceTextTests {
    private func read(_ strings: String...) -> ServiceText {
        ServiceText(strings: strings.map { Array($0.utf8) })
    }

    private func written(_ text: ServiceText) -> [String] {
        text.strings.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("starts with its format and names the host by id")
    func plainHost() {
        let text = ServiceText(hostID: "k3f9", security: .none)
        #expect(written(text) == ["txtvers=1", "pv=1", "id=k3f9", "sec=none"])
    }

    @Test("of a TLS host carries the hint to its certificate and whether pairing is open")
    func secureHost() {
        let text = ServiceText(
            hostID: "k3f9", protocolVersions: 1...3, security: .tls, fingerprint: "q83vEjRWeJA", isPairing: true)
        #expect(
            written(text) == ["txtvers=1", "pv=1-3", "id=k3f9", "sec=tls", "fp=q83vEjRWeJA", "pair=1"])
    }

    @Test(
        "reads as it was written",
        arguments: [
            ServiceText(hostID: "a", security: .none),
            ServiceText(hostID: nil, security: .tls),
            ServiceText(hostID: "a-b_c", protocolVersions: 2...9, security: .tls, fingerprint: "xyz", isPairing: true),
        ])
    func roundTrip(text: ServiceText) {
        #expect(ServiceText(strings: text.strings) == text)
    }

    @Test("without a key means its default, and TLS where security is not mentioned")
    func defaults() {
        let text = read()
        #expect(text.hostID == nil)
        #expect(text.protocolVersions == 1...1)
        #expect(text.security == .tls)
        #expect(text.fingerprint == nil)
        #expect(!text.isPairing)
    }

    @Test("ignores what it does not know")
    func unknownKeys() {
        #expect(read("web=8443/", "id=a", "flag", "=x", "", "feat=cues").hostID == "a")
    }

    @Test("has keys in any case, and of two equal ones the first counts")
    func keys() {
        #expect(read("ID=first", "id=second").hostID == "first")
    }

    @Test("of another format says nothing")
    func otherFormat() {
        #expect(read("txtvers=2", "id=a", "sec=none") == read())
        #expect(read("id=a", "sec=none", "txtvers=2") == read())
    }

    @Test(
        "never talks anybody into plain text by a word it does not know", arguments: ["sec=NONE", "sec=", "sec=noise"])
    func unknownSecurity(string: String) {
        #expect(read(string).security == .tls)
    }

    @Test(
        "takes no identity that is empty, over-long, spaced or not visible ASCII",
        arguments: [
            "", "a b", "a\u{1B}[2J", "é", "a\u{202E}", String(repeating: "a", count: 129),
        ])
    func hostileIdentity(id: String) {
        #expect(read("id=" + id).hostID == nil)
        #expect(read("fp=" + id).fingerprint == nil)
    }

    @Test("survives bytes that are no text")
    func binary() {
        let text = ServiceText(strings: [[0xFF, 0xFE], Array("id=".utf8) + [0xC3, 0x28], Array("pv=".utf8) + [0]])
        #expect(text == read())
    }

    @Test("reads the versions of a host", arguments: zip(["1", "1-1", "2-4"], [1...1, 1...1, 2...4]))
    func versions(value: String, expected: ClosedRange<Int>) {
        #expect(read("pv=" + value).protocolVersions == expected)
    }

    @Test(
        "takes versions that make no sense for the default",
        arguments: ["", "-", "0", "0-2", "3-1", "1-2-3", "x", "-1", "1-", "99999", "1-99999999"])
    func senselessVersions(value: String) {
        #expect(read("pv=" + value).protocolVersions == 1...1)
    }
}
