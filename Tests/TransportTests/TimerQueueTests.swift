import Testing
import WireProtocol

@testable import Transport

@Suite("The timers of a loop")
struct TimerQueueTests {
    private func moment(_ nanoseconds: Int64) -> SteadyTime { SteadyTime(nanoseconds: nanoseconds) }

    /// Does all that is due and gives what was noted.
    private func fire(_ queue: inout TimerQueue, at now: Int64) {
        for id in queue.popDue(at: moment(now)) { queue.take(id)?() }
    }

    @Test("come in the order of their deadlines, equal ones as they were added, however they were added and cancelled")
    func order() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var queue = TimerQueue()
            var expected: [(deadline: Int64, id: UInt64)] = []
            var done: [UInt64] = []
            for id in UInt64(1)...60 {
                let deadline = Int64.random(in: 0..<20, using: &random)
                queue.add(id, at: moment(deadline)) { done.append(id) }
                expected.append((deadline, id))
                if Bool.random(using: &random), let victim = expected.randomElement(using: &random) {
                    queue.cancel(victim.id)
                    expected.removeAll { $0.id == victim.id }
                }
            }
            expected.sort { $0 < $1 }
            #expect(queue.count == expected.count)
            #expect(queue.nextDeadline == expected.first.map { moment($0.deadline) })
            fire(&queue, at: 9)
            #expect(done == expected.filter { $0.deadline <= 9 }.map(\.id))
            fire(&queue, at: 100)
            #expect(done == expected.map(\.id))
            #expect(queue.nextDeadline == nil)
            #expect(queue.keptCount == 0)
        }
    }

    @Test("one that another of the same moment cancels is not done")
    func cancelledMeanwhile() {
        var queue = TimerQueue()
        for id in UInt64(1)...3 { queue.add(id, at: moment(5)) {} }
        let due = queue.popDue(at: moment(5))
        #expect(due == [1, 2, 3])
        queue.cancel(2)
        #expect(due.map { queue.take($0) != nil } == [true, false, true])
    }

    @Test("cancelled ones are not kept for ever, even when none ever comes to its time")
    func bounded() {
        var queue = TimerQueue()
        queue.add(0, at: moment(1)) {}
        for id in UInt64(1)...100_000 {
            queue.add(id, at: moment(1_000_000 + Int64(id))) {}
            queue.cancel(id)
            #expect(queue.keptCount <= 2 * queue.count + 65)
        }
        #expect(queue.count == 1)
        #expect(queue.nextDeadline == moment(1))
    }

    @Test("cancelling one that is done, or twice, does nothing")
    func again() {
        var queue = TimerQueue()
        queue.add(1, at: moment(1)) {}
        fire(&queue, at: 1)
        queue.cancel(1)
        queue.add(2, at: moment(2)) {}
        queue.cancel(2)
        queue.cancel(2)
        #expect(queue.count == 0)
        #expect(queue.nextDeadline == nil)
    }
}
