import Testing
import WireProtocol

@Suite("The current cue")
struct CueTimelineTests {
    private func timeline(_ starts: Double...) -> CueTimeline {
        CueTimeline(
            starts.enumerated().map { Cue(index: $0.offset + 1, start: $0.element, end: $0.element + 1, text: "") })
    }

    @Test(
        "it is the last one that has started; its end does not matter",
        arguments: [
            (-1.0, 0), (0, 0), (9.99, 0), (10, 0), (10.5, 0), (15, 0), (19.99, 0), (20, 1), (25, 1), (30, 2), (1e9, 2),
        ])
    func lastStarted(time: Double, index: Int) {
        #expect(timeline(10, 20, 30).currentIndex(at: time) == index)
    }

    @Test("before the first, and without any, it is place 0")
    func beforeTheFirst() {
        #expect(timeline(10).currentIndex(at: 0) == 0)
        #expect(timeline().currentIndex(at: 5) == 0)
        #expect(timeline(0).currentIndex(at: 0) == 0)
    }

    @Test("of cues that start together it is the later one")
    func equalStarts() {
        #expect(timeline(10, 20, 20, 20, 30).currentIndex(at: 20) == 3)
        #expect(timeline(5, 5).currentIndex(at: 5) == 1)
    }

    @Test("a start that the position misses by rounding has begun; one a millisecond ahead has not")
    func rounding() {
        #expect(timeline(0, 61.04).currentIndex(at: 61.039_6) == 1)
        #expect(timeline(0, 61.04).currentIndex(at: 61.039) == 0)
        #expect(timeline(0, 0.3).currentIndex(at: 0.1 + 0.1 + 0.1) == 1)
    }

    @Test("a tapped cue is the current one after its seek, whatever its start")
    func tappedCue() {
        var generator = SeededGenerator(seed: 8)
        var start = 0.0
        let cues = (0..<2_000).map { index in
            start += Double(Int.random(in: 1...9_000, using: &generator)) / 1_000
            return Cue(index: index, start: start, end: start + 1, text: "")
        }
        let timeline = CueTimeline(cues)
        for (place, cue) in timeline.cues.enumerated() {
            #expect(timeline.currentIndex(at: cue.start) == place)
            // A position goes over the wire in whole microseconds.
            #expect(timeline.currentIndex(at: (cue.start * 1e6).rounded() / 1e6) == place)
        }
    }

    @Test("cues are put in the order of their starts; equal ones keep their order")
    func sorting() {
        let cues = [(1, 5.0), (2, 1), (3, 5), (4, 0)].map { Cue(index: $0.0, start: $0.1, end: 9, text: "") }
        #expect(CueTimeline(cues).cues.map(\.index) == [4, 2, 1, 3])
        #expect(CueTimeline(CueTimeline(cues).cues) == CueTimeline(cues))
    }

    @Test("the search agrees with looking at each cue")
    func searchAgreesWithScan() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let starts = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                Double(Int.random(in: 0...20, using: &generator))
            }
            let timeline = CueTimeline(starts.map { Cue(index: 0, start: $0, end: $0, text: "") })
            for time in stride(from: -1.0, through: 21, by: 0.5) {
                let scanned = timeline.cues.lastIndex { $0.start <= time } ?? 0
                #expect(timeline.currentIndex(at: time) == scanned)
            }
        }
    }

    @Test("a position that is no number traps nothing")
    func notANumber() {
        #expect(timeline(1, 2).currentIndex(at: .nan) == 0)
        #expect(timeline(1, 2).currentIndex(at: .infinity) == 1)
    }
}
