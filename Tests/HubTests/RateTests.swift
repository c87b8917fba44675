import Hub
import Testing
import WireProtocol

@Suite("When the snapshot is pushed")
struct BroadcastGateTests {
    private let start = SteadyTime(nanoseconds: 0)

    @Test("5 calls in 0.4 s are one push")
    func fiveCalls() {
        var gate = BroadcastGate()
        gate.changed(isPlaying: true, now: start)
        let pushes = (0..<5).map { gate.tick(now: start + 1 + 0.1 * Double($0)) }
        #expect(pushes == [true, false, false, false, false])
    }

    @Test("a change bypasses the interval: 0.1 s after it blocked, 1.0 s after it allowed")
    func changeRenewsInterval() {
        var gate = BroadcastGate()
        gate.changed(isPlaying: true, now: start)
        gate.changed(isPlaying: true, now: start + 0.7)
        #expect(gate.tick(now: start + 0.8) == false)
        #expect(gate.tick(now: start + 1.0) == false)
        #expect(gate.nextDeadline == start + 1.7)
        #expect(gate.tick(now: start + 1.7) == true)
    }

    @Test("never while paused, and at once again after play")
    func paused() {
        var gate = BroadcastGate()
        #expect(gate.nextDeadline == nil)
        #expect(gate.tick(now: start + 100) == false)
        gate.changed(isPlaying: true, now: start)
        gate.changed(isPlaying: false, now: start + 0.5)
        #expect(gate.nextDeadline == nil)
        #expect(gate.tick(now: start + 100) == false)
        gate.changed(isPlaying: true, now: start + 200)
        #expect(gate.tick(now: start + 201) == true)
    }

    @Test("at most once a second for as long as it plays, however often it is asked")
    func oneHertz() {
        var gate = BroadcastGate()
        gate.changed(isPlaying: true, now: start)
        let pushes = (1...6_000).filter { gate.tick(now: start + 0.01 * Double($0)) }
        #expect(pushes.count == 60)
        #expect(zip(pushes, pushes.dropFirst()).allSatisfy { $1 - $0 >= 100 })
    }
}

@Suite("Token bucket")
struct TokenBucketTests {
    private let start = SteadyTime(nanoseconds: 0)

    @Test("gives its burst at once and then its rate")
    func burstAndRate() {
        var bucket = TokenBucket(burst: 3, perSecond: 2, now: start)
        #expect((0..<4).map { _ in bucket.take(now: start) } == [true, true, true, false])
        #expect(bucket.take(now: start + 0.4) == false)
        #expect(bucket.take(now: start + 0.5) == true)
        #expect(bucket.take(now: start + 0.5) == false)
    }

    @Test("saves up no more than its burst")
    func cap() {
        var bucket = TokenBucket(burst: 3, perSecond: 2, now: start)
        #expect((0..<5).map { _ in bucket.take(now: start + 1_000) } == [true, true, true, false, false])
    }

    @Test("over ten seconds of greed gives burst plus ten times the rate")
    func greed() {
        var bucket = TokenBucket(burst: 10, perSecond: 50, now: start)
        let taken = (0...10_000).filter { bucket.take(now: start + 0.001 * Double($0)) }.count
        #expect((509...510).contains(taken))
    }
}
