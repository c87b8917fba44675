internal import Glibc
package import LinuxSystem

/// A connected stream socket on a loop: bytes are handed on as they come and pulled as they can be written.
///
/// Confined to its loop. Pulling keeps what waits where it can still be replaced by something newer.
package final class Channel {
    package enum End: Equatable, Sendable {
        case peerClosed
        case failed(SystemError)
    }

    /// Bytes read at once; one buffer serves every channel of a loop.
    private static let readSize = 65_536

    private let loop: EventLoop
    private var descriptor: Int32
    private var watch: EventLoop.Watch?
    private var unwritten: ArraySlice<UInt8> = []
    private var wantsWritable = false
    private var isClosing = false
    private var input: [UInt8] = []

    package var onBytes: (ArraySlice<UInt8>) -> Void = { _ in }
    /// Called once, unless `close` was called before.
    package var onEnd: (End) -> Void = { _ in }
    /// The next bytes to write, `nil` when there are none.
    package var nextOutput: () -> [UInt8]? = { nil }

    /// Takes over `descriptor`, a non-blocking stream socket.
    ///
    /// - Throws: `SystemError` when the loop cannot watch it; it is closed then.
    package init(owning descriptor: Int32, loop: EventLoop) throws(SystemError) {
        self.loop = loop
        self.descriptor = descriptor
        var on: Int32 = 1
        // Fails on a unix socket, which has no such delay.
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        do throws(SystemError) {
            watch = try loop.watch(descriptor) { [weak self] in self?.ready($0) }
        } catch {
            Glibc.close(descriptor)
            self.descriptor = -1
            throw error
        }
    }

    deinit {
        close()
    }

    package var isOpen: Bool { descriptor >= 0 }

    /// Writes what there is, as far as the socket takes it.
    package func flush() {
        guard isOpen, !wantsWritable else { return }
        write()
    }

    /// Reads no more, and closes once everything is written.
    package func closeWhenFlushed() {
        isClosing = true
        flush()
        if isOpen, let watch { loop.change(watch, of: descriptor, to: interest) }
    }

    package func close() {
        guard descriptor >= 0 else { return }
        if let watch { loop.unwatch(watch, of: descriptor) }
        Glibc.close(descriptor)
        descriptor = -1
    }

    private var interest: EventLoop.Readiness {
        var interest: EventLoop.Readiness = isClosing ? [] : .readable
        if wantsWritable { interest.insert(.writable) }
        return interest
    }

    private func ready(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.writable) {
            wantsWritable = false
            write()
            if isOpen, !wantsWritable, let watch { loop.change(watch, of: descriptor, to: interest) }
        }
        if isOpen, !isClosing, !readiness.isDisjoint(with: [.readable, .hungUp]) { read() }
        if isOpen, isClosing, !readiness.isDisjoint(with: .hungUp) { end(.peerClosed) }
    }

    private func read() {
        if input.isEmpty { input = [UInt8](repeating: 0, count: 4_096) }
        let size = input.count
        let count = input.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, size, 0) }
        if count > 0 {
            // A peer that fills the buffer has more to say.
            if count == size, size < Self.readSize {
                input = input + [UInt8](repeating: 0, count: Self.readSize - size)
            }
            onBytes(input[..<count])
        } else if count == 0 {
            end(.peerClosed)
        } else if errno != EAGAIN && errno != EINTR {
            end(.failed(.last("recv")))
        }
    }

    private func write() {
        while isOpen {
            if unwritten.isEmpty {
                guard let next = nextOutput() else { break }
                unwritten = next[...]
                continue
            }
            let count = unwritten.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count >= 0 {
                unwritten = unwritten.dropFirst(count)
            } else if errno == EAGAIN {
                wantsWritable = true
                if let watch { loop.change(watch, of: descriptor, to: interest) }
                return
            } else if errno != EINTR {
                return end(.failed(.last("send")))
            }
        }
        unwritten = []
        if isClosing { end(.peerClosed) }
    }

    private func end(_ reason: End) {
        guard isOpen else { return }
        close()
        onEnd(reason)
    }
}
