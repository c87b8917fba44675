internal import LinuxSystem
package import WireProtocol

/// What a sink has played: 48 kHz, mono.
package struct Recording {
    package var samples: [Float]
    /// When sample 0 was due.
    package var origin: SteadyTime

    package var end: SteadyTime { origin + Double(samples.count) / 48_000 }

    package func index(at time: SteadyTime) -> Int {
        Int(((time - origin) * 48_000).rounded())
    }

    package func time(of index: Int) -> SteadyTime { origin + Double(index) / 48_000 }

    /// The position, in seconds, that sounds at `time` according to the recording; `nil` where it is not that track.
    package func position(
        at time: SteadyTime, track: Int, near expected: Double, reach: Double = 0.1, span: Int = 2_400
    ) -> Double? {
        let start = index(at: time)
        guard start >= 0, start + span <= samples.count else { return nil }
        let match = Correlation.locate(
            samples[start..<start + span], track: track, near: Int(expected * 48_000), reach: Int(reach * 48_000))
        return match.likeness > 0.7 ? Double(match.sample) / 48_000 : nil
    }

    /// The longest stretch of (near) silence, in samples, between two moments.
    package func longestSilence(from first: SteadyTime, to last: SteadyTime) -> Int {
        var longest = 0
        var run = 0
        for sample in samples[max(0, index(at: first))..<min(samples.count, index(at: last))] {
            run = abs(sample) < 0.000_5 ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// The first sample from `index` on that is not silence.
    package func onset(from index: Int) -> Int? {
        samples[min(max(0, index), samples.count)...].firstIndex { abs($0) > 0.000_1 }
    }

    /// Where a fade from one course of sound to another begins, from `first` to `last`; a course is a track and the
    /// noise sample that would sound at recording sample 0.
    ///
    /// Both gains are fitted, millisecond by millisecond; the fade begins where the new sound comes to a fifth and stays.
    package func entrance(
        of new: (track: Int, offset: Int), after old: (track: Int, offset: Int), from first: Int, to last: Int
    ) -> Int? {
        let window = 96
        let step = 12
        let start = max(0, first)
        let count = min(last + 4 * window, samples.count) - start
        guard count > window else { return nil }
        let newNoise = Noise.samples(track: new.track, from: new.offset + start, count: count)
        let oldNoise = Noise.samples(track: old.track, from: old.offset + start, count: count)
        func isHeard(_ place: Int) -> Bool {
            guard place + window <= count else { return false }
            var (nn, no, oo, sn, so): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
            for index in place..<place + window {
                let (a, b, sample) = (newNoise[index], oldNoise[index], samples[start + index])
                nn += a * a
                no += a * b
                oo += b * b
                sn += sample * a
                so += sample * b
            }
            let determinant = nn * oo - no * no
            return determinant > 0 && (sn * oo - so * no) / determinant > 0.2
        }
        for place in stride(from: 0, to: last - start, by: step)
        where isHeard(place) && isHeard(place + window) && isHeard(place + 2 * window) {
            return start + place
        }
        return nil
    }
}
