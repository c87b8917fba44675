/// An IP address as a service announces it.
struct ServiceAddress: Hashable {
    /// Four or sixteen bytes in network order.
    let bytes: [UInt8]
    /// Numeric form without scope.
    let text: String

    var family: DiscoveredHost.Endpoint.Family { bytes.count == 4 ? .ipv4 : .ipv6 }

    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Valid on its link only (RFC 3927, RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether a connection to it can mean a host: not unspecified, multicast, reserved or IPv4 in disguise.
    var isUnicast: Bool {
        if bytes.count == 4 { return bytes[0] != 0 && bytes[0] < 224 }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return bytes.count == 16 && bytes[0] != 0xFF && !isMapped && bytes.contains { $0 != 0 }
    }

    /// Place in the order to try; lower is earlier.
    var rank: Int {
        (isLoopback ? 0 : isLinkLocal ? 4 : 2) + (family == .ipv4 ? 0 : 1)
    }
}
