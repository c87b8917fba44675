/// Seeded noise: any stretch of it tells which track it is from, and from which sample on.
package enum Noise {
    /// Samples in a second, here and wherever this module counts samples.
    package static let rate = 48_000

    /// Mono samples from `start` on, silent before 0; the band ends at about 3 kHz, which every codec keeps.
    ///
    /// They are 0.16 loud (root of the mean square), and at most 0.8.
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

extension Noise {
    /// The first `seconds` of a track as a WAV file: 16 bit, mono; `gain`, at most 1.2, makes it softer or louder.
    ///
    /// Of a file's 44 bytes of header, the two lengths are all that differs (Multimedia Programming Interface 1.0, chapter 3).
    package static func wave(track: Int, seconds: Double, gain: Float) -> [UInt8] {
        let samples = samples(track: track, from: 0, count: Int(seconds * Double(rate)))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + samples.count * 2)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += "RIFF".utf8
        append(UInt32(36 + samples.count * 2))
        bytes += "WAVEfmt ".utf8
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(rate))
        append(UInt32(rate * 2))
        append(UInt16(2))
        append(UInt16(16))
        bytes += "data".utf8
        append(UInt32(samples.count * 2))
        for sample in samples { append(Int16(sample * gain * 32_767)) }
        return bytes
    }
}
