import Testing

@testable import RemoteScreen

@Suite("Remote screen") struct RemoteScreenTests {
    @Test("a host's name is safe to show") func hostName() {
        let host = HostEntry(id: "1", name: "A\u{1B}[31mB", address: "1.2.3.4:1", isOnThisMachine: false)
        #expect(host.name == "A [31mB")
    }
}
