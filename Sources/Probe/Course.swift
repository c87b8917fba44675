/// Sound that runs on at speed 1: which noise it is, and how loud.
package struct Course: Equatable, Sendable {
    package var track: Int
    /// The noise sample that would sound at the recording's sample 0.
    package var offset: Int
    /// By how much the noise is louder in the recording than it was made.
    package var loudness = 1.0
    /// How much of what was recorded is this: 1 is all of it, 0 nothing.
    package var likeness = 1.0

    package init(track: Int, offset: Int, loudness: Double = 1, likeness: Double = 1) {
        self.track = track
        self.offset = offset
        self.loudness = loudness
        self.likeness = likeness
    }

    /// What it gives in `range` of the recording.
    func samples(in range: Range<Int>) -> [Float] {
        Noise.samples(track: track, from: offset + range.lowerBound, count: range.count).map { $0 * Float(loudness) }
    }
}

extension Recording {
    /// What `track` sounds like at sample `start`, `span` samples long, where the film is within `reach` seconds of
    /// `expected`; `nil` where the recording does not reach there.
    ///
    /// Other sound, up to ten times as loud as the noise, does not hide it from a span of half a second.
    package func course(at start: Int, track: Int, near expected: Double, reach: Double, span: Int) -> Course? {
        guard start >= 0, start + span <= samples.count else { return nil }
        let piece = samples[start..<start + span]
        let rate = Double(Noise.rate)
        let match = Correlation.locate(piece, track: track, near: Int(expected * rate), reach: Int(reach * rate))
        let noise = Noise.samples(track: track, from: match.sample, count: span)[...]
        let energy = Correlation.product(noise, noise)
        let loudness = energy > 0 ? Correlation.product(piece, noise) / energy : 0
        return Course(
            track: track, offset: match.sample - start, loudness: loudness, likeness: match.likeness)
    }

    /// The sample, from `first` to `last`, at which an equal-power fade of `length` samples from one course to another
    /// begins; `nil` for a course is silence.
    ///
    /// It is the place that leaves the least of the recording unexplained, so that other sound in it does not matter. The
    /// courses' loudness has to be right.
    package func fade(from old: Course?, to new: Course?, from first: Int, to last: Int, length: Int) -> Int? {
        let start = min(max(0, first), samples.count)
        let range = start..<max(start, min(last + length, samples.count))
        guard range.count > 2 * length else { return nil }
        func sound(_ course: Course?) -> [Float] {
            course?.samples(in: range) ?? [Float](repeating: 0, count: range.count)
        }
        let (before, after) = (sound(old), sound(new))
        let gains = (0..<length).map { step in quarterSine((Float(step) + 0.5) / Float(length)) }
        // Errors that are left over up to each sample where all is the old sound, and where all is the new one.
        var (asOld, asNew) = ([0.0], [0.0])
        for (index, sample) in samples[range].enumerated() {
            asOld.append(asOld[index] + Double((sample - before[index]) * (sample - before[index])))
            asNew.append(asNew[index] + Double((sample - after[index]) * (sample - after[index])))
        }
        func error(_ place: Int) -> Double {
            var fading: Float = 0
            for step in 0..<length {
                let index = place + step
                let mixed = before[index] * gains[length - 1 - step] + after[index] * gains[step]
                fading += (samples[start + index] - mixed) * (samples[start + index] - mixed)
            }
            return asOld[place] + Double(fading) + asNew[range.count] - asNew[place + length]
        }
        func best(_ places: some Sequence<Int>) -> Int? {
            places.map { (place: $0, error: error($0)) }.min { $0.error < $1.error }?.place
        }
        let step = 16
        guard let rough = best(stride(from: 0, through: range.count - length, by: step)) else { return nil }
        return best(max(0, rough - step)...min(range.count - length, rough + step)).map { start + $0 }
    }

    /// The sine of a quarter turn's `part`, from 0 to 1, to a ten-thousandth: its Taylor series.
    private func quarterSine(_ part: Float) -> Float {
        let square = part * part
        return part * (1.570_796_3 - square * (0.645_964_1 - square * (0.079_692_6 - square * 0.004_681_75)))
    }
}
