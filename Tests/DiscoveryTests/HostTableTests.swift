import Testing

@testable import Discovery

/// An announcement with everything a test does not care about filled in.
private func key(_ name: String, interface: Int32 = 2, transport: Int32 = 0) -> ServiceKey {
    ServiceKey(interface: interface, transport: transport, name: name, domain: "local")
}

private func address(_ text: String, _ bytes: [UInt8]) -> ServiceAddress {
    ServiceAddress(bytes: bytes, text: text)
}

private let home4 = address("192.168.1.5", [192, 168, 1, 5])
private let home6 = address("fd00::5", [0xFD, 0] + [UInt8](repeating: 0, count: 13) + [5])
private let link6 = address("fe80::5", [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [5])
private let loop4 = address("127.0.0.1", [127, 0, 0, 1])
private let loop6 = address("::1", [UInt8](repeating: 0, count: 15) + [1])

private func answer(
    _ address: ServiceAddress, id: String? = "host", port: UInt16 = 42557, interface: String = "wlan0",
    isLocal: Bool = false
) -> ServiceResolution {
    ServiceResolution(
        address: address, port: port, interface: interface, isOnThisMachine: isLocal,
        text: ServiceText(hostID: id, security: .tls))
}

private func table(_ announcements: (ServiceKey, ServiceResolution)...) -> HostTable {
    var table = HostTable()
    for (key, resolution) in announcements {
        _ = table.appeared(key)
        table.resolved(key, resolution)
    }
    return table
}

extension DiscoveredHost {
    fileprivate var addresses: [String] { endpoints.map { "\($0.address) \($0.port)" } }
}

@Suite("Merging announcements into hosts")
struct HostMergingTests {
    @Test("one host heard over two interfaces and both families is one host")
    func interfaces() throws {
        let hosts = table(
            (key("Laptop", interface: 2), answer(home4)), (key("Laptop", interface: 3), answer(home6)),
            (key("Laptop", interface: 3, transport: 1), answer(home4, interface: "eth0"))
        ).hosts
        let host = try #require(hosts.first)
        #expect(hosts.count == 1)
        #expect(host.addresses == ["192.168.1.5 42557", "fd00::5 42557"])
    }

    @Test("a host that was renamed is one host under its newest name")
    func renamed() {
        let hosts = table((key("Laptop"), answer(home4)), (key("Laptop #2"), answer(home4))).hosts
        #expect(hosts.map(\.name) == ["Laptop #2"])
    }

    @Test("two hosts of one name are two hosts")
    func namesakes() {
        let hosts = table((key("Laptop"), answer(home4, id: "b")), (key("Laptop #2"), answer(home6, id: "a"))).hosts
        #expect(hosts.map(\.hostID) == ["b", "a"])
    }

    @Test("a host without an id goes by its name")
    func withoutIdentity() {
        let hosts = table(
            (key("A"), answer(home4, id: nil)), (key("A", interface: 3), answer(home6, id: nil)),
            (key("B"), answer(home4, id: nil))
        ).hosts
        #expect(hosts.map(\.name) == ["A", "B"])
    }

    @Test("a name cannot pose as an id")
    func posing() {
        #expect(table((key("x"), answer(home4, id: "A.local")), (key("A"), answer(home6, id: nil))).hosts.count == 2)
    }

    @Test("hosts of this machine come first, then names in order")
    func order() {
        let hosts = table(
            (key("B"), answer(home4, id: "1")), (key("A"), answer(home4, id: "2")),
            (key("Z"), answer(loop4, id: "3", interface: "lo", isLocal: true))
        ).hosts
        #expect(hosts.map(\.name) == ["Z", "A", "B"])
    }

    @Test("a host is gone with its last announcement")
    func vanishing() {
        var table = table((key("A", interface: 2), answer(home4)), (key("A", interface: 3), answer(home6)))
        table.vanished(key("A", interface: 2))
        #expect(table.hosts.map(\.addresses) == [["fd00::5 42557"]])
        table.vanished(key("A", interface: 3))
        #expect(table.hosts.isEmpty)
    }

    @Test("a stranger's name is made safe to print")
    func hostileName() {
        #expect(table((key("a\u{1B}]0;x\u{7}\nb"), answer(home4))).hosts.map(\.name) == ["a ]0;x b"])
        #expect(table((key("\u{1}"), answer(home4))).hosts.map(\.name) == ["(no name)"])
    }

    @Test("a stranger that uses a local host's id does not rename it and is tried last")
    func stolenIdentity() throws {
        let hosts = table(
            (key("Mine"), answer(loop4, interface: "lo", isLocal: true)), (key("Theirs"), answer(home4))
        ).hosts
        let host = try #require(hosts.first)
        #expect(hosts.count == 1)
        #expect(host.name == "Mine")
        #expect(host.addresses == ["127.0.0.1 42557", "::1 42557", "192.168.1.5 42557"])
    }
}

@Suite("The order to try a host's addresses in")
struct EndpointOrderTests {
    @Test("is IPv4, IPv6, link-local")
    func families() {
        let hosts = table(
            (key("A", interface: 2), answer(link6)), (key("A", interface: 3), answer(home6)),
            (key("A", interface: 4), answer(home4))
        ).hosts
        #expect(hosts.map(\.addresses) == [["192.168.1.5 42557", "fd00::5 42557", "fe80::5%wlan0 42557"]])
    }

    @Test("starts with loopback for a host of this machine, whatever address it announces")
    func local() {
        let hosts = table((key("A"), answer(home4, isLocal: true))).hosts
        #expect(hosts.map(\.addresses) == [["127.0.0.1 42557", "::1 42557", "192.168.1.5 42557"]])
        #expect(hosts.map(\.isOnThisMachine) == [true])
    }

    @Test("has the present port before an old one")
    func ports() {
        let hosts = table(
            (key("A"), answer(loop4, port: 1000, isLocal: true)),
            (key("A #2"), answer(loop4, port: 2000, isLocal: true))
        ).hosts
        #expect(hosts.map(\.addresses) == [["127.0.0.1 2000", "127.0.0.1 1000", "::1 2000", "::1 1000"]])
    }

    @Test(
        "has no address that would lead back to this machine or nowhere",
        arguments: [
            loop4, loop6, address("0.0.0.0", [0, 0, 0, 0]), address("224.0.0.251", [224, 0, 0, 251]),
            address("255.255.255.255", [255, 255, 255, 255]), address("::", [UInt8](repeating: 0, count: 16)),
            address("ff02::fb", [0xFF, 2] + [UInt8](repeating: 0, count: 13) + [0xFB]),
            address("::ffff:127.0.0.1", [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1]),
        ])
    func strangersTricks(address: ServiceAddress) {
        #expect(table((key("A"), answer(address))).hosts.isEmpty)
    }

    @Test("has no port 0")
    func noPort() {
        #expect(table((key("A"), answer(home4, port: 0))).hosts.isEmpty)
        #expect(table((key("A"), answer(loop4, port: 0, isLocal: true))).hosts.isEmpty)
    }
}

@Suite("Knowing when the search is complete")
struct SettlingTests {
    @Test("an announcement counts once, and those beyond the limit not at all")
    func limit() {
        var table = HostTable()
        let names = ["A", "A"] + (1..<HostTable.maximumServices).map(String.init) + ["one too many"]
        let isTaken = names.map { table.appeared(key($0)) }
        #expect(isTaken.count { $0 } == HostTable.maximumServices)
        #expect(!isTaken[1])
        #expect(isTaken.last == false)
        table.vanished(key("A"))
        let isTakenNow = table.appeared(key("one too many"))
        #expect(isTakenNow)
    }

    @Test("it waits for one family's answer, or both families' failure")
    func settled() {
        var table = HostTable()
        #expect(table.isSettled)
        _ = table.appeared(key("A"))
        #expect(!table.isSettled)
        table.failed(key("A"), .ipv6)
        #expect(!table.isSettled)
        table.resolved(key("A"), answer(home4))
        #expect(table.isSettled)
        _ = table.appeared(key("B"))
        table.failed(key("B"), .ipv4)
        table.failed(key("B"), .ipv6)
        #expect(table.isSettled)
    }

    @Test("only what nobody answered for is asked again")
    func unanswered() {
        var table = HostTable()
        #expect(!table.isUnanswered(key("A")))
        _ = table.appeared(key("A"))
        table.failed(key("A"), .ipv4)
        #expect(!table.isUnanswered(key("A")))
        table.failed(key("A"), .ipv6)
        #expect(table.isUnanswered(key("A")))
        table.resolved(key("A"), answer(home4))
        #expect(!table.isUnanswered(key("A")))
    }

    @Test("an address that no longer resolves is forgotten")
    func lostAnswer() {
        var table = table((key("A"), answer(home4)))
        table.failed(key("A"), .ipv4)
        #expect(table.hosts.isEmpty)
    }

    @Test("answers for what has gone change nothing")
    func lateAnswers() {
        var table = HostTable()
        table.resolved(key("A"), answer(home4))
        table.failed(key("A"), .ipv4)
        #expect(table.hosts.isEmpty)
        #expect(table.isSettled)
    }
}
