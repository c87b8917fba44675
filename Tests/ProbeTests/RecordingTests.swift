import Probe
import Testing
import WireProtocol

@Suite("What a recording tells")
struct RecordingTests {
    private func recording(_ performance: Performance) -> Recording {
        Recording(samples: performance.samples, origin: .seconds(100))
    }

    @Test("a piece is found to the sample, and between two samples", arguments: [0, 1, 999, -1_000])
    func locate(shift: Int) {
        let piece = Noise.samples(track: 2, from: 50_000 + shift, count: 2_400)[...]
        let match = Correlation.locate(piece, track: 2, near: 50_000, reach: 1_000)
        #expect(match.sample == 50_000 + shift)
        #expect(match.likeness > 0.999)
        let between = zip(piece, piece.dropFirst()).map { ($0 + $1) / 2 }[...]
        #expect(
            abs(Correlation.locate(between, track: 2, near: 50_000, reach: 1_001).place - 50_000.5 - Double(shift))
                < 0.05)
    }

    @Test("another track, silence, and what lies before the film are not taken for it")
    func nothing() {
        let other = Noise.samples(track: 1, from: 50_000, count: 2_400)[...]
        #expect(Correlation.locate(other, track: 2, near: 50_000, reach: 1_000).likeness < 0.35)
        let silence = [Float](repeating: 0, count: 2_400)[...]
        #expect(Correlation.locate(silence, track: 2, near: 50_000, reach: 100).likeness == 0)
        #expect(Correlation.locate(other, track: 2, near: -10_000, reach: 100).likeness == 0)
    }

    @Test("a course is found with its loudness, also below other sound five times as loud")
    func course() throws {
        for foreign: Float in [0, 1] {
            let performance = Performance(
                stretches: [.init(start: 0, track: 1, film: 30_000)], length: 48_000, foreign: foreign)
            let found = recording(performance).course(at: 10_000, track: 1, near: 0.83, reach: 0.1, span: 9_600)
            let course = try #require(found)
            #expect(course.offset == 30_000)
            #expect(abs(course.loudness - 0.2) < (foreign == 0 ? 0.001 : 0.1))
            #expect(foreign == 0 ? course.likeness > 0.999 : course.likeness < 0.4)
        }
        let short = Performance(stretches: [.init(start: 0, track: 1)], length: 9_000)
        #expect(recording(short).course(at: 0, track: 1, near: 0, reach: 0.1, span: 9_600) == nil)
        #expect(recording(short).course(at: -1, track: 1, near: 0, reach: 0.1, span: 2_400) == nil)
    }

    @Test("a fade from one sound to another, from silence and to silence begins where it does")
    func fades() throws {
        for foreign: Float in [0, 0.2] {
            let heard = recording(
                Performance(
                    stretches: [
                        .init(start: 0), .init(start: 6_001, track: 0, film: 90_000),
                        .init(start: 20_003, track: 0, film: 200_000), .init(start: 34_007, track: 1, film: 214_004),
                        .init(start: 48_011),
                    ], length: 60_000, foreign: foreign))
            let first = Course(track: 0, offset: 90_000 - 6_001, loudness: 0.2)
            let second = Course(track: 0, offset: 200_000 - 20_003, loudness: 0.2)
            let third = Course(track: 1, offset: 214_004 - 34_007, loudness: 0.2)
            // As loud as the probe, other sound costs a millisecond.
            let slack = foreign == 0 ? 0 : 60
            let cases: [(Course?, Course?, Int)] = [
                (nil, first, 6_001), (first, second, 20_003), (second, third, 34_007), (third, nil, 48_011),
            ]
            for (old, new, place) in cases {
                let found = heard.fade(
                    from: old, to: new, from: place - 4_000, to: place + 5_000, length: Performance.fade)
                let error = try #require(found) - place
                #expect(abs(error) <= slack, "\(error) samples off at \(place)")
            }
        }
    }

    @Test("a recording that does not reach there tells of no fade")
    func tooShort() {
        let heard = Recording(samples: [0, 0, 0], origin: .seconds(0))
        #expect(
            heard.fade(from: nil, to: Course(track: 0, offset: 0), from: -100, to: 900, length: Performance.fade) == nil
        )
        #expect(heard.fade(from: nil, to: nil, from: 5_000, to: 9_000, length: Performance.fade) == nil)
        #expect(heard.longestSilence(from: .seconds(-1), to: .seconds(9)) == 3)
        #expect(heard.longestSilence(from: .seconds(5), to: .seconds(9)) == 0)
        #expect(heard.longestSilence(from: .seconds(9), to: .seconds(5)) == 0)
    }

    @Test("positions, times and silences are those of the samples")
    func positions() throws {
        let heard = recording(
            Performance(
                stretches: [
                    .init(start: 0, track: 0, film: 48_000), .init(start: 24_000), .init(start: 36_000, track: 0),
                ],
                length: 60_000))
        #expect(heard.index(at: .seconds(100.5)) == 24_000)
        #expect(heard.time(of: 24_000) == .seconds(100.5))
        #expect(heard.end == .seconds(101.25))
        let position = try #require(heard.position(at: .seconds(100.25), track: 0, near: 1.2))
        #expect(abs(position - 1.25) < 1e-9)
        #expect(heard.position(at: .seconds(100.25), track: 1, near: 1.2) == nil)
        let silence = heard.longestSilence(from: .seconds(100), to: .seconds(101.2))
        #expect((11_500...11_540).contains(silence))
        #expect(heard.onset(from: 25_000).map { (36_000...36_010).contains($0) } == true)
    }
}
