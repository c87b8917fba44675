import Foundation
import Testing

@testable import Discovery

private func advertisement(
    _ name: String, id: String, port: UInt16 = 42557, text: ServiceText? = nil
) -> HostAdvertisement {
    HostAdvertisement(
        name: name, port: port, reach: .thisMachine, text: text ?? ServiceText(hostID: id, security: .none))
}

extension BrowsingReport {
    fileprivate func host(_ id: String) -> DiscoveredHost? { hosts.first { $0.hostID == id } }
}

@Suite("With a real Avahi daemon", .timeLimit(.minutes(1)))
struct AvahiTests {
    init() throws {
        try PrivateServices.require()
    }

    @Test("a host is found under its name, on loopback first, with its port and text")
    func found() async throws {
        let id = UUID().uuidString
        let (events, reports) = (Events<AdvertisingEvent>(), Events<BrowsingReport>())
        let advertiser = Advertiser(advertisement("Found \(id.prefix(4))", id: id, port: 45001), onEvent: events.report)
        defer { advertiser.withdraw() }
        try await events.next { $0 == .established(name: "Found \(id.prefix(4))") }
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        let host = try #require(try await reports.next { $0.host(id) != nil }.host(id))
        #expect(host.name == "Found \(id.prefix(4))")
        #expect(host.isOnThisMachine)
        #expect(host.endpoints.map(\.address) == ["127.0.0.1", "::1"])
        #expect(host.endpoints.allSatisfy { $0.port == 45001 })
        #expect(host.text == ServiceText(hostID: id, security: .none))
        try await reports.next { $0.progress == .complete }
    }

    @Test("a search without hosts of ours completes all the same")
    func completes() async throws {
        let reports = Events<BrowsingReport>()
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        try await reports.next { $0.progress == .complete }
    }

    @Test("a host that comes later is seen, and is gone once withdrawn")
    func comesAndGoes() async throws {
        let id = UUID().uuidString
        let reports = Events<BrowsingReport>()
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        try await reports.next { $0.progress == .complete }
        let advertiser = Advertiser(advertisement("Late \(id.prefix(4))", id: id)) { _ in }
        try await reports.next { $0.host(id) != nil }
        advertiser.withdraw()
        try await reports.next { $0.host(id) == nil }
    }

    @Test("dropping the advertiser withdraws the host")
    func dropped() async throws {
        let id = UUID().uuidString
        let reports = Events<BrowsingReport>()
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        var advertiser: Advertiser? = Advertiser(advertisement("Dropped \(id.prefix(4))", id: id)) { _ in }
        try await reports.next { $0.host(id) != nil }
        #expect(advertiser != nil)
        advertiser = nil
        try await reports.next { $0.host(id) == nil }
    }

    @Test("of two hosts with one name the second gets one suffix, and both are found by id")
    func collision() async throws {
        let (first, second) = (UUID().uuidString, UUID().uuidString)
        let name = "Twin \(first.prefix(4))"
        let (firstEvents, secondEvents) = (Events<AdvertisingEvent>(), Events<AdvertisingEvent>())
        let one = Advertiser(advertisement(name, id: first), onEvent: firstEvents.report)
        try await firstEvents.next { $0 == .established(name: name) }
        let two = Advertiser(advertisement(name, id: second), onEvent: secondEvents.report)
        defer { two.withdraw() }
        try await secondEvents.next { $0 == .renamed(from: name, to: name + " #2") }
        try await secondEvents.next { $0 == .established(name: name + " #2") }
        let reports = Events<BrowsingReport>()
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        let report = try await reports.next { $0.host(first) != nil && $0.host(second) != nil }
        #expect(report.host(first)?.name == name)
        #expect(report.host(second)?.name == name + " #2")
        one.withdraw()
        let later = try await reports.next { $0.host(first) == nil }
        #expect(later.host(second) != nil)
    }

    @Test("one host announced under two names counts once")
    func twoNames() async throws {
        let id = UUID().uuidString
        let (firstEvents, secondEvents) = (Events<AdvertisingEvent>(), Events<AdvertisingEvent>())
        let old = Advertiser(advertisement("Old \(id.prefix(4))", id: id), onEvent: firstEvents.report)
        let new = Advertiser(advertisement("New \(id.prefix(4))", id: id), onEvent: secondEvents.report)
        defer {
            old.withdraw()
            new.withdraw()
        }
        try await firstEvents.next { if case .established = $0 { true } else { false } }
        try await secondEvents.next { if case .established = $0 { true } else { false } }
        let reports = Events<BrowsingReport>()
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        let report = try await reports.next { $0.progress == .complete && $0.host(id) != nil }
        #expect(report.hosts.filter { $0.hostID == id }.count == 1)
    }

    @Test("a change of the text reaches those who look")
    func update() async throws {
        let id = UUID().uuidString
        let reports = Events<BrowsingReport>()
        let closed = ServiceText(hostID: id, security: .tls, fingerprint: "abc")
        let advertiser = Advertiser(advertisement("Text \(id.prefix(4))", id: id, text: closed)) { _ in }
        defer { advertiser.withdraw() }
        let browser = Browser(onChange: reports.report)
        defer { browser.stop() }
        try await reports.next { $0.host(id)?.text == closed }
        let open = ServiceText(hostID: id, security: .tls, fingerprint: "abc", isPairing: true)
        advertiser.update(open)
        try await reports.next { $0.host(id)?.text == open }
    }

    @Test("withdrawing takes well under a second, also twice and before anything was established")
    func withdrawing() {
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 1...5 {
                let advertiser = Advertiser(advertisement("Quick \(number)", id: "quick")) { _ in }
                advertiser.withdraw()
                advertiser.withdraw()
            }
        }
        #expect(time < .seconds(1))
    }
}
