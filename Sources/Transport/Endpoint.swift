internal import CLinux
internal import Glibc

/// An IP address and port, as numbers; never a name to look up.
package struct Endpoint: Hashable, Sendable {
    /// Numeric, without brackets; an IPv6 link-local one carries its `%interface`.
    package var address: String
    package var port: UInt16

    package init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// `127.0.0.1:42557` or `[::1]:42557`.
    package var text: String {
        address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    package var isLoopback: Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }

    /// The addresses of `name`, in the resolver's order.
    ///
    /// Blocks for as long as the resolver takes: for start-up and one-shot programs.
    /// - Throws: the resolver's words.
    package static func resolve(_ name: String, port: UInt16) throws(ResolutionError) -> [Endpoint] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(name, String(port), &hints, &list)
        guard failure == 0 else { throw ResolutionError(name: name, reason: String(cString: gai_strerror(failure))) }
        defer { freeaddrinfo(list) }
        var found: [Endpoint] = []
        var next = list
        while let entry = next {
            if let text = numericAddress(entry.pointee.ai_addr, entry.pointee.ai_addrlen) {
                found.append(Endpoint(address: text, port: port))
            }
            next = entry.pointee.ai_next
        }
        return found
    }

    /// Calls `body` with the socket address; `nil` where `address` is not a numeric address.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(list) }
        return body(first.pointee.ai_addr, first.pointee.ai_addrlen)
    }

    var isIPv6: Bool { address.contains(":") }

    static func ofPeer(
        _ descriptor: Int32, _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Endpoint? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard call(descriptor, address, &length) == 0, let text = numericAddress(address, length) else {
                    return nil
                }
                return Endpoint(address: text, port: port(of: address))
            }
        }
    }

    private static func port(of address: UnsafePointer<sockaddr>) -> UInt16 {
        // The port stands at the same place in sockaddr_in and sockaddr_in6.
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }

    private static func numericAddress(_ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard let address,
            getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}

/// A host name that leads to no address.
package struct ResolutionError: Error, Equatable, Sendable {
    package var name: String
    package var reason: String
}
