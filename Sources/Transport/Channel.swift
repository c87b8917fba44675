internal import Glibc
package import LinuxSystem
package import WireProtocol

/// A connected stream socket on a loop: bytes are handed on as they come and pulled as they can be written.
///
/// Confined to its loop. Pulling keeps what waits where it can still be replaced by something newer.
package final class Channel {
    package enum End: Equatable, Sendable {
        case peerClosed
        case failed(SystemError)
    }

    private enum Phase {
        case open
        /// Nothing more is read; what waits is still written.
        case flushing
        /// All is written and the peer knows; what it still sends is thrown away until it closes too.
        ///
        /// Closing on unread input resets the connection, and a reset may take the last words from the peer.
        case lingering
    }

    /// Seconds that the last bytes may take when the connection is to end; a peer that does not read is cut off then.
    package static let secondsToFlush = 5.0
    /// Seconds the peer has for closing its side once it has been sent everything.
    package static let secondsToLinger = 0.5
    /// Bytes written before others have their turn.
    private static let writtenPerTurn = 262_144

    private let loop: EventLoop
    private let secondsToFlush: Double
    private var descriptor: Int32
    private var watch: EventLoop.Watch?
    private var timer: EventLoop.Timer?
    private var unwritten: ArraySlice<UInt8> = []
    private var wantsWritable = false
    /// Has more to be read than fits into a turn, and waits for the next.
    private var isInLine = false
    /// Runs while the peer is not listened to.
    private var rest: EventLoop.Timer?
    /// Why sending has failed; nothing more is sent then.
    private var sendFailure: SystemError?
    private var phase = Phase.open
    private var peerHasFinished = false
    /// Whether bytes are taken from the peer; while they are not, the system keeps what it can and then the peer waits.
    package var isReading = true {
        didSet { updateInterest() }
    }

    package var onBytes: (ArraySlice<UInt8>) -> Void = { _ in }
    /// Called once, unless `close` was called before.
    package var onEnd: (End) -> Void = { _ in }
    /// The next bytes to write, `nil` when there are none.
    package var nextOutput: () -> [UInt8]? = { nil }

    /// Takes over `descriptor`, a non-blocking stream socket.
    ///
    /// - Throws: `SystemError` when the loop cannot watch it; it is closed then.
    package init(
        owning descriptor: Int32, loop: EventLoop, secondsToFlush: Double = Channel.secondsToFlush
    ) throws(SystemError) {
        self.loop = loop
        self.secondsToFlush = secondsToFlush
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
        guard isOpen, phase != .lingering, !wantsWritable else { return }
        write()
    }

    /// Reads no more, and closes once everything is written and the peer has had the time to take it.
    ///
    /// `onEnd` tells when; until then the owner keeps the channel.
    package func closeWhenFlushed() {
        guard isOpen, phase == .open else { return }
        startFlushing()
    }

    /// Reads on at `instant` only, so that a peer that says more than it may is slowed down by its own system.
    package func rest(until instant: SteadyTime) {
        guard isOpen, phase == .open else { return }
        if let rest { loop.cancel(rest) }
        rest = loop.schedule(at: instant) { [weak self] in
            self?.rest = nil
            self?.updateInterest()
        }
        updateInterest()
    }

    package func close() {
        guard descriptor >= 0 else { return }
        for timer in [timer, rest].compactMap(\.self) { loop.cancel(timer) }
        if let watch { loop.unwatch(watch, of: descriptor) }
        Glibc.close(descriptor)
        descriptor = -1
    }

    private func startFlushing() {
        phase = .flushing
        endAfter(secondsToFlush, .failed(SystemError("send", errno: ETIMEDOUT)))
        flush()
        updateInterest()
    }

    private func endAfter(_ seconds: Double, _ reason: End) {
        if let timer { loop.cancel(timer) }
        timer = loop.schedule(at: loop.now + seconds) { [weak self] in self?.end(reason) }
    }

    private func updateInterest() {
        guard isOpen, let watch else { return }
        let isListening = phase == .lingering || phase == .open && !isInLine && rest == nil
        var interest: EventLoop.Readiness = isReading && isListening ? .readable : []
        if wantsWritable { interest.insert(.writable) }
        loop.change(watch, of: descriptor, to: interest)
    }

    private func ready(_ readiness: EventLoop.Readiness) {
        let isHungUp = !readiness.isDisjoint(with: .hungUp)
        // Nobody would get what is written to a peer that has gone.
        if readiness.contains(.writable), !isHungUp {
            wantsWritable = false
            write()
            if !wantsWritable { updateInterest() }
        }
        // A broken connection is reported again and again until it is read to its end.
        guard isOpen, isHungUp || isReading && readiness.contains(.readable) else { return }
        switch phase {
        case .open, .lingering: read()
        case .flushing: if isHungUp { end(.peerClosed) }
        }
    }

    private func read() {
        let count = loop.input.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            if phase == .open { onBytes(loop.input[..<count]) }
            if count == loop.input.count { standInLine() }
        } else if count == 0, let sendFailure {
            end(.failed(sendFailure))
        } else if count == 0 {
            peerHasFinished = true
            // What it asked for before it finished is still answered.
            if phase == .open { startFlushing() } else { end(.peerClosed) }
        } else if errno != EAGAIN && errno != EINTR {
            end(.failed(.last("recv")))
        }
    }

    /// There is probably more to read; others come first.
    private func standInLine() {
        guard isOpen, isReading, phase == .open, rest == nil, !isInLine else { return }
        isInLine = true
        updateInterest()
        loop.standInLine { [weak self] in
            guard let self else { return }
            isInLine = false
            guard isOpen, isReading, phase == .open, rest == nil else { return }
            read()
            // Unless it stands in line again.
            if !isInLine { updateInterest() }
        }
    }

    private func write() {
        var room = Self.writtenPerTurn
        while isOpen, sendFailure == nil {
            guard room > 0 else {
                wantsWritable = true
                return updateInterest()
            }
            if unwritten.isEmpty {
                guard let next = nextOutput() else { break }
                unwritten = next[...]
                continue
            }
            let count = unwritten.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count >= 0 {
                unwritten = unwritten.dropFirst(count)
                room -= count
            } else if errno == EAGAIN {
                wantsWritable = true
                return updateInterest()
            } else if errno != EINTR {
                let failure = SystemError.last("send")
                guard phase == .open else { return end(.failed(failure)) }
                // What the peer said before it went is still to be read, its reason for one; reading meets the end.
                sendFailure = failure
            }
        }
        unwritten = []
        if isOpen, phase == .flushing { finishFlushing() }
    }

    private func finishFlushing() {
        guard !peerHasFinished, shutdown(descriptor, Int32(SHUT_WR)) == 0 else { return end(.peerClosed) }
        phase = .lingering
        endAfter(Self.secondsToLinger, .peerClosed)
    }

    private func end(_ reason: End) {
        guard isOpen else { return }
        close()
        onEnd(reason)
    }
}
