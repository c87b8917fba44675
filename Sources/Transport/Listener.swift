internal import CLinux
internal import Glibc
package import LinuxSystem
internal import WireProtocol

/// A listening TCP socket on a loop.
package final class Listener {
    /// Connections taken in one turn, so that a flood of them does not starve those that are open.
    private static let acceptedPerTurn = 4
    /// Bytes that the system keeps for a connection each way (it takes twice that for its own needs); both are more than
    /// any frame, and without them a peer that floods, or does not read, would have it keep megabytes.
    private static let systemBuffers = (receive: Int32(65_536), send: Int32(131_072))
    /// Seconds to wait when the process has no descriptor left for another connection.
    private static let pauseWhenExhausted = 0.1

    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private var watch: EventLoop.Watch?

    /// Where it listens, with the port the system chose.
    package let endpoint: Endpoint
    /// Takes over a non-blocking socket.
    package var onConnection: (_ descriptor: Int32, _ peer: Endpoint) -> Void = { descriptor, _ in
        Glibc.close(descriptor)
    }

    /// Asked when the process has no descriptor left for a connection that waits; true if there is one now.
    package var makeRoom: () -> Bool = { false }

    /// Listens at `endpoint`; port 0 lets the system choose.
    ///
    /// - Throws: `SystemError` with the address: EADDRINUSE, EADDRNOTAVAIL, EACCES.
    package init(_ endpoint: Endpoint, loop: EventLoop) throws(SystemError) {
        self.loop = loop
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let family = endpoint.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = FileDescriptor(
            owning: try retryingInterrupts("socket", subject: endpoint.text) { socket(family, kind, 0) })
        let raw = descriptor.raw
        var on: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        // Connections inherit these.
        for (option, bytes) in [(SO_RCVBUF, Self.systemBuffers.receive), (SO_SNDBUF, Self.systemBuffers.send)] {
            withUnsafePointer(to: bytes) {
                _ = setsockopt(raw, SOL_SOCKET, option, $0, socklen_t(MemoryLayout<Int32>.size))
            }
        }
        if endpoint.isIPv6 {
            // IPv4 has a listener of its own.
            setsockopt(raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        try retryingInterrupts("bind", subject: endpoint.text) {
            endpoint.withSocketAddress { bind(raw, $0, $1) } ?? Self.invalidAddress()
        }
        try retryingInterrupts("listen", subject: endpoint.text) { listen(raw, SOMAXCONN) }
        self.endpoint = Endpoint.ofPeer(raw, getsockname) ?? endpoint
        self.descriptor = descriptor
        watch = try loop.watch(raw) { [weak self] _ in self?.accept() }
    }

    deinit {
        stop()
    }

    /// Takes no more connections: further ones are refused, rather than left waiting.
    package func stop() {
        guard let watch else { return }
        loop.unwatch(watch, of: descriptor.raw)
        self.watch = nil
        shutdown(descriptor.raw, Int32(SHUT_RDWR))
    }

    private static func invalidAddress() -> Int32 {
        errno = EADDRNOTAVAIL
        return -1
    }

    private func accept() {
        for _ in 0..<Self.acceptedPerTurn {
            let connection = allspeak_accept(descriptor.raw)
            if connection >= 0 {
                onConnection(connection, Endpoint.ofPeer(connection, getpeername) ?? endpoint)
                continue
            }
            switch errno {
            case ECONNABORTED, EINTR: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // Without a descriptor left that is the answer even when nobody waits.
                guard isSomebodyWaiting else { return }
                if !makeRoom() { return pause() }
            default: return
            }
        }
    }

    private var isSomebodyWaiting: Bool {
        var waiting = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    private func pause() {
        guard let watch else { return }
        loop.change(watch, of: descriptor.raw, to: [])
        loop.schedule(at: loop.now + Self.pauseWhenExhausted) { [weak self] in
            guard let self, let watch = self.watch else { return }
            loop.change(watch, of: descriptor.raw, to: .readable)
        }
    }
}
