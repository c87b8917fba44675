internal import WireProtocol

/// Which host to connect to: the remembered one, the only one, or the one that is picked.
struct HostFinding {
    /// Seconds for a second host to be heard before the only one is taken.
    static let settling = 0.5
    /// Seconds without a host after which that is said.
    static let patience = 2.0

    enum Stage: Equatable {
        case looking
        /// The hand wants another host than the one connected to.
        case choosing(instead: String)
        /// Connecting or connected; by a name or address to show.
        case settled(String)
    }

    var stage = Stage.looking
    private(set) var hosts: [HostEntry] = []
    private(set) var searchFailure: String?
    /// Why the last attempt to connect failed.
    var linkFailure: String?
    private(set) var selected = 0
    private let began: SteadyTime
    private var onlyOneSince: SteadyTime?
    private let remembered: String?

    init(remembered: String?, address: String?, now: SteadyTime) {
        self.remembered = remembered
        began = now
        if let address { stage = .settled(SafeText.line(address)) }
    }

    mutating func heard(_ hosts: [HostEntry], searchFailure: String?, now: SteadyTime) {
        let chosen = self.hosts.indices.contains(selected) ? self.hosts[selected] : nil
        let before = self.hosts.count == 1 ? self.hosts.first : nil
        self.hosts = hosts
        self.searchFailure = searchFailure.map { SafeText.line($0) }
        selected = hosts.firstIndex { $0 == chosen } ?? min(selected, max(0, hosts.count - 1))
        if hosts.count == 1 {
            if onlyOneSince == nil || before.map({ !Self.same($0, hosts[0]) }) ?? true { onlyOneSince = now }
        } else {
            onlyOneSince = nil
        }
    }

    private static func same(_ one: HostEntry, _ other: HostEntry) -> Bool {
        one.id == other.id && one.name == other.name
    }

    /// The host to connect to without being asked, if there is one now.
    func automatic(at now: SteadyTime) -> HostEntry? {
        guard stage == .looking else { return nil }
        if let remembered, let host = hosts.first(where: { $0.id == remembered }) { return host }
        guard let onlyOneSince, now - onlyOneSince >= Self.settling else { return nil }
        return hosts.first
    }

    mutating func select(_ place: Int) {
        selected = min(max(0, place), max(0, hosts.count - 1))
    }

    func hasWaitedLong(at now: SteadyTime) -> Bool { now - began >= Self.patience }

    /// When `automatic` or what is shown is another by itself.
    func nextDeadline(after now: SteadyTime) -> SteadyTime? {
        guard stage == .looking else { return nil }
        let settled = onlyOneSince.map { $0 + Self.settling }
        let waited = hosts.isEmpty ? began + Self.patience : nil
        return [settled, waited].compactMap(\.self).filter { $0 > now }.min()
    }
}
