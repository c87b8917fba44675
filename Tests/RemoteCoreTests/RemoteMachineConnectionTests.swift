import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Remote machine: losing and finding the host") struct RemoteMachineConnectionTests {
    // MARK: Losing and finding again

    @Test("dead at 12 s without a byte; pongs keep it alive") func liveness() {
        var bench = Bench.connected()
        bench.pass(11.9)
        #expect(bench.view.status == .connected)
        bench.host(.pong(Pong(payload: .object([]))))
        bench.pass(11.9)
        #expect(bench.view.status == .connected)
        let heard = bench.now + -11.9
        bench.pass(0.2)
        #expect(bench.view.status == .reconnecting(since: heard))
        #expect(bench.closes == 1 && bench.connects.count == 2)
    }

    @Test("a host that never says hello, and a connect that hangs, are given up") func hangs() {
        var bench = Bench()
        bench.start()
        bench.pass(9.9)
        #expect(bench.closes == 0)
        bench.pass(0.2)
        #expect(bench.closes == 1 && bench.connects.count == 2)
        bench.open()
        bench.pass(5.1)
        #expect(bench.closes == 2)
        #expect(bench.view.status == .neverConnected)
    }

    @Test("first retry at once, then slower, for ever") func retries() {
        var bench = Bench.connected()
        bench.pass(2)
        bench.close()
        #expect(bench.connects.count == 2)
        var gaps: [Double] = []
        for _ in 0..<12 {
            bench.fail()
            let failed = bench.now
            while case .disconnected(let next) = bench.machine.connection {
                bench.now = next.time
                bench.note(bench.machine.tick(now: bench.now))
            }
            gaps.append(bench.now - failed)
        }
        for (gap, longest) in zip(gaps, [0.25, 0.5, 1, 2, 4, 5, 5, 5, 5, 5, 5, 5]) {
            #expect(gap <= longest && gap >= longest * 0.75)
        }
        #expect(bench.connects.last == .discovery, "an address that keeps failing is looked up again")
    }

    @Test("after a reconnect everything comes from the host, whatever its dates") func refresh() {
        var bench = Bench.connected(time: 50, playing: true)
        bench.host(.snapshot(snapshot(time: 60, playing: true, dated: 1_000)))
        bench.pass(2)
        bench.close()
        #expect(bench.view.title == "Film", "the last state stays on screen")
        bench.open()
        bench.host(hello(dated: 3))
        bench.host(.metadata(metadata(time: 7, dated: 3, title: "Again")))
        #expect(bench.view.title == "Again" && bench.position == 7 && !bench.view.isPlaying)
    }

    @Test("a host that came back without a session clears the screen") func cameBackEmpty() {
        var bench = Bench.connected(cues: someCues(2))
        bench.close()
        bench.open()
        bench.host(hello())
        bench.host(.sessionEnded)
        let view = bench.view
        #expect(view.status == .noSession && view.title == nil && view.cues == .none && view.tracks.isEmpty)
        #expect(view.position(at: bench.now) == nil && view.volume(at: bench.now) == nil)
    }

    @Test("status tells never connected, connected, since when it is stale, and no session") func status() {
        var bench = Bench()
        #expect(bench.view.status == .neverConnected)
        bench.start()
        bench.open()
        #expect(bench.view.status == .neverConnected)
        bench.host(hello())
        #expect(bench.view.status == .noSession)
        bench.host(.metadata(metadata()))
        #expect(bench.view.status == .connected && bench.changed.contains(.status))
        bench.pass(3)
        let heard = bench.now
        bench.host(.snapshot(snapshot(dated: 3)))
        bench.pass(1)
        bench.close()
        bench.fail()
        #expect(bench.view.status == .reconnecting(since: heard))
        bench.pass(1)
        #expect(bench.view.status == .reconnecting(since: heard), "failed attempts don't renew it")
    }

    @Test("goodbyes: shutdown looks again by discovery, finished stays away") func goodbyes() {
        var bench = Bench.connected()
        bench.host(.goodbye(.shutdown))
        #expect(bench.closes == 1 && bench.connects.count == 1)
        bench.pass(0.25)
        #expect(bench.connects.last == .discovery && bench.connects.count == 2)
        bench.open()
        bench.host(hello())
        bench.host(.goodbye(.finished))
        #expect(bench.view.status == .ended(.finished))
        bench.pass(100)
        bench.wake()
        #expect(bench.connects.count == 2)
    }

    @Test("another host at the last address: ours is looked up, unless the address is what the user gave")
    func stranger() {
        for stays in [true, false] {
            var bench = Bench(staysWithHost: stays)
            bench.start()
            bench.open()
            bench.host(hello())
            bench.close()
            bench.open()
            bench.host(hello(name: "Stranger", id: "stranger"))
            #expect(bench.view.hostName == (stays ? "Laptop" : "Stranger"))
            #expect(bench.closes == (stays ? 1 : 0))
            bench.pass(0.25)
            #expect(bench.connects.count == (stays ? 3 : 2))
            #expect(bench.connects.last == (stays ? .discovery : .lastAddress))
        }
    }

    @Test("waking: a dead connection is replaced within a second, a live one is kept") func wake() {
        var bench = Bench.connected()
        bench.pass(1)
        bench.wake()
        bench.pass(0.5)
        bench.host(.pong(Pong(payload: .object([]))))
        bench.pass(5)
        #expect(bench.connects.count == 1)
        bench.wake()
        bench.pass(1)
        #expect(bench.connects.count == 2 && bench.closes == 1)
    }

    @Test("waking does not wait for the back-off") func wakeWhileWaiting() {
        var bench = Bench()
        bench.start()
        for _ in 0..<6 {
            bench.fail()
            bench.pass(5)
        }
        bench.fail()
        let count = bench.connects.count
        bench.wake()
        #expect(bench.connects.count == count + 1)
    }

    @Test("our steady clock stood still in sleep: the position is right after the first pong") func sleptClock() {
        var bench = Bench.connected(time: 0, playing: true, duration: 10_000)
        func answerPings(hostAhead: Double) {
            for ping in bench.pings.suffix(1) {
                bench.host(.pong(Pong(payload: ping, serverDate: date(bench.now - at(0) + hostAhead))))
            }
        }
        for _ in 0..<8 {
            answerPings(hostAhead: 0)
            bench.pass(0.02)
        }
        #expect(abs((bench.position ?? 0) - 0.16) < 0.002)
        bench.wake()
        answerPings(hostAhead: 600)
        #expect(abs((bench.position ?? 0) - 600.16) < 0.002)
    }

    @Test("stop: goodbye, unsent taps told, nothing scheduled") func stop() {
        var bench = Bench.connected()
        bench.command(.play, 1)
        bench.tap(1, 2)
        bench.stop()
        #expect(bench.outcome(1) == .failure(.lost) && bench.outcome(2) == .failure(.notSent))
        #expect(bench.sent.last?.content == .success(.goodbye(.finished)))
        #expect(bench.closes == 1 && bench.machine.nextDeadline == nil)
    }
}
