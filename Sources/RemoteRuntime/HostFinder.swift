internal import Discovery
internal import LinuxSystem
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// Where the host is: at an address the user gave, or wherever mDNS hears it.
///
/// Confined to its loop.
final class HostFinder {
    /// What the user said about the host.
    enum Wanted: Equatable {
        /// The only one there is.
        case any
        case address([Endpoint])
        /// A part of its name, or its id.
        case announced(String)
    }

    static let defaultPort: UInt16 = 42557
    /// Seconds for a host to be heard; mDNS answers within 0.12 s (RFC 6762 §6), a busy machine takes longer.
    private static let patience = 3.0
    /// Seconds after the first host of this machine in which a second one would be heard too: the daemon tells those it
    /// announces itself at once, while "that is all" takes it a second, which nobody waits for gladly in the dark.
    private static let graceForOwn = 0.1

    private let loop: EventLoop
    private let wanted: Wanted
    private let mailbox = Mailbox<BrowsingReport>()
    private var browser: Browser?
    private var watch: EventLoop.Watch?
    private(set) var report: BrowsingReport?
    private var firstOwnAt: SteadyTime?
    /// Called when other hosts are heard than before.
    var onReport: () -> Void = {}

    init(_ wanted: Wanted, loop: EventLoop) throws(SystemError) {
        self.wanted = wanted
        self.loop = loop
        watch = try loop.watch(mailbox.descriptor) { [weak self] _ in self?.takeReports() }
        if case .address = wanted { return }
        let mailbox = self.mailbox
        browser = Browser { mailbox.post($0) }
    }

    deinit {
        stop()
    }

    private func takeReports() {
        report = mailbox.drain().last ?? report
        onReport()
        guard firstOwnAt == nil, candidates.contains(where: \.isOnThisMachine) else { return }
        firstOwnAt = MonotonicClock.now()
        loop.schedule(at: MonotonicClock.now() + Self.graceForOwn) {}
    }

    /// Looks no further.
    func stop() {
        browser?.stop()
        browser = nil
        mailbox.close()
        if let watch { loop.unwatch(watch, of: mailbox.descriptor) }
        watch = nil
    }

    /// False where the user gave an address.
    var looksHostsUp: Bool {
        if case .address = wanted { false } else { true }
    }

    /// Whether the user has said nothing about the host.
    var mayBeAny: Bool { wanted == .any }

    /// Where the user said that it is.
    var givenEndpoints: [Endpoint]? {
        if case .address(let endpoints) = wanted { endpoints } else { nil }
    }

    /// Every host that may be meant and is heard now, and why none can be.
    var heard: (hosts: [DiscoveredHost], failure: String?) {
        let failure: String? = if case .unavailable(let reason)? = report?.progress { reason } else { nil }
        return (candidates, failure)
    }

    // MARK: First contact

    /// Waits until it is clear which host is meant.
    /// - Throws: `Failure`: `unavailable` when there is none, or several to choose from.
    func find() throws(Failure) -> [Endpoint] {
        if case .address(let endpoints) = wanted { return endpoints }
        _ = loop.run(until: MonotonicClock.now() + Self.patience) {
            switch report?.progress {
            case .unavailable: true
            case .complete: !candidates.isEmpty
            case .searching, nil: firstOwnAt.map { MonotonicClock.now() - $0 >= Self.graceForOwn } ?? false
            }
        }
        if candidates.count == 1 { return Self.endpoints(candidates[0]) }
        if candidates.count > 1 { throw Self.several(candidates) }
        throw noneFound
    }

    /// Waits for as long as it takes; `nil` once `isGivenUp` holds, which is asked whenever the loop has turned.
    ///
    /// Calls `onWaiting` when there is no host at first.
    /// - Throws: `Failure` with code `unavailable` when there are several to choose from, or hosts cannot be looked for.
    func find(patiently onWaiting: () -> Void, until isGivenUp: () -> Bool) throws(Failure) -> [Endpoint]? {
        if case .address(let endpoints) = wanted { return endpoints }
        if let endpoints = try? find() { return endpoints }
        if case .unavailable? = report?.progress { throw noneFound }
        if candidates.count > 1 { throw Self.several(candidates) }
        onWaiting()
        while candidates.isEmpty {
            // An hour is only a bound for the loop; it turns with every report and signal.
            _ = loop.run(until: MonotonicClock.now() + 3_600) { !candidates.isEmpty || isGivenUp() }
            if isGivenUp() { return nil }
        }
        return try find()
    }

    /// Every host heard until all that are there have answered.
    func all() throws(Failure) -> [DiscoveredHost] {
        _ = loop.run(until: MonotonicClock.now() + Self.patience) {
            switch report?.progress {
            case .unavailable, .complete: true
            case .searching, nil: false
            }
        }
        if case .unavailable(let reason) = report?.progress { throw Self.unavailable(reason) }
        return report?.hosts ?? []
    }

    private var candidates: [DiscoveredHost] {
        let hosts = report?.hosts ?? []
        guard case .announced(let text) = wanted else { return hosts }
        if let exact = hosts.first(where: { $0.hostID == text || $0.name == text }) { return [exact] }
        return hosts.filter { $0.name.lowercased().contains(text.lowercased()) }
    }

    /// Where the host with this id is now, if it is heard.
    func endpoints(ofHost id: String?) -> [Endpoint]? {
        if case .address(let endpoints) = wanted { return endpoints }
        let host = report?.hosts.first { id != nil && $0.hostID == id } ?? (id == nil ? candidates.first : nil)
        return host.map { Self.endpoints($0) }
    }

    static func endpoints(_ host: DiscoveredHost) -> [Endpoint] {
        host.endpoints.map { Endpoint(address: $0.address, port: $0.port) }
    }

    // MARK: Sentences

    private var noneFound: Failure {
        if case .unavailable(let reason) = report?.progress { return Self.unavailable(reason) }
        let what =
            if case .announced(let text) = wanted { "No host named \(SafeText.line(text)) was found" } else {
                "No host was found"
            }
        return Failure(
            .unavailable,
            "\(what). Start one with: allspeak-host play …, or name its address: --host 127.0.0.1:\(Self.defaultPort)")
    }

    private static func unavailable(_ reason: String) -> Failure {
        Failure(
            .unavailable,
            "Hosts cannot be looked for (\(reason)). Name the address: --host 127.0.0.1:\(defaultPort)")
    }

    private static func several(_ hosts: [DiscoveredHost]) -> Failure {
        let list = hosts.map { "  --host \($0.hostID ?? $0.name)    \($0.name)" }.joined(separator: "\n")
        return Failure(.unavailable, "There are \(hosts.count) hosts; choose one:\n\(list)")
    }
}

extension HostFinder.Wanted {
    /// Reads `--host`: `name`, `id`, `address`, `address:port`, `[v6]:port` or `v6`.
    ///
    /// - Throws: `Failure` for a port that is none, or a host name that leads nowhere.
    init(_ text: String?) throws(Failure) {
        guard let text else {
            self = .any
            return
        }
        guard !text.isEmpty else {
            throw RemoteSyntax.program.usage("--host needs a host's address, name or id", of: nil)
        }
        let (name, port) = try Self.split(text)
        let looksLikeAddress = port != nil || name == "localhost" || name.contains(".") || name.contains(":")
        do throws(ResolutionError) {
            guard looksLikeAddress else {
                self = .announced(text)
                return
            }
            self = .address(try Endpoint.resolve(name, port: port ?? HostFinder.defaultPort))
        } catch {
            throw Failure(
                .unavailable, "No address is known for \(SafeText.line(name)): \(error.reason). Check --host.")
        }
    }

    private static func split(_ text: String) throws(Failure) -> (name: String, port: UInt16?) {
        let colons = text.filter { $0 == ":" }.count
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let rest = text[text.index(after: end)...]
            let name = String(text[text.index(after: text.startIndex)..<end])
            return (name, rest.isEmpty ? nil : try number(String(rest.dropFirst())))
        }
        guard colons == 1, let colon = text.firstIndex(of: ":") else { return (text, nil) }
        return (String(text[..<colon]), try number(String(text[text.index(after: colon)...])))
    }

    private static func number(_ text: String) throws(Failure) -> UInt16 {
        guard let port = UInt16(text), port > 0 else {
            throw RemoteSyntax.program.usage("--host takes HOST[:PORT] with a port from 1 to 65535", of: nil)
        }
        return port
    }
}
