import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Clock offset") struct ClockOffsetTests {
    /// A host whose clock shows `ahead` seconds (and `drift` s/s more) beyond our steady seconds.
    struct Host {
        var ahead = 5.0
        var drift = 0.0

        func shows(_ time: Double) -> Double { time + ahead + drift * time }

        func ping(_ clock: inout ClockOffset, at time: Double, there: Double, back: Double) {
            clock.pong(
                sent: at(time), serverDate: date(shows(time + there)), received: at(time + there + back))
        }
    }

    private let epoch = 1_790_000_000.0

    private func error(_ clock: ClockOffset, _ host: Host, at time: Double) throws -> Double {
        try #require(clock.hostDate(at: at(time))) - (epoch + host.shows(time))
    }

    @Test("knows nothing before the hello") func unknown() {
        let clock = ClockOffset()
        #expect(clock.hostDate(at: at(0)) == nil)
        #expect(clock.errorBound == nil)
        #expect(clock.seconds(since: date(0), at: at(0)) == nil)
    }

    @Test("hello gives a rough date, bounded by the time of connecting") func hello() throws {
        let host = Host()
        var clock = ClockOffset()
        clock.hello(serverDate: date(host.shows(0.06)), opened: at(0), received: at(0.08))
        #expect(clock.isKnown && !clock.isMeasured)
        #expect(abs(try error(clock, host, at: 0.08)) <= 0.041)
        #expect(try #require(clock.errorBound) >= 0.04)
    }

    @Test("the first pong replaces the hello's date") func firstPong() throws {
        let host = Host()
        var clock = ClockOffset()
        clock.hello(serverDate: date(host.shows(0)), opened: at(0), received: at(0.5))
        host.ping(&clock, at: 1, there: 0.001, back: 0.001)
        #expect(clock.isMeasured)
        #expect(abs(try error(clock, host, at: 2)) <= 0.000_51)
        #expect(clock.steps == 0)
    }

    @Test("the smallest round trip wins") func smallestWins() throws {
        let host = Host()
        var clock = ClockOffset()
        host.ping(&clock, at: 0, there: 0.1, back: 0.01)
        host.ping(&clock, at: 0.2, there: 0.002, back: 0.002)
        host.ping(&clock, at: 0.4, there: 0.01, back: 0.2)
        #expect(abs(try error(clock, host, at: 1)) <= 0.001)
        #expect(try #require(clock.errorBound) < 0.003)
    }

    @Test("each way has its own luckiest packet: a quick way there and a quick way back count from two pings")
    func bothWays() throws {
        let host = Host()
        var clock = ClockOffset()
        host.ping(&clock, at: 0, there: 0.002, back: 0.08)
        host.ping(&clock, at: 0.2, there: 0.09, back: 0.002)
        host.ping(&clock, at: 0.4, there: 0.02, back: 0.03)
        #expect(abs(try error(clock, host, at: 1)) <= 0.001)
        #expect(try #require(clock.errorBound) < 0.003)
    }

    @Test("it is settled when eight pongs agree on both bounds, and only then") func settles() {
        let host = Host()
        var clock = ClockOffset()
        func ping(_ number: Int, there: Double, back: Double) {
            host.ping(&clock, at: Double(number), there: there, back: back)
        }
        for number in 0..<7 { ping(number, there: 0.03, back: 0.03) }
        #expect(!clock.isSettled)
        // A slow way there bounds one side only.
        ping(7, there: 0.2, back: 0.03)
        #expect(!clock.isSettled)
        ping(8, there: 0.03, back: 0.2)
        #expect(clock.isSettled)
        // A much quicker one shows that all before were late.
        ping(9, there: 0.001, back: 0.001)
        #expect(!clock.isSettled)
    }

    @Test("what is old or was before a step counts no more for being settled") func unsettles() {
        var host = Host()
        var clock = ClockOffset()
        for number in 0..<8 { host.ping(&clock, at: Double(number) * 0.02, there: 0.001, back: 0.001) }
        #expect(clock.isSettled)
        host.ping(&clock, at: 59, there: 0.001, back: 0.001)
        #expect(clock.isSettled)
        host.ping(&clock, at: 61, there: 0.001, back: 0.001)
        #expect(!clock.isSettled)
        for number in 0..<8 { host.ping(&clock, at: 62 + Double(number), there: 0.001, back: 0.001) }
        #expect(clock.isSettled)
        host.ahead += 60
        host.ping(&clock, at: 75, there: 0.001, back: 0.001)
        #expect(clock.steps == 1 && !clock.isSettled)
    }

    @Test("half a millisecond is given back for the cut of the date") func truncation() throws {
        let host = Host(ahead: 5.000_37)
        var sum = 0.0
        for step in 0..<1_000 {
            var clock = ClockOffset()
            host.ping(&clock, at: Double(step) * 0.000_617, there: 0, back: 0)
            sum += try error(clock, host, at: Double(step) * 0.000_617)
        }
        #expect(abs(sum / 1_000) < 0.000_05)
    }

    @Test("eight loopback pings narrow the cut date to a fraction of a millisecond") func narrows() throws {
        let host = Host(ahead: 5.000_37)
        var clock = ClockOffset()
        for step in 0..<8 { host.ping(&clock, at: Double(step) * 0.020_13, there: 0.000_05, back: 0.000_05) }
        #expect(abs(try error(clock, host, at: 0.2)) < 0.000_3)
    }

    @Test("the error never passes the stated bound, whatever the delays") func bound() throws {
        var random = SplitMix64(state: 3)
        for round in 0..<200 {
            let host = Host(ahead: 1000 * random.fraction() - 500, drift: (random.fraction() - 0.5) * 100e-6)
            var clock = ClockOffset()
            var time = Double(round)
            for _ in 0..<30 {
                let (there, back) = (0.1 * random.fraction(), 0.1 * random.fraction())
                host.ping(&clock, at: time, there: there, back: back)
                time += 0.2 + 5 * random.fraction()
                let error = try error(clock, host, at: time - 0.2)
                #expect(abs(error) <= (try #require(clock.errorBound)) + 0.001)
            }
            #expect(clock.steps == 0, "drift is no step")
        }
    }

    @Test("100 ms of jitter and clocks 5 s apart: within 10 ms after the burst") func jitter() throws {
        var random = SplitMix64(state: 11)
        var errors: [Double] = []
        for _ in 0..<500 {
            let host = Host()
            var clock = ClockOffset()
            // Most of a jittery network's packets are quick; a quarter are held up by up to 100 ms.
            func delay() -> Double { 0.002 + (random.fraction() < 0.25 ? 0.1 * random.fraction() : 0) }
            for step in 0..<8 { host.ping(&clock, at: Double(step) * 0.02, there: delay(), back: delay()) }
            errors.append(abs(try error(clock, host, at: 1)))
        }
        #expect(errors.sorted()[495] <= 0.01)
    }

    @Test("a drifting clock is followed", arguments: [50e-6, -50e-6, 90e-6]) func drift(drift: Double) throws {
        let host = Host(drift: drift)
        var clock = ClockOffset()
        for step in 0..<1_440 {
            let time = Double(step) * 5
            host.ping(&clock, at: time, there: 0.003, back: 0.003)
            #expect(abs(try error(clock, host, at: time)) < 0.004)
        }
        #expect(clock.steps == 0)
    }

    @Test("old samples are forgotten") func ages() throws {
        var host = Host()
        var clock = ClockOffset()
        host.ping(&clock, at: 0, there: 0.000_1, back: 0.000_1)
        host.ahead = 5.01
        host.ping(&clock, at: 121, there: 0.005, back: 0.005)
        #expect(abs(try error(clock, host, at: 121)) < 0.001)
    }

    @Test("a step is followed at once", arguments: [3600.0, -3600, 0.5, -0.05]) func step(by jump: Double) throws {
        var host = Host()
        var clock = ClockOffset()
        for step in 0..<10 { host.ping(&clock, at: Double(step) * 5, there: 0.002, back: 0.002) }
        host.ahead += jump
        host.ping(&clock, at: 50, there: 0.004, back: 0.002)
        #expect(clock.steps == 1)
        #expect(abs(try error(clock, host, at: 50)) < 0.002)
    }

    @Test("seconds since an anchor carry no bias") func since() throws {
        let host = Host(ahead: 5.000_2)
        var clock = ClockOffset()
        host.ping(&clock, at: 0, there: 0, back: 0)
        let seconds = try #require(clock.seconds(since: date(host.shows(1)), at: at(3.25)))
        #expect(abs(seconds - 2.25) < 0.001)
    }

    @Test("microseconds survive a year of uptime") func resolution() throws {
        var clock = ClockOffset()
        let start = 31_536_000.0
        clock.pong(sent: at(start), serverDate: date(0), received: at(start))
        let first = try #require(clock.hostDate(at: at(start)))
        let second = try #require(clock.hostDate(at: at(start) + 0.000_1))
        #expect(abs(second - first - 0.000_1) < 0.000_001)
    }

    @Test("hello of another host process starts anew") func restarts() throws {
        var host = Host()
        var clock = ClockOffset()
        host.ping(&clock, at: 0, there: 0.001, back: 0.001)
        host.ahead = -86_400
        clock.hello(serverDate: date(host.shows(10)), opened: at(10), received: at(10))
        #expect(abs(try error(clock, host, at: 11)) < 0.002)
        #expect(clock.steps == 0)
    }

    @Test("a pong before its ping, or of a far year, harms nothing") func absurd() {
        var clock = ClockOffset()
        clock.pong(sent: at(1), serverDate: date(0), received: at(0))
        #expect(!clock.isKnown)
        clock.hello(serverDate: WireDate(milliseconds: 253_402_300_799_999), opened: at(0), received: at(0))
        clock.pong(sent: at(0), serverDate: WireDate(milliseconds: -62_135_596_800_000), received: at(1))
        #expect(clock.isKnown)
    }
}
