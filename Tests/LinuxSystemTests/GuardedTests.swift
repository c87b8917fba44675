import Foundation
import LinuxSystem
import Testing

@Suite("A guarded value")
struct GuardedTests {
    @Test("counts every step of threads that step at the same time")
    func manyThreads() {
        let (threads, steps) = (4, 50_000)
        let count = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<steps { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == threads * steps)
    }

    @Test("passes on what is returned and what is thrown, and is free again afterwards")
    func results() {
        struct Refusal: Error, Equatable {
            var at: Int
        }
        let text = Guarded("a")
        #expect(
            text.withLock {
                $0 += "b"; return $0.count
            } == 2)
        #expect(throws: Refusal(at: 2)) {
            try text.withLock { text throws(Refusal) in
                defer { text = "" }
                throw Refusal(at: text.count)
            }
        }
        #expect(text.withLock { $0 } == "")
    }

    @Test("goes with its owner")
    func released() {
        final class Thing: Sendable {}
        weak var thing: Thing?
        do {
            let new = Thing()
            thing = new
            let guarded = Guarded<Thing?>(new)
            #expect(guarded.withLock { $0 === thing })
        }
        #expect(thing == nil)
    }

    @Test("ends a thread that would wait for itself, where it would hang")
    func reentry() async {
        await #expect(processExitsWith: .failure) {
            let count = Guarded(0)
            count.withLock { _ in count.withLock { $0 += 1 } }
        }
    }
}
