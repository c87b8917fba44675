/// Seeded noise: any stretch of it tells which track it is from, and from which sample on.
package enum Noise {
    package static let rate = 48_000

    /// Mono samples from `start` on, silent before 0; the band ends at about 3 kHz, which every codec keeps.
    package static func samples(track: Int, from start: Int, count: Int) -> [Float] {
        var window: [Float] = []
        window.reserveCapacity(count + taps)
        for index in (start - taps)..<(start + count) { window.append(index < 0 ? 0 : white(track, index)) }
        var result = [Float](repeating: 0, count: count)
        var sum = window[0..<taps].reduce(0, +)
        for index in 0..<count {
            result[index] = sum / 10
            sum += window[index + taps] - window[index]
        }
        return result
    }

    private static let taps = 8

    /// Uniform in -1...1; SplitMix64's finaliser over the index.
    private static func white(_ track: Int, _ index: Int) -> Float {
        var bits = UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(track) &* 0xD1B5_4A32_D192_ED03
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Float(Int32(truncatingIfNeeded: bits >> 32)) / Float(Int32.max)
    }
}

/// Finds a piece of a recording again in the noise it was made of.
package enum Correlation {
    package struct Match {
        /// The noise sample at which the piece begins.
        package var sample: Int
        /// 1 is the very same sound, 0 another.
        package var likeness: Double
        /// How far behind `sample` it really begins, in samples, where its clock's ticks lie between those of the noise:
        /// the top of a parabola through the likenesses at the three places around it.
        package var fraction = 0.0
        /// The place with its fraction.
        package var place: Double { Double(sample) + fraction }
    }

    /// The best match that begins within `reach` samples of `expected`.
    package static func locate(_ piece: ArraySlice<Float>, track: Int, near expected: Int, reach: Int) -> Match {
        let reference = Noise.samples(track: track, from: expected - reach, count: piece.count + 2 * reach)
        var best = Match(sample: expected, likeness: 0)
        let energy = piece.reduce(0) { $0 + $1 * $1 }
        var all = [Double](repeating: 0, count: 2 * reach + 1)
        piece.withUnsafeBufferPointer { piece in
            reference.withUnsafeBufferPointer { reference in
                for lag in 0...(2 * reach) {
                    var dot: Float = 0
                    var norm: Float = 0
                    var index = 0
                    while index < piece.count {
                        let other = reference[lag + index]
                        dot += piece[index] * other
                        norm += other * other
                        index += 1
                    }
                    let likeness = Double(dot / (norm * energy).squareRoot())
                    all[lag] = likeness
                    if likeness > best.likeness { best = Match(sample: expected - reach + lag, likeness: likeness) }
                }
            }
        }
        let top = best.sample - expected + reach
        if top > 0 && top < 2 * reach {
            let (before, after) = (all[top - 1], all[top + 1])
            best.fraction = (before - after) / (2 * (before - 2 * best.likeness + after))
        }
        return best
    }
}
