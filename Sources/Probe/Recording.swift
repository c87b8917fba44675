package import WireProtocol

/// What a sink has played: 48 kHz, mono.
package struct Recording: Equatable, Sendable {
    package var samples: [Float]
    /// When sample 0 was due.
    package var origin: SteadyTime

    package init(samples: [Float], origin: SteadyTime) {
        self.samples = samples
        self.origin = origin
    }

    /// When the first sample after the last is due.
    package var end: SteadyTime { time(of: samples.count) }

    /// The sample that was due at `time`, which may lie outside.
    package func index(at time: SteadyTime) -> Int {
        Int(((time - origin) * Double(Noise.rate)).rounded())
    }

    /// When a sample was due.
    package func time(of index: Int) -> SteadyTime { origin + Double(index) / Double(Noise.rate) }

    /// The position, in seconds, that sounds at `time` according to the recording; `nil` where it is not that track.
    package func position(
        at time: SteadyTime, track: Int, near expected: Double, reach: Double = 0.1, span: Int = 2_400
    ) -> Double? {
        let start = index(at: time)
        guard let course = course(at: start, track: track, near: expected, reach: reach, span: span),
            course.likeness > 0.7
        else { return nil }
        return Double(course.offset + start) / Double(Noise.rate)
    }

    /// The longest stretch of (near) silence, in samples, between two moments; `level` is the loudest that counts as such.
    package func longestSilence(from first: SteadyTime, to last: SteadyTime, level: Float = 0.000_5) -> Int {
        var longest = 0
        var run = 0
        let start = max(0, index(at: first))
        for sample in samples[
            min(start, samples.count)..<max(min(start, samples.count), min(samples.count, index(at: last)))]
        {
            run = abs(sample) < level ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// The first sample from `index` on that is not silence.
    package func onset(from index: Int) -> Int? {
        samples[min(max(0, index), samples.count)...].firstIndex { abs($0) > 0.000_1 }
    }
}
