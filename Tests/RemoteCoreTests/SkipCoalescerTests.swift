import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Skip coalescer") struct SkipCoalescerTests {
    /// Taps at times (s) with their seconds, and what goes out when.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var taps: [(at: Double, seconds: Double)]
        var out: [(at: Double, release: SkipCoalescer.Release)]
    }

    static let stories: [Story] = [
        Story(testDescription: "no tap sends nothing", taps: [], out: []),
        Story(testDescription: "one tap goes out after the window", taps: [(0, 1)], out: [(0.25, .send(1))]),
        Story(
            testDescription: "five quick taps are one skip",
            taps: [(0, 1), (0.1, 1), (0.2, 1), (0.3, 1), (0.4, 1)], out: [(0.65, .send(5))]),
        Story(testDescription: "fine and coarse share a window", taps: [(0, 1), (0.1, 3)], out: [(0.35, .send(4))]),
        Story(testDescription: "each tap restarts the window", taps: [(0, 1), (0.24, 1)], out: [(0.49, .send(2))]),
        Story(
            testDescription: "taps further apart are two skips", taps: [(0, 1), (0.3, 1)],
            out: [(0.25, .send(1)), (0.55, .send(1))]),
        Story(
            testDescription: "a tap exactly at the window's end starts the next", taps: [(0, 1), (0.25, 1)],
            out: [(0.25, .send(1)), (0.5, .send(1))]),
        Story(testDescription: "a sum of 0 sends nothing", taps: [(0, 3), (0.1, -3)], out: [(0.35, .nothing)]),
        Story(
            testDescription: "fractions that cancel out send nothing", taps: [(0, 0.1), (0.01, 0.2), (0.02, -0.3)],
            out: [(0.27, .nothing)]),
        Story(testDescription: "backwards", taps: [(0, -1), (0.1, -3)], out: [(0.35, .send(-4))]),
        Story(
            testDescription: "a steady train goes out a second after its first tap",
            taps: (0..<10).map { (Double($0) * 0.2, 1) }, out: [(1, .send(5)), (2, .send(5))]),
        Story(
            testDescription: "after 0 the window is closed", taps: [(0, 1), (0.1, -1), (0.5, 2)],
            out: [(0.35, .nothing), (0.75, .send(2))]),
    ]

    @Test("sums up", arguments: stories) func sums(story: Story) {
        var coalescer = SkipCoalescer()
        var out: [(at: SteadyTime, release: SkipCoalescer.Release)] = []
        func drain(_ coalescer: inout SkipCoalescer, until end: SteadyTime) {
            while let deadline = coalescer.nextDeadline, deadline <= end {
                #expect(coalescer.release(at: deadline + -0.001) == nil, "nothing goes out early")
                if let release = coalescer.release(at: deadline) { out.append((deadline, release)) }
            }
        }
        for tap in story.taps {
            drain(&coalescer, until: at(tap.at))
            coalescer.tap(tap.seconds, now: at(tap.at))
        }
        drain(&coalescer, until: at(100))
        #expect(out.map(\.at) == story.out.map { at($0.at) })
        #expect(out.map(\.release) == story.out.map(\.release))
        #expect(coalescer.pendingSum == 0)
    }

    @Test("shows the pending sum from the first tap on") func pendingSum() {
        var coalescer = SkipCoalescer()
        #expect(coalescer.pendingSum == 0 && !coalescer.isPending)
        coalescer.tap(1, now: at(0))
        #expect(coalescer.pendingSum == 1 && coalescer.isPending)
        coalescer.tap(3, now: at(0.1))
        #expect(coalescer.pendingSum == 4)
    }

    @Test("flush sends at once, and a new tap starts a new sum") func flush() {
        var coalescer = SkipCoalescer()
        coalescer.tap(1, now: at(0))
        #expect(coalescer.flush() == .send(1))
        #expect(coalescer.nextDeadline == nil)
        coalescer.tap(3, now: at(0.1))
        #expect(coalescer.release(at: at(0.35)) == .send(3))
    }

    @Test("flush without taps, or of a sum of 0, sends nothing") func flushNothing() {
        var coalescer = SkipCoalescer()
        #expect(coalescer.flush() == nil)
        coalescer.tap(1, now: at(0))
        coalescer.tap(-1, now: at(0))
        #expect(coalescer.flush() == .nothing)
        #expect(coalescer.flush() == nil)
    }

    @Test("cancel drops the sum") func cancel() {
        var coalescer = SkipCoalescer()
        coalescer.tap(1, now: at(0))
        coalescer.cancel()
        #expect(coalescer.nextDeadline == nil)
        #expect(coalescer.release(at: at(10)) == nil)
        #expect(coalescer.pendingSum == 0)
    }
}
