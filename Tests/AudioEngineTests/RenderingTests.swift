import Playback
import TestKit
import Testing
import WireProtocol

@testable import AudioEngine

@Suite("A ring of film sound")
struct FrameRingTests {
    /// Appends frames whose left sample is their own number.
    private func append(_ count: Int64, to ring: FrameRing) {
        let samples = (ring.end..<ring.end + count).flatMap { [Float($0), -Float($0)] }
        ring.append(samples, count: Int(count))
    }

    private func read(_ ring: FrameRing, from frame: Int64, count: Int, gain: Ramp = .full) -> [Float] {
        var output = [Float](repeating: 0, count: count * 2)
        output.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { ring.view.mix(from: frame, count: count, gain: gain, into: start) }
        }
        return stride(from: 0, to: count * 2, by: 2).map { output[$0] }
    }

    @Test("gives back what was written, at its place in the film, also across its seam")
    func acrossTheSeam() {
        let ring = FrameRing(start: 1_000)
        for _ in 0..<10 {
            append(20_000, to: ring)
            #expect(
                read(ring, from: ring.end - 20_000, count: 20_000) == (ring.end - 20_000..<ring.end).map { Float($0) })
            ring.release(before: ring.end - 5_000)
            #expect(
                read(ring, from: ring.end - 5_000, count: 3) == (ring.end - 5_000..<ring.end - 4_997).map { Float($0) })
        }
    }

    @Test("what was released or is not yet there is silent")
    func outside() {
        let ring = FrameRing(start: 10)
        append(10, to: ring)
        ring.release(before: 12)
        #expect(read(ring, from: 10, count: 4) == [0, 0, 12, 13])
        #expect(read(ring, from: 18, count: 4) == [18, 19, 0, 0])
        #expect(read(ring, from: 100, count: 2) == [0, 0])
        #expect(ring.holds(12) && ring.holds(20) && !ring.holds(11) && !ring.holds(21))
    }

    @Test("has room for what was released, no more")
    func room() {
        let ring = FrameRing(start: 0)
        #expect(ring.room == FrameRing.capacity)
        append(FrameRing.capacity, to: ring)
        #expect(ring.room == 0)
        ring.release(before: 100)
        #expect(ring.room == 100)
        ring.release(before: 50)
        #expect(ring.room == 100, "nothing is taken back")
        ring.release(before: .max)
        #expect(ring.room == FrameRing.capacity, "what is not written cannot be released")
    }
}

@Suite("A ramp")
struct RampTests {
    @Test("rising and falling ones add up to constant power, from silence to full")
    func equalPower() {
        for step in 0..<Ramp.length {
            let rising = Ramp.rising(from: 0).value(at: step)
            let falling = Ramp.falling(from: 0).value(at: step)
            #expect(abs(rising * rising + falling * falling - 1) < 0.001)
        }
        #expect(Ramp.rising(from: 0).value(at: 0) < 0.004)
        #expect(Ramp.rising(from: 0).value(at: Ramp.length) == 1)
        #expect(Ramp.falling(from: 0).value(at: Ramp.length) == 0)
        #expect(Ramp.full.value(at: 12_345) == 1)
    }

    @Test("begun in the middle it goes on as the whole does")
    func offset() {
        #expect(Ramp.rising(from: 100).value(at: 7) == Ramp.rising(from: 0).value(at: 107))
        #expect(Ramp.falling(from: 0).advanced(by: 100).value(at: 7) == Ramp.falling(from: 107).value(at: 0))
    }
}

@Suite("A programme")
struct ProgrammeTests {
    private func feed(from start: Int64, value: Float = 1, isComplete: Bool = false) -> Feed {
        let feed = Feed(trackIndex: 0, start: start)
        feed.ring.append([Float](repeating: value, count: 40_000), count: 20_000)
        if isComplete { feed.ring.finish() }
        return feed
    }

    private func render(_ programme: borrowing Programme, from start: Int64, count: Int) -> [Float] {
        var output = [Float](repeating: 9, count: count * 2)
        output.withUnsafeMutableBufferPointer { buffer in
            if let first = buffer.baseAddress { programme.render(from: start, count: count, into: first) }
        }
        return stride(from: 0, to: count * 2, by: 2).map { output[$0] }
    }

    @Test("the film moves with the device's index, and stands where it is silent")
    func filmPosition() {
        var programme = Programme()
        programme.begin(with: .init(start: 100, film: 5_000, feed: feed(from: 5_000), epoch: 1))
        #expect(programme.film(at: 100) == 5_000)
        #expect(programme.film(at: 350.5) == 5_250.5)
        programme.splice(.init(start: 2_000, film: 7_000, feed: nil, epoch: 1))
        #expect(programme.film(at: 1_999) == 6_899)
        #expect(programme.film(at: 9_999) == 7_000)
    }

    @Test("the film never gets past the end of the track")
    func filmEnd() {
        var programme = Programme()
        programme.begin(with: .init(start: 0, film: 10_000, feed: feed(from: 0, isComplete: true), epoch: 1))
        #expect(programme.end == 10_000)
        #expect(programme.film(at: 12_000) == 20_000)
        #expect(programme.available(from: 4_000) == 6_000)
        #expect(programme.available(from: 14_000) == 0)
    }

    @Test("a splice cross-fades, whatever blocks it is rendered in")
    func crossFade() {
        var programme = Programme()
        programme.begin(with: .init(start: 0, film: 0, feed: feed(from: 0, value: 1), epoch: 1))
        programme.splice(.init(start: 1_000, film: 0, feed: feed(from: 0, value: -1), epoch: 2))
        let whole = render(programme, from: 0, count: 2_000)
        #expect(whole[0] < 0.01 && whole[999] == 1)
        #expect(abs(whole[1_000] - 1) < 0.01 && abs(whole[1_120]) < 0.01 && whole[1_240] == -1)
        let pieces = stride(from: 0, to: 2_000, by: 50).flatMap { render(programme, from: Int64($0), count: 50) }
        #expect(pieces == whole)
    }

    @Test("an announcement is taken once, when its stretch is heard")
    func announcements() {
        var programme = Programme()
        programme.begin(with: .init(start: 0, film: 0, feed: feed(from: 0), epoch: 1, announcement: .init()))
        programme.splice(.init(start: 500, film: 9_000, feed: feed(from: 9_000), epoch: 2, announcement: .init()))
        #expect(programme.nextAnnouncement == 0)
        #expect(programme.advance(to: 499).map(\.epoch) == [1])
        #expect(programme.nextAnnouncement == 500)
        #expect(programme.advance(to: 500).map(\.epoch) == [2])
        #expect(programme.advance(to: 600).isEmpty)
    }

    @Test("sound is given back when it has been heard, and kept while a fade may need it")
    func releasing() {
        let old = feed(from: 0)
        let new = feed(from: 9_000)
        var programme = Programme()
        programme.begin(with: .init(start: 0, film: 0, feed: old, epoch: 1))
        _ = programme.advance(to: 300)
        #expect(!old.ring.holds(299) && old.ring.holds(300))
        programme.splice(.init(start: 500, film: 9_100, feed: new, epoch: 2))
        _ = programme.advance(to: 700)
        #expect(old.ring.holds(700))
        #expect(!new.ring.holds(9_299) && new.ring.holds(9_300))
        _ = programme.advance(to: 2_000)
        #expect(programme.stretches.count == 1)
    }
}

@Suite("The anchor policy")
struct AnchorPolicyTests {
    private struct Step {
        var epoch = 1
        var position: Double
        var at: Double
        var isRunning = true
        var isNews = false
    }

    /// Which of the steps are told, one after the other.
    private func told(_ steps: Step...) -> [Bool] {
        var policy = AnchorPolicy()
        return steps.map { step in
            policy.admits(
                epoch: step.epoch, position: step.position, at: SteadyTime(nanoseconds: 0) + step.at,
                isRunning: step.isRunning, isNews: step.isNews)
        }
    }

    @Test("tells a new epoch, a start, a stop and news at once")
    func news() {
        let told = told(
            Step(position: 5, at: 1), Step(position: 5.2, at: 1.2), Step(epoch: 2, position: 5.2, at: 1.2),
            Step(epoch: 2, position: 5.21, at: 1.21, isRunning: false),
            Step(epoch: 2, position: 5.21, at: 1.22, isRunning: false, isNews: true))
        #expect(told == [true, false, true, true, true])
    }

    @Test("tells a position that left its path by more than a millisecond, ten times a second at most")
    func drift() {
        let told = told(
            Step(position: 5, at: 1), Step(position: 5.052, at: 1.05), Step(position: 5.2009, at: 1.2),
            Step(position: 5.3011, at: 1.3), Step(position: 5.5011, at: 1.5))
        #expect(told == [true, false, false, true, false])
    }

    @Test("tells a running position every ten seconds, a standing one never again")
    func lifetime() {
        let told = told(
            Step(position: 5, at: 1), Step(position: 14.9, at: 10.9), Step(position: 15.1, at: 11.1),
            Step(position: 15.1, at: 11.2, isRunning: false), Step(position: 15.1, at: 99, isRunning: false))
        #expect(told == [true, false, true, true, false])
    }
}
