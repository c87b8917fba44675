import Foundation
import Testing

@testable import Discovery

extension AdvertisingEvent {
    fileprivate var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}

extension BrowsingReport {
    fileprivate var isUnavailable: Bool { if case .unavailable = progress { true } else { false } }
}

/// Takes down services that other tests use, so `Tests/run` runs it alone (as every suite named `…RestartTests`).
@Suite("When the Avahi daemon comes and goes", .serialized, .timeLimit(.minutes(2)))
struct AvahiRestartTests {
    private let id = UUID().uuidString
    private let events = Events<AdvertisingEvent>()
    private let reports = Events<BrowsingReport>()

    init() throws {
        try PrivateServices.require()
    }

    private var advertisement: HostAdvertisement {
        HostAdvertisement(
            name: "Restart \(id.prefix(4))", port: 42557, reach: .thisMachine,
            text: ServiceText(hostID: id, security: .none))
    }

    private func isFound(_ report: BrowsingReport) -> Bool {
        report.hosts.contains { $0.hostID == id }
    }

    private func startBoth() -> (Advertiser, Browser) {
        (Advertiser(advertisement, onEvent: events.report), Browser(onChange: reports.report))
    }

    @Test("both sides say that it is missing, and carry on when it is back", arguments: ["stop", "kill"])
    func restart(how: String) async throws {
        let (advertiser, browser) = startBoth()
        defer {
            advertiser.withdraw()
            browser.stop()
        }
        try await events.next { $0 == .established(name: advertisement.name) }
        try await reports.next(where: isFound)
        try PrivateServices.control("avahi", how)
        try await events.next { $0 == .unavailable(reason: "the Avahi daemon is not running") }
        let lost = try await reports.next { $0.isUnavailable }
        #expect(lost.hosts.isEmpty)
        try PrivateServices.control("avahi", "start")
        try await events.next { $0 == .established(name: advertisement.name) }
        try await reports.next(where: isFound)
    }

    @Test("both sides start without it, and work once it is there")
    func absentAtStart() async throws {
        try PrivateServices.control("avahi", "stop")
        let (advertiser, browser) = startBoth()
        defer {
            advertiser.withdraw()
            browser.stop()
        }
        try await events.next { $0.isUnavailable }
        try await reports.next { $0.isUnavailable }
        try PrivateServices.control("avahi", "start")
        try await events.next { $0 == .established(name: advertisement.name) }
        try await reports.next(where: isFound)
    }

    @Test("both sides survive the D-Bus system bus as well")
    func busRestart() async throws {
        let (advertiser, browser) = startBoth()
        defer {
            advertiser.withdraw()
            browser.stop()
        }
        try await reports.next(where: isFound)
        try PrivateServices.control("avahi", "stop")
        try PrivateServices.control("bus", "stop")
        try await events.next { $0.isUnavailable }
        try await reports.next { $0.isUnavailable }
        try PrivateServices.control("bus", "start")
        try PrivateServices.control("avahi", "start")
        try await events.next { $0 == .established(name: advertisement.name) }
        try await reports.next(where: isFound)
    }

    @Test("nothing waits for a daemon that hangs, and withdrawing gives up after half a second")
    func hangingDaemon() async throws {
        let pid = try #require(
            Int32(
                String(
                    contentsOfFile: ProcessInfo.processInfo.environment["ALLSPEAK_TEST_SERVICES", default: ""]
                        + "/avahi.pid", encoding: .utf8
                ).trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        let clock = ContinuousClock()
        var advertiser: Advertiser?
        let starting = clock.measure {
            advertiser = Advertiser(advertisement, onEvent: events.report)
            advertiser?.update(ServiceText(hostID: id, security: .tls))
        }
        #expect(starting < .milliseconds(100))
        let withdrawing = clock.measure { advertiser?.withdraw() }
        #expect(withdrawing < .milliseconds(900))
        // Once the daemon answers again, what was left behind ends by itself, and a new start works.
        kill(pid, SIGCONT)
        let (second, browser) = startBoth()
        defer {
            second.withdraw()
            browser.stop()
        }
        try await reports.next(where: isFound)
    }

    /// Here, where hardly anything runs beside it.
    @Test("fifty browsers and advertisers at once leave no descriptor and no thread")
    func leavesNothing() throws {
        func entries(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
        }
        let (descriptors, threads) = (try entries("fd"), try entries("task"))
        comeAndGo(count: 50)
        // Each has five descriptors while it lives; the few left over are the test runner's own.
        #expect(try entries("fd") < descriptors + 25)
        #expect(try entries("task") < threads + 25)
    }

    private func comeAndGo(count: Int) {
        for _ in (1...count).map({ _ in Browser { _ in } }) {}
        for _ in (1...count).map({ _ in Advertiser(advertisement) { _ in } }) {}
    }
}
