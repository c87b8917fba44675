import Testing
import Transport
import WireProtocol

@testable import RemoteRuntime

@Suite("The host that is remembered") struct RememberedHostTests {
    private static let host = RememberedHost(
        id: "6F9619FF-8B86-D011-B42D-00CF4FC964FF", name: "Laptop",
        endpoints: [Endpoint(address: "192.168.1.5", port: 42_557), Endpoint(address: "::1", port: 1)])

    private func reading(_ text: String) -> RememberedHost? {
        (try? JSONReader.value(of: Array(text.utf8))).flatMap { RememberedHost($0) }
    }

    @Test("is read as it was written")
    func written() {
        #expect(reading(String(decoding: Self.host.bytes, as: UTF8.self)) == Self.host)
    }

    @Test(
        "nothing is made of a file that does not name a host",
        arguments: [
            "", "[]", "null", "{}", #"{"id":7,"name":"x","endpoints":[]}"#, #"{"id":"","name":"x","endpoints":[]}"#,
            #"{"id":"a","endpoints":[]}"#, #"{"id":"a","name":"x"}"#, #"{"id":"a","name":"x","endpoints":{}}"#,
        ])
    func useless(text: String) {
        #expect(reading(text) == nil)
    }

    @Test("addresses that are none are left out, of many the first eight are tried, and a name is made safe")
    func hostile() throws {
        let odd = #"{"address":7,"port":1},{"address":"a","port":0},{"address":"a","port":70000},{"port":3},7"#
        let many = (1...20).map { #"{"address":"10.0.0.\#($0)","port":1}"# }.joined(separator: ",")
        let first = try #require(reading(##"{"id":"a","name":"\u001b[2Jx","endpoints":[\##(odd)]}"##))
        #expect(first.endpoints.isEmpty)
        #expect(!first.name.contains("\u{1B}"))
        #expect(try #require(reading(##"{"id":"a","name":"x","endpoints":[\##(many)]}"##)).endpoints.count == 8)
    }
}
