import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Remote machine: any sequence of events") struct RemoteMachinePropertyTests {
    /// A host that answers, refuses, stalls, breaks off and babbles at random.
    @Test(
        "no command is sent twice, every tag is settled once, no tap is applied twice or vanishes", arguments: 0..<120)
    func sequences(seed: Int) {
        var random = SplitMix64(state: UInt64(seed) &* 7_919 &+ 1)
        func chance(_ probability: Double) -> Bool { random.fraction() < probability }
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

        var bench = Bench()
        var nextTag = 1
        var taps: [Int: Double] = [:]
        var answered = 0
        var hostDate = 0.0

        for _ in 0..<400 {
            let tag = nextTag
            switch below(22) {
            case 0: bench.start()
            case 1, 2, 3: bench.open()
            case 4: if chance(0.5) { bench.fail() } else { bench.close() }
            case 5, 6: bench.host(hello(chance(0.02) ? 2 : 1, dated: hostDate))
            case 7:
                bench.host(
                    .metadata(metadata(cues: someCues(below(3)), time: 50, playing: chance(0.5), dated: hostDate)))
            case 8:
                bench.host(
                    .snapshot(snapshot(time: 50, playing: chance(0.5), dated: hostDate, volume: random.fraction())))
            case 9: if chance(0.2) { bench.wake() }
            case 10: if chance(0.05) { bench.stop() }
            case 11: bench.raw(["]\n", "{\"kind\":\"x\"}\n", "{\"ki", "\n"][below(4)])
            case 12: if chance(0.1) { bench.host(.goodbye(chance(0.5) ? .shutdown : .finished)) }
            case 13: if chance(0.3) { bench.host(.sessionEnded) }
            case 14, 15, 16:
                let seconds = Double([-3, -1, 1, 3][below(4)])
                taps[tag] = seconds
                nextTag += 1
                bench.tap(seconds, tag)
            case 17:
                nextTag += 1
                bench.turn(Double(below(5)) / 4, tag)
            case 18:
                nextTag += 1
                bench.command(
                    [.play, .pause, .seek(time: 9), .setVolume(0.5), .switchTrack(trackID: "b")][below(5)], tag)
            default:
                // Replies in order, some refused, some never, some for ids that do not exist.
                let commands = bench.commands
                while answered < commands.count, chance(0.7) {
                    let id = commands[answered].id
                    answered += 1
                    switch below(4) {
                    case 0: break
                    case 1: bench.host(.error(WireError(.internal, "")), re: id)
                    default: bench.host(.snapshot(snapshot(time: 50, dated: hostDate)), re: id)
                    }
                    if chance(0.1) { bench.host(.snapshot(snapshot(time: 50, dated: hostDate)), re: id) }
                }
                if chance(0.1) { bench.host(.error(WireError(.internal, "")), re: 999_999) }
            }
            let step = random.fraction() * (chance(0.05) ? 20 : 0.2)
            hostDate += step
            bench.pass(step)
        }
        bench.stop()

        for tag in 1..<nextTag { #expect(bench.outcomes[CommandTag(tag)]?.count == 1, "tag \(tag)") }
        let ids = bench.commands.map(\.id)
        #expect(Set(ids).count == ids.count)
        bench.pass(VolumeThrottle.settling)
        #expect(bench.machine.nextDeadline == nil)

        let sentSum = bench.commands.reduce(0.0) { sum, sent in
            if case .skip(let seconds) = sent.command { sum + seconds } else { sum }
        }
        let leftSum = taps.reduce(0.0) { sum, tap in
            bench.outcome(tap.key) == .failure(.notSent) ? sum : sum + tap.value
        }
        #expect(sentSum == leftSum, "what was sent is exactly what was not told as unsent")
    }
}
