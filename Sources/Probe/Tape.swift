package import WireProtocol

/// A long recording whose clock is looked at now and then: a device's clock wanders from the system's.
package struct Tape: Sendable {
    /// What the recording's source said at one moment.
    package struct Reading: Equatable, Sendable {
        /// The sample that was heard at `time`, with its fraction.
        package var index: Double
        package var time: SteadyTime

        package init(index: Double, time: SteadyTime) {
            self.index = index
            self.time = time
        }

        /// When sample 0 was due by this reading alone.
        fileprivate var origin: SteadyTime { time + -index / Double(Noise.rate) }
    }

    package var samples: [Float] = []
    package var readings: [Reading] = []
    /// Seconds after a stretch whose readings count for it: clocks wander by some 50 µs in a second.
    private static let reach = 0.2

    package init() {}

    /// Seconds by which the source's word on its time is early or late, at most moments.
    ///
    /// PulseAudio knows it to some microseconds, PipeWire to a block of its mixing.
    package var doubt: Double {
        let origins = readings.map(\.origin)
        let group = 8
        // The middle third of some that are close to each other, so that neither a clock that wanders counts nor what is rare.
        let spreads = stride(from: 0, through: origins.count - group, by: group).map { first in
            let sorted = origins[first..<first + group].sorted()
            return (sorted[group * 5 / 8] - sorted[group / 4]) * 3
        }.sorted()
        return spreads.isEmpty ? 0 : spreads[spreads.count / 2]
    }

    /// The stretch between two moments, as far as it was recorded; `nil` where no reading tells when that was.
    package func cut(from first: SteadyTime, to last: SteadyTime) -> Recording? {
        let near = readings.filter { $0.time >= first && $0.time <= last + Tape.reach }
        let origins = near.map(\.origin).sorted()
        guard !origins.isEmpty else { return nil }
        // A server may not have counted yet what it has just mixed, for as long as a block, but never counts too much.
        let whole = Recording(samples: [], origin: origins[origins.count / 5])
        let start = min(max(0, whole.index(at: first)), samples.count)
        let end = min(max(start, whole.index(at: last)), samples.count)
        return Recording(samples: Array(samples[start..<end]), origin: whole.time(of: start))
    }
}
