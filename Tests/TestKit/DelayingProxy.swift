internal import Foundation
internal import LinuxSystem
internal import WireProtocol

/// A TCP proxy that is a slow and unsteady network: every piece of bytes arrives later, none changed, all in order.
///
/// A piece, which is what one read gives, is held up by `base` seconds and up to `jitter` more, but never passes the one
/// before it, as TCP has it. Each direction of each connection draws its delays from a seed of its own.
package final class DelayingProxy {
    /// How long pieces are held up, in seconds.
    package struct Delays: Sendable {
        package var base: Double
        package var jitter: Double
        package var seed: UInt64

        package init(base: Double, jitter: Double, seed: UInt64) {
            self.base = base
            self.jitter = jitter
            self.seed = seed
        }

        /// That of piece `number` of `lane`, counted from 0.
        package func seconds(lane: UInt64, number: UInt64) -> Double {
            // SplitMix64's finaliser, which makes any numbers look like chance.
            var bits = seed &+ lane &* 0xD1B5_4A32_D192_ED03 &+ (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            bits ^= bits >> 31
            return base + jitter * Double(bits >> 11) * 0x1p-53
        }
    }

    package let port: Int
    private let peer: FakePeer

    /// Leads connections of any free port to `target`, a port of this machine.
    package init(to target: Int, _ delays: Delays) throws {
        let connections = Guarded<UInt64>(0)
        peer = try FakePeer { near in
            guard let far = try? RawClient.connect(port: target) else { return }
            let lane = connections.withLock { count in
                defer { count += 2 }
                return count
            }
            // A small piece must not wait for the other side's word on the one before.
            for end in [near, far] {
                var isOn: Int32 = 1
                setsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
            }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                DelayedLane(lane, delays).carry(from: far, to: near)
                done.signal()
            }
            DelayedLane(lane + 1, delays).carry(from: near, to: far)
            done.wait()
            close(far)
        }
        port = peer.port
    }
}

/// One direction of one connection: a thread that reads, and one that writes when a piece is due.
private final class DelayedLane: Sendable {
    private struct Piece {
        var bytes: [UInt8]
        var due: SteadyTime
    }

    private let lane: UInt64
    private let delays: DelayingProxy.Delays
    private let waiting = Guarded<[Piece]>([])
    private let count = DispatchSemaphore(value: 0)

    init(_ lane: UInt64, _ delays: DelayingProxy.Delays) {
        self.lane = lane
        self.delays = delays
    }

    /// Returns when `source` has ended and all of it has been passed on.
    func carry(from source: Int32, to target: Int32) {
        Thread.detachNewThread { [self] in read(source) }
        while let piece = next(), !piece.bytes.isEmpty {
            sleep(until: piece.due)
            var rest = piece.bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if sent < 0 && errno == EINTR { continue }
                // Nobody reads any more, so nobody is to write: that ends the reading thread as well.
                if sent <= 0 { shutdown(source, Int32(SHUT_RDWR)) }
                rest = sent <= 0 ? [] : rest.dropFirst(sent)
            }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private func next() -> Piece? {
        count.wait()
        return waiting.withLock { $0.removeFirst() }
    }

    /// Puts down what comes, and an empty piece behind the last.
    private func read(_ source: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var due = MonotonicClock.now()
        var number: UInt64 = 0
        while true {
            let got = recv(source, &buffer, buffer.count, 0)
            if got < 0 && errno == EINTR { continue }
            due = max(due, MonotonicClock.now() + delays.seconds(lane: lane, number: number))
            number += 1
            let piece = Piece(bytes: Array(buffer[..<max(0, got)]), due: due)
            waiting.withLock { $0.append(piece) }
            count.signal()
            if got <= 0 { return }
        }
    }

    private func sleep(until time: SteadyTime) {
        let seconds = time - MonotonicClock.now()
        if seconds > 0 { usleep(useconds_t(seconds * 1e6)) }
    }
}
