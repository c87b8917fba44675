import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Reconnect schedule") struct ReconnectScheduleTests {
    private func delays(_ schedule: inout ReconnectSchedule, _ count: Int, random: Double = 0) -> [Double] {
        (0..<count).map { _ in schedule.nextAttempt(now: at(0), random: random).time - at(0) }
    }

    @Test("first at once, then 0.25 to 5 s, doubling") func doubling() {
        var schedule = ReconnectSchedule()
        #expect(delays(&schedule, 8) == [0, 0.25, 0.5, 1, 2, 4, 5, 5])
    }

    @Test("jitter takes off at most a quarter") func jitter() {
        var schedule = ReconnectSchedule()
        #expect(delays(&schedule, 7, random: 1) == [0, 0.1875, 0.375, 0.75, 1.5, 3, 3.75])
    }

    @Test("never overflows") func many() {
        var schedule = ReconnectSchedule()
        #expect(delays(&schedule, 10_000).last == 5)
    }

    @Test("a connection that proved good starts anew") func proven() {
        var schedule = ReconnectSchedule()
        _ = delays(&schedule, 6)
        schedule.connectionProven(now: at(0))
        #expect(schedule.nextAttempt(now: at(1), random: 0).time == at(1))
        #expect(schedule.nextAttempt(now: at(1), random: 0).time == at(1.25))
    }

    @Test("a host that greets and closes is not called in a tight loop") func flapping() {
        var schedule = ReconnectSchedule()
        var total = 0.0
        for _ in 0..<10 {
            schedule.connectionProven(now: at(0))
            total += schedule.nextAttempt(now: at(0.01), random: 0).time - at(0.01)
        }
        #expect(total > 20)
    }

    @Test("waking tries at once") func wake() {
        var schedule = ReconnectSchedule()
        _ = delays(&schedule, 6)
        schedule.woken()
        #expect(delays(&schedule, 2) == [0, 0.25])
    }

    @Test("after a shutdown: not at once, and by discovery until greeted again") func shutdown() {
        var schedule = ReconnectSchedule()
        schedule.connectionProven(now: at(0))
        schedule.hostLeft()
        for delay in [0.25, 0.5] {
            let next = schedule.nextAttempt(now: at(100), random: 0)
            #expect(next == .init(time: at(100 + delay), target: .discovery))
        }
        schedule.connectionProven(now: at(101))
        #expect(schedule.nextAttempt(now: at(200), random: 0) == .init(time: at(200), target: .lastAddress))
    }

    @Test("an address that keeps failing is looked up again") func staleAddress() {
        var schedule = ReconnectSchedule()
        let targets = (0..<5).map { _ in schedule.nextAttempt(now: at(0), random: 0).target }
        #expect(targets == [.lastAddress, .lastAddress, .lastAddress, .discovery, .discovery])
    }
}
