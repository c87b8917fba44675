import Probe
import Testing
import WireProtocol

@Suite("When the samples of a long recording were heard")
struct TapeTests {
    /// A tape of ten seconds; its readings say what `error` makes of the truth, in samples.
    private func tape(drift: Double = 0, _ error: (Int) -> Double = { _ in 0 }) -> Tape {
        var tape = Tape()
        tape.samples = (0..<480_000).map { Float($0) }
        tape.readings = (0..<200).map { number in
            let time = Double(number) * 0.05
            return .init(index: time * 48_000 * (1 + drift) + error(number), time: .seconds(50 + time))
        }
        return tape
    }

    @Test("a stretch is cut where the clock says, and no further than was recorded")
    func cuts() throws {
        let cut = try #require(tape().cut(from: .seconds(52), to: .seconds(53)))
        #expect(cut.samples.count == 48_000)
        #expect(cut.samples.first == 96_000)
        #expect(abs(cut.origin - .seconds(52)) < 1e-6)
        let early = try #require(tape().cut(from: .seconds(49), to: .seconds(50.5)))
        #expect(early.samples.count == 24_000)
        #expect(abs(early.origin - .seconds(50)) < 1e-6)
    }

    @Test("where no reading is near, nothing is told")
    func unknown() {
        #expect(tape().cut(from: .seconds(70), to: .seconds(71)) == nil)
        #expect(Tape().cut(from: .seconds(0), to: .seconds(1)) == nil)
        #expect(Tape().doubt == 0)
    }

    @Test("a device's clock that runs fast is followed")
    func drift() throws {
        let cut = try #require(tape(drift: 100e-6).cut(from: .seconds(58), to: .seconds(59)))
        // 8.5 s of a clock that gains 100 µs in each.
        #expect(abs(Double(cut.samples[0]) + (.seconds(58) - cut.origin) * 48_000 - 8 * 48_000 * (1 + 100e-6)) < 5)
    }

    @Test("readings that miss what has just been mixed do not shift it")
    func uncounted() throws {
        let cut = try #require(tape { $0 % 5 == 0 ? -960 : 0 }.cut(from: .seconds(52), to: .seconds(53)))
        #expect(cut.samples.first == 96_000)
    }

    @Test("a server that counts in blocks is known for it")
    func blocks() {
        #expect(tape().doubt < 1e-6)
        #expect(tape { $0 % 5 == 0 ? -960 : 0 }.doubt < 0.001)
        // Its word lags by anything up to a block of 1024 samples.
        let coarse = tape { Double(-($0 * 617) % 1_024) }.doubt
        #expect(coarse > 0.005 && coarse < 0.03)
    }
}
