import Testing
import WireProtocol

@testable import RemoteCore

/// A remote whose host is five seconds ahead, behind a network that holds every line up, in order; in virtual time.
private struct UnsteadyNetwork {
    var bench = Bench()
    var random: SplitMix64
    /// Seconds that each line takes at least, and up to how many more, either way.
    var base: Double
    var jitter: Double
    /// Seconds by which the host's clock gains on ours in each second.
    var drift: Double
    /// How many of the remote's lines are on their way or further.
    private var taken = 0
    private var toHost: [(due: SteadyTime, ping: JSONValue)] = []
    private var toRemote: [(due: SteadyTime, message: HostMessage)] = []
    private var lastDue = (host: at(0), remote: at(0))

    /// Connected; the host plays from position 0 on, since the remote's time 0.
    init(seed: UInt64, base: Double = 0.002, jitter: Double, drift: Double = 0) {
        random = SplitMix64(state: seed)
        (self.base, self.jitter, self.drift) = (base, jitter, drift)
        bench.start()
        bench.open()
        bench.host(hello(dated: shows))
        bench.host(.metadata(metadata(time: 0, playing: true, dated: shows, duration: 10_000)))
    }

    private var seconds: Double { bench.now - at(0) }
    /// What the host's clock shows.
    private var shows: Double { 5 + seconds * (1 + drift) }

    /// Milliseconds by which the shown position is ahead of the host's.
    var error: Double { ((bench.position ?? .infinity) - (shows - 5)) * 1_000 }

    /// Lets time pass until `end` seconds after the start.
    mutating func pass(until end: Double) {
        while true {
            for frame in bench.sent[taken...] {
                if case .success(.ping(let payload)) = frame.content { toHost.append((delayed(\.host), payload)) }
            }
            taken = bench.sent.count
            let next = [bench.machine.nextDeadline, toHost.first?.due, toRemote.first?.due].compactMap(\.self).min()
            guard let next, next <= at(end) else { break }
            bench.now = max(bench.now, next)
            if let first = toHost.first, first.due <= bench.now {
                toHost.removeFirst()
                toRemote.append((delayed(\.remote), .pong(Pong(payload: first.ping, serverDate: date(shows)))))
            } else if let first = toRemote.first, first.due <= bench.now {
                toRemote.removeFirst()
                bench.host(first.message)
            } else {
                bench.note(bench.machine.tick(now: bench.now))
            }
        }
        bench.now = at(end)
    }

    /// When a line that leaves now arrives: never before the one that left before it.
    private mutating func delayed(_ way: WritableKeyPath<(host: SteadyTime, remote: SteadyTime), SteadyTime>)
        -> SteadyTime
    {
        lastDue[keyPath: way] = max(lastDue[keyPath: way], bench.now + base + jitter * random.fraction())
        return lastDue[keyPath: way]
    }
}

@Suite("A remote behind an unsteady network") struct UnsteadyNetworkTests {
    /// The size of the error, in milliseconds, that no remote passes at each time.
    private func errors(at times: [Double], jitter: Double, drift: Double = 0, remotes: UInt64 = 40) -> [Double] {
        var all = [[Double]](repeating: [], count: times.count)
        for seed in 1...remotes {
            var network = UnsteadyNetwork(seed: seed, jitter: jitter, drift: drift)
            for (place, time) in times.enumerated() {
                network.pass(until: time)
                all[place].append(abs(network.error))
            }
        }
        return all.map { $0.max() ?? .infinity }
    }

    @Test(
        "an even 100 ms of jitter each way: within 10 ms after ten seconds and from then on",
        arguments: [0, 50e-6, -50e-6])
    func jitter(drift: Double) {
        let times = [1.0, 3, 5, 10, 15, 20, 30, 60, 90, 120, 150]
        let errors = errors(at: times, jitter: 0.1, drift: drift)
        let told = zip(times, errors).map { "\(Int($0)) s: \(($1 * 10).rounded() / 10)" }
        print("position error behind 100 ms of jitter, the worst of 40 remotes (ms):", told.joined(separator: ", "))
        #expect(errors[3...].allSatisfy { $0 <= 10 })
    }

    @Test("20 ms of jitter: within 10 ms after a second") func wireless() {
        #expect(errors(at: [1, 2, 5, 30, 90], jitter: 0.02).allSatisfy { $0 <= 10 })
    }

    @Test("the pings for it come at most five a second, and at most twice a second over a minute") func pings() {
        var network = UnsteadyNetwork(seed: 3, jitter: 0.1)
        network.pass(until: 10)
        #expect(network.bench.pings.count <= LinkWatch.burst + 50)
        network.pass(until: 70)
        let count = network.bench.pings.count
        network.pass(until: 190)
        #expect((120...240).contains(network.bench.pings.count - count))
    }

    @Test(
        "on a steady network there are eight at the start and one every 5 s, whatever the distance",
        arguments: [0.000_1, 0.05, 0.4])
    func steady(base: Double) {
        var network = UnsteadyNetwork(seed: 4, base: base, jitter: 0.003)
        network.pass(until: 100.5)
        // The first pongs of a distant host come when all eight have left, and one more has been asked for by then.
        #expect((LinkWatch.burst + 19...LinkWatch.burst + 21).contains(network.bench.pings.count))
        #expect(abs(network.error) < 2)
    }

    @Test("a host that does not answer is not asked more often") func silent() {
        var bench = Bench.connected()
        bench.pass(11)
        #expect(bench.pings.count == LinkWatch.burst + 2)
    }
}
