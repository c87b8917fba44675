import Glibc
import LinuxSystem
import Testing
import Transport
import WireProtocol

@Suite("The event loop")
struct EventLoopTests {
    @Test("timers fire in the order of their deadlines, equal ones as they were scheduled")
    func order() throws {
        let bench = try Bench()
        let start = bench.loop.now
        var fired: [String] = []
        for (name, delay) in [("c", 0.03), ("a", 0.01), ("b1", 0.02), ("b2", 0.02), ("past", -1)] {
            bench.loop.schedule(at: start + delay) { fired.append(name) }
        }
        #expect(bench.run { fired.count == 5 })
        #expect(fired == ["past", "a", "b1", "b2", "c"])
    }

    @Test("none fires before its time")
    func notEarly() throws {
        let bench = try Bench()
        var late: [Double] = []
        for milliseconds in 1...20 {
            let deadline = MonotonicClock.now() + Double(milliseconds) / 1e3
            bench.loop.schedule(at: deadline) { late.append(bench.loop.now - deadline) }
        }
        #expect(bench.run { late.count == 20 })
        #expect(late.allSatisfy { $0 >= 0 })
    }

    @Test("a cancelled one does not fire, not even when cancelled by another of the same moment")
    func cancel() throws {
        let bench = try Bench()
        var fired: [String] = []
        let moment = bench.loop.now + 0.01
        var second: EventLoop.Timer?
        bench.loop.schedule(at: moment) {
            fired.append("first")
            if let second { bench.loop.cancel(second) }
        }
        second = bench.loop.schedule(at: moment) { fired.append("second") }
        let third = bench.loop.schedule(at: moment) { fired.append("third") }
        bench.loop.cancel(third)
        bench.turn(for: 0.05)
        #expect(fired == ["first"])
    }

    @Test("a timer that always schedules itself for now does not keep a descriptor waiting")
    func noStarvation() throws {
        let bench = try Bench()
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        defer { ends.forEach { close($0) } }
        var isHeard = false
        let watch = try bench.loop.watch(ends[0]) { _ in isHeard = true }
        var rounds = 0
        func again() {
            rounds += 1
            if rounds == 10 { write(ends[1], "x", 1) }
            if !isHeard, rounds < 10_000 { bench.loop.schedule(at: bench.loop.now, again) }
        }
        again()
        #expect(bench.run(within: 5) { isHeard })
        #expect(rounds < 20)
        bench.loop.unwatch(watch, of: ends[0])
    }

    @Test("a descriptor number that is closed and given out again does not get the old one's event")
    func reusedNumber() async {
        await #expect(processExitsWith: .success) {
            let bench = try Bench()
            var pipes: [[Int32]] = [[0, 0], [0, 0]]
            var watches: [EventLoop.Watch] = []
            var fired: [String] = []
            var fresh: [Int32] = [0, 0]
            // Both are ready in one turn; whichever comes first does away with the other.
            for index in pipes.indices {
                pipe(&pipes[index])
                write(pipes[index][1], "x", 1)
                let watch = try bench.loop.watch(pipes[index][0]) { _ in
                    fired.append("old")
                    for (watch, ends) in zip(watches, pipes) { bench.loop.unwatch(watch, of: ends[0]) }
                    let other = pipes[1 - index][0]
                    // Closed and given out in one call, or another thread might get the number.
                    pipe(&fresh)
                    dup2(fresh[0], other)
                    close(fresh[0])
                    fresh[0] = other
                    _ = try? bench.loop.watch(other) { _ in fired.append("new") }
                }
                watches.append(watch)
            }
            bench.turn(for: 0.05)
            precondition(fired == ["old"], "\(fired)")
            write(fresh[1], "y", 1)
            precondition(bench.run { fired.contains("new") })
        }
    }

    @Test("what a handler unwatches in the same turn is not called any more")
    func unwatchedInTurn() throws {
        let bench = try Bench()
        var pipes: [[Int32]] = (0..<8).map { _ in [0, 0] }
        var watches: [EventLoop.Watch] = []
        var calls = 0
        for index in pipes.indices {
            pipe(&pipes[index])
            write(pipes[index][1], "x", 1)
            watches.append(
                try bench.loop.watch(pipes[index][0]) { _ in
                    calls += 1
                    for (watch, ends) in zip(watches, pipes) { bench.loop.unwatch(watch, of: ends[0]) }
                })
        }
        bench.turn(for: 0.05)
        #expect(calls == 1)
        for ends in pipes { ends.forEach { close($0) } }
    }

    @Test("a message posted by another thread wakes the loop")
    func mailbox() throws {
        let bench = try Bench()
        let mailbox = Mailbox<Int>()
        var heard: [Int] = []
        let watch = try bench.loop.watch(mailbox.descriptor) { _ in heard += mailbox.drain() }
        let thread = try WorkerThread("post") { for number in 1...100 { mailbox.post(number) } }
        defer { thread.join() }
        #expect(bench.run { heard.count == 100 })
        #expect(heard == Array(1...100))
        bench.loop.unwatch(watch, of: mailbox.descriptor)
    }

    @Test("a termination signal is an event")
    func signal() async {
        // The signal mask stays with the thread, so a process of its own.
        await #expect(processExitsWith: .success) {
            let bench = try Bench()
            var heard: [Int32] = []
            let watch = try SignalWatch(SignalWatch.termination, loop: bench.loop) { heard.append($0) }
            pthread_kill(pthread_self(), SIGTERM)
            pthread_kill(pthread_self(), SIGHUP)
            precondition(bench.run { heard.count == 2 })
            precondition(Set(heard) == [SIGTERM, SIGHUP])
            withExtendedLifetime(watch) {}
        }
    }
}
