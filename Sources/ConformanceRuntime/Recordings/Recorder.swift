internal import Conformance
internal import Glibc
internal import LinuxSystem
internal import Transport
internal import WireProtocol

/// A proxy on a loop: pairs of connections, with a recording of what passes between them.
final class Recorder {
    private final class Pair {
        var remote: Channel?
        var host: Channel?
        var connector: Connector?
        var toRemote: [UInt8] = []
        var toHost: [UInt8] = []
        var hasEnded = false
    }

    /// Bytes that may wait for one side before the other is no longer read.
    private static let maximumWaiting = 1 << 20

    private let loop: EventLoop
    private let host: [Endpoint]
    private let target: Int32
    /// Whether the target is a file that is this recording's alone, and can be written anywhere.
    let isFile: Bool
    private var capture: Capture
    private var pairs: [Int: Pair] = [:]
    private var lastPair = 0
    private var timer: (deadline: SteadyTime, timer: EventLoop.Timer)?
    /// Why the recording cannot be written any more.
    private(set) var failure: SystemError?

    init(_ capture: Capture, host: [Endpoint], loop: EventLoop, target: Int32) {
        var status = stat()
        isFile = target != STDOUT_FILENO && fstat(target, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        self.capture = capture
        self.host = host
        self.loop = loop
        self.target = target
        loop.onTurnEnd = { [weak self] in self?.armTimer() }
    }

    /// Takes over the connected socket of a remote.
    func accept(_ descriptor: Int32) {
        guard let channel = try? Channel(owning: descriptor, loop: loop) else { return }
        lastPair += 1
        let id = lastPair
        let pair = Pair()
        pair.remote = channel
        pairs[id] = pair
        channel.isReading = false
        channel.onEnd = { [weak self] _ in self?.ended(id, byHost: false) }
        channel.onBytes = { [weak self] bytes in self?.sent(bytes, id) }
        channel.nextOutput = { [weak pair] in pair.flatMap { Self.take(&$0.toRemote, from: $0.host) } }
        pair.connector = Connector(to: host, loop: loop) { [weak self] result in
            switch result {
            case .success(let channel): self?.connected(channel, id)
            case .failure: self?.abandon(id)
            }
        }
    }

    /// What waits, now that the one before is written; its sender may go on.
    private static func take(_ bytes: inout [UInt8], from sender: Channel?) -> [UInt8]? {
        if let sender, !sender.isReading { sender.isReading = true }
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return bytes
    }

    private func connected(_ channel: Channel, _ id: Int) {
        guard let pair = pairs[id] else { return }
        pair.connector = nil
        pair.host = channel
        capture.connected(id, now: MonotonicClock.now())
        channel.onEnd = { [weak self] _ in self?.ended(id, byHost: true) }
        channel.onBytes = { [weak self] bytes in self?.heard(bytes, id) }
        channel.nextOutput = { [weak pair] in pair.flatMap { Self.take(&$0.toHost, from: $0.remote) } }
        pair.remote?.isReading = true
    }

    /// There is no host: the remote finds that out by the end of its connection.
    private func abandon(_ id: Int) {
        pairs.removeValue(forKey: id)?.remote?.close()
    }

    // MARK: What passes

    private func sent(_ bytes: ArraySlice<UInt8>, _ id: Int) {
        guard let pair = pairs[id], let host = pair.host else { return }
        capture.sent(bytes, on: id, now: MonotonicClock.now())
        pair.toHost += bytes
        host.flush()
        pair.remote?.isReading = pair.toHost.count < Self.maximumWaiting
        write()
    }

    private func heard(_ bytes: ArraySlice<UInt8>, _ id: Int) {
        guard let pair = pairs[id] else { return }
        capture.heard(bytes, on: id, now: MonotonicClock.now())
        pair.toRemote += bytes
        pair.remote?.flush()
        pair.host?.isReading = pair.toRemote.count < Self.maximumWaiting
        write()
    }

    private func ended(_ id: Int, byHost: Bool) {
        guard let pair = pairs[id] else { return }
        if pair.hasEnded {
            pairs[id] = nil
            return
        }
        pair.hasEnded = true
        if pair.host != nil { capture.ended(id, byHost: byHost, now: MonotonicClock.now()) }
        pair.connector?.cancel()
        let other = byHost ? pair.remote : pair.host
        guard let other, other.isOpen else {
            pairs[id] = nil
            return
        }
        other.isReading = true
        other.closeWhenFlushed()
        write()
    }

    // MARK: The file

    private func armTimer() {
        let deadline = capture.nextDeadline
        guard deadline != timer?.deadline else { return }
        if let timer { loop.cancel(timer.timer) }
        timer = deadline.map { deadline in
            // Lines wait for the header too: look again a little later rather than at once.
            let at = max(deadline, MonotonicClock.now() + Capture.holdingTime / 2)
            return (deadline, loop.schedule(at: at) { [weak self] in self?.deadlineReached() })
        }
    }

    private func deadlineReached() {
        timer = nil
        write()
    }

    /// Whether no remote has reached the host.
    var isEmpty: Bool { capture.count == 0 }

    /// Writes everything that is left.
    func finish() {
        loop.onTurnEnd = {}
        guard !isEmpty else { return }
        write(isEnd: true)
    }

    /// The header may have to say more by now than when it was written.
    private func correctHeader() {
        guard isFile, failure == nil, let text = capture.correctedHeader() else { return }
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { pwrite(target, $0.baseAddress, $0.count, 0) }
        if count < bytes.count {
            failure = .last("pwrite")
            loop.stop()
        }
    }

    /// Each line at once, so that whatever ends this program, the file holds whole lines.
    private func write(isEnd: Bool = false) {
        correctHeader()
        for line in capture.lines(now: MonotonicClock.now(), isEnd: isEnd) where failure == nil {
            var rest = (Array(line.utf8) + [0x0A])[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
                if count < 0, errno != EINTR, errno != EAGAIN {
                    failure = .last("write")
                    return loop.stop()
                }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }
}
