import Foundation
import LinuxSystem
import Synchronization
import WireProtocol

/// Records what a sink plays, and knows when each sample was due.
final class MonitorRecorder {
    private final class Store: Sendable {
        let state = Mutex(State())
    }

    private struct State {
        var data = Data()
        /// When sample 0 was due, as each block's arrival tells it.
        var origins: [SteadyTime] = []
    }

    private let process: Child
    private let store = Store()

    init(_ source: String = "cinema.monitor") throws {
        let (handle, parec) = try Child.reading(
            "parec",
            [
                "--device=\(source)", "--format=s16le", "--rate=48000", "--channels=1", "--latency-msec=5",
                "--process-time-msec=2", "--raw",
            ])
        process = parec
        Thread.detachNewThread { [store] in
            var buffer = [UInt8](repeating: 0, count: 1 << 17)
            while true {
                let count = read(handle, &buffer, buffer.count)
                if count <= 0 { break }
                store.state.withLock { state in
                    state.origins.append(MonotonicClock.now() + -Double(state.data.count / 2) / 48_000)
                    state.data.append(contentsOf: buffer[..<count])
                }
            }
            close(handle)
        }
        for _ in 0..<500 where store.state.withLock({ $0.data.isEmpty }) { usleep(10_000) }
    }

    /// What has been recorded so far, and when its first sample was due.
    func recording() -> Recording {
        store.state.withLock { state in
            let samples = state.data.withUnsafeBytes { bytes in
                bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
            }
            // The server renders a block at the moment its first sample is due, so arrivals are late by little; only where
            // it has rendered anew (after a splice) they come up to a block early. The lower quartile is neither.
            let sorted = state.origins.sorted()
            return Recording(samples: samples, origin: sorted[sorted.count / 4])
        }
    }
}

struct Recording {
    var samples: [Float]
    var origin: SteadyTime

    func index(at time: SteadyTime) -> Int {
        Int(((time - origin) * 48_000).rounded())
    }

    /// The position, in seconds, that sounds at `time` according to the recording; `nil` where it is not that track.
    func position(at time: SteadyTime, track: Int, near expected: Double, reach: Double = 0.1, span: Int = 2_400)
        -> Double?
    {
        let start = index(at: time)
        guard start >= 0, start + span <= samples.count else { return nil }
        let match = Correlation.locate(
            samples[start..<start + span], track: track, near: Int(expected * 48_000), reach: Int(reach * 48_000))
        return match.likeness > 0.7 ? Double(match.sample) / 48_000 : nil
    }

    /// When the first sample after `time` that is not silent was due.
    func firstSound(after time: SteadyTime) -> SteadyTime? {
        let start = max(0, index(at: time))
        guard let first = samples[start...].firstIndex(where: { abs($0) > 0.0005 }) else { return nil }
        return origin + Double(first) / 48_000
    }

    /// The longest stretch of (near) silence, in samples, between two moments.
    func longestSilence(from first: SteadyTime, to last: SteadyTime) -> Int {
        var longest = 0
        var run = 0
        for sample in samples[max(0, index(at: first))..<min(samples.count, index(at: last))] {
            run = abs(sample) < 0.0005 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
