import Playback
import Probe
import Testing
import WireProtocol

@Suite("The trial, step by step")
struct SoundTrialTests {
    private static let device = EngineEvent.output(OutputState(name: "Cinema", latency: 0.025, isPresent: true))

    /// Runs a trial against an engine that answers each request after 30 ms, or as `answer` says.
    private func run(
        rounds: Int, answer: (EngineRequest) -> EngineEvent? = { _ in nil }
    ) -> (trial: SoundTrial, requests: [EngineRequest], seconds: Double) {
        var now = SteadyTime.seconds(10)
        var trial = SoundTrial(rounds: rounds, now: now)
        var requests = trial.note(Self.device, now: now)
        var open = requests
        while let deadline = trial.deadline {
            if let request = open.popLast() {
                now = now + 0.03
                let event = answer(request) ?? usual(request, now)
                open += trial.note(event, now: now)
            } else {
                now = max(now, deadline)
                let next = trial.tick(now: now)
                requests += next
                open += next
            }
        }
        return (trial, requests, now - .seconds(10))
    }

    private func usual(_ request: EngineRequest, _ now: SteadyTime) -> EngineEvent {
        switch request {
        case .locate(let epoch, let position, _):
            .anchor(epoch: epoch, position: position, at: now, isRunning: true)
        case .play(let epoch), .switchTrack(let epoch, _): .anchor(epoch: epoch, position: 7, at: now, isRunning: true)
        case .pause(let epoch): .paused(epoch: epoch, position: 8)
        case .setVolume: .underrun(count: -1)
        }
    }

    @Test("it plays, then seeks, switches, pauses and goes on, as often as was asked, and never touches the volume")
    func plan() {
        let (trial, requests, seconds) = run(rounds: 2)
        #expect(trial.failure == nil)
        #expect(trial.progress == 1)
        let kinds = requests.map { request in
            switch request {
            case .play: "play"
            case .locate(_, let position, true): position > 2 && position < SoundTrial.film - 6 ? "seek" : "far"
            case .locate: "locate"
            case .switchTrack(_, let track): "track \(track)"
            case .pause: "pause"
            case .setVolume: "volume"
            }
        }
        #expect(
            kinds == [
                "play", "seek", "track 1", "pause", "play", "seek", "track 0", "pause", "play",
            ])
        #expect(trial.log.steps.map(\.track) == [0, 0, 1, 1, 1, 1, 0, 0, 0])
        #expect(abs(seconds - SoundTrial.length(rounds: 2)) < 1.2)
        #expect(trial.log.latency == 0.025)
    }

    @Test("as many rounds as take the seconds, one at least", arguments: [(1.0, 1), (5, 1), (8, 2), (15, 4), (60, 20)])
    func rounds(seconds: Double, expected: Int) {
        #expect(SoundTrial.rounds(within: seconds) == expected)
        if expected > 1 { #expect(abs(SoundTrial.length(rounds: expected) - seconds) < 0.15 * seconds) }
    }

    @Test("without a device it gives up after five seconds")
    func noDevice() {
        var trial = SoundTrial(rounds: 1, now: .seconds(0))
        #expect(trial.note(.output(OutputState(name: "none", isPresent: false)), now: .seconds(1)).isEmpty)
        #expect(trial.tick(now: .seconds(4.9)).isEmpty)
        #expect(trial.failure == nil)
        #expect(trial.tick(now: .seconds(5)).isEmpty)
        #expect(trial.failure == .noDevice)
        #expect(trial.deadline == nil)
    }

    @Test("an act that is not answered ends it")
    func noAnswer() {
        let (trial, _, _) = run(rounds: 1) { request in
            if case .pause = request { .underrun(count: 0) } else { nil }
        }
        #expect(trial.failure == .noAnswer(to: .pause))
    }

    @Test("the answer to an older act is not taken for the newest one's")
    func late() {
        let (trial, _, _) = run(rounds: 1) { request in
            if case .switchTrack(let epoch, _) = request {
                .anchor(epoch: epoch - 1, position: 7, at: .seconds(0), isRunning: true)
            } else {
                nil
            }
        }
        #expect(trial.failure == .noAnswer(to: .switchTrack))
    }

    @Test("a device that goes away ends it")
    func lost() {
        let (trial, _, _) = run(rounds: 3) { request in
            if case .pause(let epoch) = request {
                .outputLost(epoch: epoch, position: 3, reason: "unplugged")
            } else {
                nil
            }
        }
        #expect(trial.failure == .deviceLost(reason: "unplugged"))
    }

    @Test("what was reported for a moment is what was known by then")
    func reported() throws {
        var log = TrialLog()
        log.anchors = [
            .init(position: 10, at: .seconds(1), isRunning: true, told: .seconds(1.01)),
            .init(position: 30, at: .seconds(2.1), isRunning: true, told: .seconds(2)),
            .init(position: 31, at: .seconds(3), isRunning: false, told: .seconds(3)),
        ]
        #expect(log.reported(at: .seconds(1)) == nil)
        #expect(abs(try #require(log.reported(at: .seconds(1.5))) - 10.5) < 1e-9)
        #expect(log.reported(at: .seconds(2.05)) == nil, "the sound is on its way")
        #expect(abs(try #require(log.reported(at: .seconds(2.5))) - 30.4) < 1e-9)
        #expect(log.reported(at: .seconds(9)) == 31)
    }
}
