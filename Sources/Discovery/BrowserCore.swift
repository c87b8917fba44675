internal import CAvahi

/// Resolves every service the daemon hears of and reports the hosts they make.
// Unchecked: after its making touched on the loop's thread only.
final class BrowserCore: @unchecked Sendable {
    /// Milliseconds until a service that nobody answered for is asked for again; Avahi itself has given up after 5 s.
    private static let retryMilliseconds: UInt32 = 2_000

    private let loop: EventLoop
    private let onChange: @Sendable (BrowsingReport) -> Void
    private var connection: DaemonConnection?
    private var client: Client?
    private var browser: ServiceBrowser?
    private var resolvers: [ServiceKey: [ServiceResolver]] = [:]
    private var table = HostTable()
    private var hasAllForNow = false
    private var retry: LoopTimer?
    private var lastReport: BrowsingReport?

    init(on loop: EventLoop, onChange: @escaping @Sendable (BrowsingReport) -> Void) {
        self.loop = loop
        self.onChange = onChange
    }

    func open() {
        let connection = DaemonConnection(on: loop) { [weak self] change in self?.connectionChanged(change) }
        self.connection = connection
        connection.open()
    }

    func close() {
        drop()
        connection?.close()
        connection = nil
    }

    private func connectionChanged(_ change: DaemonConnection.Change) {
        switch change {
        case .running(let client), .settling(let client):
            if browser == nil { browse(with: client) }
        case .lost(let reason):
            drop()
            report(.unavailable(reason: reason))
        }
    }

    private func drop() {
        retry = nil
        resolvers = [:]
        browser = nil
        client = nil
        table = HostTable()
        hasAllForNow = false
    }

    private func browse(with client: Client) {
        do throws(AvahiError) {
            browser = try ServiceBrowser(of: client) { [weak self] event in self?.heard(event) }
            self.client = client
            reportProgress()
        } catch {
            report(.unavailable(reason: error.reason))
        }
    }

    private func heard(_ event: ServiceBrowser.Event) {
        switch event {
        case .appeared(let key):
            if table.appeared(key) { resolve(key) }
        case .vanished(let key):
            resolvers[key] = nil
            table.vanished(key)
        case .allForNow:
            hasAllForNow = true
        case .failed(let error):
            return report(.unavailable(reason: error.reason))
        }
        reportProgress()
    }

    /// Asks for both families, since one resolver tells one address.
    private func resolve(_ key: ServiceKey) {
        guard let client else { return }
        let families: [DiscoveredHost.Endpoint.Family] = [.ipv4, .ipv6]
        resolvers[key] = families.compactMap { family in
            do throws(AvahiError) {
                return try ServiceResolver(of: client, key, family: family) { [weak self] resolution in
                    self?.answered(key, family, resolution)
                }
            } catch {
                table.failed(key, family)
                return nil
            }
        }
    }

    private func answered(
        _ key: ServiceKey, _ family: DiscoveredHost.Endpoint.Family, _ resolution: ServiceResolution?
    ) {
        if let resolution {
            table.resolved(key, resolution)
        } else {
            table.failed(key, family)
            if retry == nil, table.isUnanswered(key) {
                retry = LoopTimer(on: loop, afterMilliseconds: Self.retryMilliseconds) { [weak self] in
                    self?.askAgain()
                }
            }
        }
        reportProgress()
    }

    private func askAgain() {
        retry = nil
        for key in resolvers.keys where table.isUnanswered(key) {
            resolvers[key] = nil
            resolve(key)
        }
    }

    private func reportProgress() {
        report(hasAllForNow && table.isSettled ? .complete : .searching)
    }

    private func report(_ progress: BrowsingReport.Progress) {
        let report = BrowsingReport(hosts: table.hosts, progress: progress)
        guard report != lastReport else { return }
        lastReport = report
        onChange(report)
    }
}
