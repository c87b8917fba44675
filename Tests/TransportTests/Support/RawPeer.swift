import Glibc
import LinuxSystem
import Transport

/// The far end of a connection, by plain system calls, so that it can misbehave as a channel never would.
final class RawPeer {
    private let loop: EventLoop
    private(set) var descriptor: Int32
    private var watch: EventLoop.Watch?

    private(set) var received: [UInt8] = []
    private(set) var sawEnd = false
    private(set) var error: Int32?

    /// Connects to `endpoint`, which must be IPv4 and have room in its backlog.
    init(to endpoint: Endpoint, loop: EventLoop) throws {
        self.loop = loop
        descriptor = try retryingInterrupts("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        let raw = descriptor
        try retryingInterrupts("connect") { RawPeer.withAddress(endpoint) { connect(raw, $0, $1) } }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close()
    }

    static func withAddress<Result>(_ endpoint: Endpoint, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result)
        -> Result
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = endpoint.port.bigEndian
        inet_pton(AF_INET, endpoint.address, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Reads from now on, `atMost` bytes a turn.
    func startReading(atMost: Int = 65_536) throws {
        var buffer = [UInt8](repeating: 0, count: atMost)
        watch = try loop.watch(descriptor) { [unowned self] _ in
            let count = recv(descriptor, &buffer, atMost, 0)
            if count > 0 {
                received += buffer[..<count]
                return
            }
            if count == 0 { sawEnd = true } else { error = errno }
            stopReading()
        }
    }

    private func stopReading() {
        if let watch { loop.unwatch(watch, of: descriptor) }
        watch = nil
    }

    /// Sends as much as the socket takes; returns how much that was.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection by a reset, as a crashed peer's system does.
    func reset() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        guard descriptor >= 0 else { return }
        stopReading()
        Glibc.close(descriptor)
        descriptor = -1
    }
}
