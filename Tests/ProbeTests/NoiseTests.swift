import Probe
import Testing

@Suite("The probe's noise")
struct NoiseTests {
    @Test("every stretch is the same wherever it is taken from, and no two tracks are alike")
    func stretches() {
        let whole = Noise.samples(track: 0, from: 1_000, count: 500)
        let part = Noise.samples(track: 0, from: 1_200, count: 100)
        // The sum is kept while it moves, so the last bits may differ.
        #expect(zip(whole[200...], part).allSatisfy { abs($0 - $1) < 1e-5 })
        let other = Noise.samples(track: 1, from: 1_000, count: 500)
        #expect(zip(whole, other).filter { abs($0 - $1) > 1e-3 }.count > 450)
    }

    @Test("before its first sample it is silent")
    func beginning() {
        #expect(Noise.samples(track: 3, from: -100, count: 92).allSatisfy { $0 == 0 })
        #expect(Noise.samples(track: 3, from: 8, count: 100).contains { abs($0) > 0.05 })
    }

    @Test("as a WAV file it has the header that players expect, and samples as loud as was asked")
    func wave() {
        let bytes = Noise.wave(track: 0, seconds: 0.01, gain: 0.5)
        #expect(bytes.count == 44 + 960)
        #expect(String(decoding: bytes[0..<4], as: UTF8.self) == "RIFF")
        #expect(String(decoding: bytes[8..<16], as: UTF8.self) == "WAVEfmt ")
        #expect(Array(bytes[4..<8]) == [0xE4, 0x03, 0, 0], "996 bytes follow")
        #expect(Array(bytes[20..<36]) == [1, 0, 1, 0, 0x80, 0xBB, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0])
        #expect(Array(bytes[40..<44]) == [0xC0, 0x03, 0, 0])
        let samples = Noise.samples(track: 0, from: 0, count: 480)
        for (index, sample) in samples.enumerated() {
            let bits = UInt16(bytes[44 + index * 2]) | UInt16(bytes[45 + index * 2]) << 8
            #expect(abs(Float(Int16(bitPattern: bits)) / 32_767 - sample * 0.5) < 1e-4)
        }
    }
}
