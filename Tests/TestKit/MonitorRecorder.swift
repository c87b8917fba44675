import Foundation
internal import LinuxSystem
package import Probe
package import WireProtocol

/// Records what a sink plays, and knows when each sample was due.
package final class MonitorRecorder {
    private final class Store: Sendable {
        let state = Guarded(State())
    }

    private struct State {
        var data = Data()
        /// When sample 0 was due, as each block's arrival tells it.
        var origins: [SteadyTime] = []
    }

    private let process: Child
    private let store = Store()

    /// Starts to record `source` of the server at `address` (a PULSE_SERVER), or of the one in the environment.
    package init(_ source: String = "cinema.monitor", of address: String? = nil) throws {
        let (handle, parec) = try Child.reading(
            "parec",
            [
                "--device=\(source)", "--format=s16le", "--rate=48000", "--channels=1", "--latency-msec=5",
                "--process-time-msec=2", "--raw",
            ], environment: address.map { ["PULSE_SERVER": $0] } ?? [:])
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
        if store.state.withLock({ $0.data.isEmpty }) { throw TestFailure("parec records nothing from \(source)") }
    }

    /// What has been recorded so far, and when its first sample was due.
    package func recording() -> Recording {
        store.state.withLock { state in
            let samples = state.data.withUnsafeBytes { bytes in
                bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
            }
            // The server renders a block at the moment its first sample is due, so arrivals are late by little; only where
            // it has rendered anew (after a splice) they come up to a block early. The lower quartile is neither.
            return Recording(samples: samples, origin: state.origins.sorted()[state.origins.count / 4])
        }
    }

    /// The recording once it reaches `seconds` beyond `time`.
    package func recording(until time: SteadyTime, plus seconds: Double) -> Recording {
        let end = time + seconds
        while true {
            let recording = recording()
            if recording.end >= end || MonotonicClock.now() > end + 5 { return recording }
            usleep(20_000)
        }
    }
}
