/// A host found by mDNS, merged over interfaces, address families and names.
package struct DiscoveredHost: Equatable, Sendable {
    /// One way to reach the host.
    package struct Endpoint: Hashable, Sendable {
        package enum Family: Sendable {
            case ipv4, ipv6
        }

        /// Numeric, with the scope of a link-local IPv6 address (`fe80::1%eth0`).
        package let address: String
        package let family: Family
        package let port: UInt16
        /// Name of the interface it was heard on.
        package let interface: String
    }

    /// The name it announces, safe to print.
    package let name: String
    package let text: ServiceText
    /// Whether the same Avahi daemon announces it.
    package let isOnThisMachine: Bool
    /// The endpoints in the order to try: loopback first for a host of this machine, then IPv4, IPv6, link-local.
    ///
    /// Never empty.
    package let endpoints: [Endpoint]

    package var hostID: String? { text.hostID }
}

/// What a browser knows at one moment.
package struct BrowsingReport: Equatable, Sendable {
    package enum Progress: Equatable, Sendable {
        /// Answers may still be under way.
        case searching
        /// All that is there for now has answered, which takes a second; later changes are still reported.
        ///
        /// Before, a host that ended within the last second may be among the hosts (RFC 6762 §10.1).
        case complete
        /// mDNS is missing, for a reason told as a clause; the browser keeps trying.
        case unavailable(reason: String)
    }

    /// Hosts of this machine first, then by name.
    package let hosts: [DiscoveredHost]
    package let progress: Progress
}
