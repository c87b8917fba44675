/// Finds a piece of a recording again in the noise it was made of.
package enum Correlation {
    /// Where a piece was found.
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
        let energy = piece.reduce(into: 0.0) { $0 += Double($1 * $1) }
        var norm = reference.prefix(piece.count).reduce(into: 0.0) { $0 += Double($1 * $1) }
        var best = Match(sample: expected, likeness: 0)
        var all = [Double](repeating: 0, count: 2 * reach + 1)
        for lag in 0...(2 * reach) {
            // Of silence, be it before the noise's first sample or in the recording, nothing is known.
            let likeness = norm * energy > 1e-18 ? product(piece, reference[lag...]) / (norm * energy).squareRoot() : 0
            all[lag] = likeness
            if likeness > best.likeness { best = Match(sample: expected - reach + lag, likeness: likeness) }
            guard lag < 2 * reach else { break }
            norm += Double(reference[lag + piece.count] * reference[lag + piece.count])
            norm = max(0, norm - Double(reference[lag] * reference[lag]))
        }
        let top = best.sample - expected + reach
        if top > 0 && top < 2 * reach {
            let (before, after) = (all[top - 1], all[top + 1])
            best.fraction = (before - after) / (2 * (before - 2 * best.likeness + after))
        }
        return best
    }

    /// The sum of the products of two runs of samples, as far as the shorter one goes; eight at a time.
    static func product(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Double {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let bytes = min(left.count, right.count)
                let stride = MemoryLayout<SIMD8<Float>>.size
                var lanes = SIMD8<Float>(repeating: 0)
                var at = 0
                while at + stride <= bytes {
                    lanes +=
                        left.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
                        * right.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
                    at += stride
                }
                var sum = Double(lanes.sum())
                while at < bytes {
                    sum += Double(
                        left.loadUnaligned(fromByteOffset: at, as: Float.self)
                            * right.loadUnaligned(fromByteOffset: at, as: Float.self))
                    at += MemoryLayout<Float>.size
                }
                return sum
            }
        }
    }
}
