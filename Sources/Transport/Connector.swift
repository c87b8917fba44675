internal import CLinux
internal import Glibc
package import LinuxSystem
internal import WireProtocol

/// One attempt to connect: several addresses in turn until one answers.
package final class Connector {
    /// Seconds an address may take before the next is tried.
    package static let secondsPerAddress = 2.0

    private let loop: EventLoop
    private var rest: ArraySlice<Endpoint>
    private var descriptor: Int32 = -1
    private var watch: EventLoop.Watch?
    private var timer: EventLoop.Timer?
    private var lastError = SystemError("connect", errno: EHOSTUNREACH)
    private let onResult: (Result<Channel, SystemError>) -> Void

    /// Calls `onResult` once, from the loop, unless cancelled before.
    package init(
        to endpoints: [Endpoint], loop: EventLoop, onResult: @escaping (Result<Channel, SystemError>) -> Void
    ) {
        self.loop = loop
        self.onResult = onResult
        rest = endpoints[...]
        timer = loop.schedule(at: loop.now) { [weak self] in self?.tryNext() }
    }

    deinit {
        cancel()
    }

    package func cancel() {
        abandonAttempt()
        rest = []
    }

    private func abandonAttempt() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard descriptor >= 0 else { return }
        if let watch { loop.unwatch(watch, of: descriptor) }
        watch = nil
        Glibc.close(descriptor)
        descriptor = -1
    }

    private func tryNext() {
        abandonAttempt()
        guard let endpoint = rest.popFirst() else { return onResult(.failure(lastError)) }
        do throws(SystemError) {
            try start(endpoint)
        } catch {
            lastError = error
            tryNext()
        }
    }

    private func start(_ endpoint: Endpoint) throws(SystemError) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let family = endpoint.isIPv6 ? AF_INET6 : AF_INET
        descriptor = try retryingInterrupts("socket", subject: endpoint.text) { socket(family, kind, 0) }
        let raw = descriptor
        let result = endpoint.withSocketAddress { connect(raw, $0, $1) }
        guard let result else { throw SystemError("connect", subject: endpoint.text, errno: EADDRNOTAVAIL) }
        guard result == 0 || errno == EINPROGRESS else { throw .last("connect", subject: endpoint.text) }
        watch = try loop.watch(raw, for: .writable) { [weak self] _ in self?.finish(endpoint) }
        timer = loop.schedule(at: loop.now + Self.secondsPerAddress) { [weak self] in
            self?.lastError = SystemError("connect", subject: endpoint.text, errno: ETIMEDOUT)
            self?.tryNext()
        }
    }

    private func finish(_ endpoint: Endpoint) {
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
        if failure == 0, isConnectedToItself { failure = ECONNREFUSED }
        guard failure == 0 else {
            lastError = SystemError("connect", subject: endpoint.text, errno: failure)
            return tryNext()
        }
        if let timer { loop.cancel(timer) }
        timer = nil
        if let watch { loop.unwatch(watch, of: descriptor) }
        watch = nil
        let connected = descriptor
        descriptor = -1
        rest = []
        do throws(SystemError) {
            onResult(.success(try Channel(owning: connected, loop: loop)))
        } catch {
            onResult(.failure(error))
        }
    }

    /// Whether the system gave this end the very port it was to reach (TCP's simultaneous open), which happens on
    /// loopback when nobody listens there.
    private var isConnectedToItself: Bool {
        guard let own = Endpoint.ofPeer(descriptor, getsockname) else { return false }
        return own == Endpoint.ofPeer(descriptor, getpeername)
    }
}
