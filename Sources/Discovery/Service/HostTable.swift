internal import WireProtocol

/// One announcement: the same host appears once per interface and mDNS protocol.
struct ServiceKey: Hashable {
    let interface: Int32
    /// mDNS over IPv4 or IPv6, as Avahi counts them.
    let transport: Int32
    /// As announced, which may be hostile.
    let name: String
    let domain: String
}

/// What resolving one announcement for one address family gave.
struct ServiceResolution: Equatable {
    var address: ServiceAddress
    var port: UInt16
    var interface: String
    var isOnThisMachine: Bool
    var text: ServiceText
}

/// The services heard so far, and the hosts they make.
struct HostTable {
    /// Announcements kept at once; Avahi allows a client 1024 objects, and each takes two resolvers.
    static let maximumServices = 256

    private enum Answer {
        case waiting
        case failed
        case found(ServiceResolution, sequence: Int)
    }

    private var services: [ServiceKey: [DiscoveredHost.Endpoint.Family: Answer]] = [:]
    private var sequence = 0

    /// Notes an announcement; `false` for one that is known or one too many.
    mutating func appeared(_ key: ServiceKey) -> Bool {
        guard services[key] == nil, services.count < Self.maximumServices else { return false }
        services[key] = [.ipv4: .waiting, .ipv6: .waiting]
        return true
    }

    mutating func resolved(_ key: ServiceKey, _ resolution: ServiceResolution) {
        sequence += 1
        services[key]?[resolution.address.family] = .found(resolution, sequence: sequence)
    }

    /// The family has no address, or nobody answered; an earlier answer no longer holds.
    mutating func failed(_ key: ServiceKey, _ family: DiscoveredHost.Endpoint.Family) {
        services[key]?[family] = .failed
    }

    mutating func vanished(_ key: ServiceKey) {
        services[key] = nil
    }

    /// Whether nothing answered for an announcement that is still there, so that asking again makes sense.
    func isUnanswered(_ key: ServiceKey) -> Bool {
        guard let answers = services[key] else { return false }
        return answers.values.allSatisfy { if case .failed = $0 { true } else { false } }
    }

    /// Whether every announcement is resolved, or given up.
    ///
    /// One family's answer is enough: a host without IPv6 never answers for it, and Avahi needs seconds to say so.
    var isSettled: Bool {
        services.values.allSatisfy { answers in
            answers.values.contains { if case .found = $0 { true } else { false } }
                || answers.values.allSatisfy { if case .failed = $0 { true } else { false } }
        }
    }

    var hosts: [DiscoveredHost] {
        var groups: [String: [(key: ServiceKey, resolution: ServiceResolution, sequence: Int)]] = [:]
        for (key, answers) in services {
            for case .found(let resolution, let sequence) in answers.values {
                // Without an id the name has to do; the prefix keeps a name from posing as an id.
                let identity = resolution.text.hostID.map { "id " + $0 } ?? "name " + key.name + "." + key.domain
                groups[identity, default: []].append((key, resolution, sequence))
            }
        }
        return groups.values.compactMap(Self.merged).sorted(by: Self.isShownBefore)
    }

    /// One host out of its announcements; the newest names it, but no stranger's beside one of this machine.
    private static func merged(
        _ found: [(key: ServiceKey, resolution: ServiceResolution, sequence: Int)]
    ) -> DiscoveredHost? {
        guard
            let newest = found.max(by: {
                ($0.resolution.isOnThisMachine ? 1 : 0, $0.sequence) < (
                    $1.resolution.isOnThisMachine ? 1 : 0, $1.sequence
                )
            })
        else { return nil }
        let endpoints = orderedEndpoints(found.map(\.resolution), currentPort: newest.resolution.port)
        guard !endpoints.isEmpty else { return nil }
        let name = SafeText.line(newest.key.name, maximumCharacters: Limits.nameCharacters)
        return DiscoveredHost(
            name: name.isEmpty ? "(no name)" : name, text: newest.resolution.text,
            isOnThisMachine: newest.resolution.isOnThisMachine,
            endpoints: endpoints)
    }

    private static func orderedEndpoints(
        _ resolutions: [ServiceResolution], currentPort: UInt16
    ) -> [DiscoveredHost.Endpoint] {
        var candidates: [(rank: Int, endpoint: DiscoveredHost.Endpoint)] = []
        for resolution in resolutions {
            if resolution.isOnThisMachine { candidates += loopback(port: resolution.port) }
            let address = resolution.address
            // A stranger that announces our own loopback would send us to a program of this machine.
            guard address.isUnicast, !address.isLoopback, resolution.port != 0 else { continue }
            let needsScope = address.family == .ipv6 && address.isLinkLocal
            candidates.append(
                (
                    address.rank,
                    DiscoveredHost.Endpoint(
                        address: needsScope ? address.text + "%" + resolution.interface : address.text,
                        family: address.family, port: resolution.port, interface: resolution.interface)
                ))
        }
        // A host that came back on another port may still be announced on the old one as well.
        let order = { (rank: Int, endpoint: DiscoveredHost.Endpoint) in
            (rank, endpoint.port == currentPort ? 0 : 1, endpoint.interface, endpoint.address, endpoint.port)
        }
        var seen: Set<String> = []
        return candidates.sorted { order($0.rank, $0.endpoint) < order($1.rank, $1.endpoint) }
            .map(\.endpoint)
            .filter { seen.insert("\($0.address) \($0.port)").inserted }
    }

    /// Both families: whichever the host does not listen on refuses at once.
    private static func loopback(port: UInt16) -> [(rank: Int, endpoint: DiscoveredHost.Endpoint)] {
        guard port != 0 else { return [] }
        return [
            (0, .init(address: "127.0.0.1", family: .ipv4, port: port, interface: "lo")),
            (1, .init(address: "::1", family: .ipv6, port: port, interface: "lo")),
        ]
    }

    private static func isShownBefore(_ left: DiscoveredHost, _ right: DiscoveredHost) -> Bool {
        if left.isOnThisMachine != right.isOnThisMachine { return left.isOnThisMachine }
        return (left.name, left.hostID ?? "") < (right.name, right.hostID ?? "")
    }
}
