import Playback
import Testing
import WireProtocol

/// What must hold whatever commands and events come in whatever order.
@Suite("Random sequences")
struct RandomSequenceTests {
    @Test("answers each command exactly once and keeps the invariants", arguments: 0..<60)
    func invariants(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var walk = Walk()
        for _ in 0..<400 { walk.step(&random) }
        walk.finish()
        #expect(walk.asked > 50, "the walk must reach commands for the property to mean anything")
        #expect(walk.answers.count == walk.asked)
        #expect(walk.answers.values.allSatisfy { $0 == 1 })
    }
}

/// A machine driven at random, and what it has promised.
private struct Walk {
    var rig = Rig()
    var asked = 0
    var answers: [Int: Int] = [:]
    /// Newest epochs handed to the engine, to see that they grow.
    private var lastEpoch = 0

    mutating func step(_ random: inout SeededGenerator) {
        let before = rig
        let choice = Int.random(in: 0..<100, using: &random)
        if choice < 45 {
            asked += 1
            let command = Self.command(&random)
            check(rig.command(command, asker: Asker(connection: 0, message: .integer(asked))), before)
        } else if choice < 80 {
            check(rig.event(event(&random)), before)
        } else if choice < 94 {
            let wasPaused = !rig.machine.isPlaying
            rig.now = rig.now + Double.random(in: 0...3, using: &random)
            if wasPaused { #expect(rig.position == before.position, "a paused position does not move") }
            check(rig.machine.tick(now: rig.now), before)
        } else if choice < 98 || !rig.machine.hasSession {
            check(rig.open(at: Double.random(in: -5...120, using: &random)), before)
            #expect(!rig.machine.isPlaying, "a session opens paused")
        } else {
            check(rig.machine.close(now: rig.now), before)
        }
    }

    /// The end of the program: what still waits is answered.
    mutating func finish() {
        check(rig.machine.close(now: rig.now), rig)
    }

    private static func command(_ random: inout SeededGenerator) -> Command {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: .play
        case 2: .pause
        case 3: .togglePlayPause
        case 4: .skip(seconds: Double.random(in: -30...30, using: &random))
        case 5: .seek(time: Double.random(in: -50...250, using: &random))
        case 6, 7: .switchTrack(trackID: ["orig", "dub", "long", "nope"].randomElement(using: &random) ?? "orig")
        default: .setVolume(Double.random(in: 0...1, using: &random))
        }
    }

    /// True to the present epoch two times out of three, otherwise late.
    private func event(_ random: inout SeededGenerator) -> EngineEvent {
        let isLate = Int.random(in: 0..<3, using: &random) == 0
        let epoch = isLate ? rig.epoch - Int.random(in: 1...3, using: &random) : rig.epoch
        let switchEpoch = isLate ? epoch : rig.switchEpoch ?? epoch
        let position = Double.random(in: 0...200, using: &random)
        let track = ["orig", "dub", "long"].randomElement(using: &random) ?? "orig"
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            return .anchor(
                epoch: epoch, position: position, at: rig.now + -0.05, isRunning: Bool.random(using: &random))
        case 2: return .paused(epoch: epoch, position: position)
        case 3: return .ended(epoch: epoch)
        case 4, 5:
            return .switched(epoch: switchEpoch, trackID: track, duration: Double.random(in: 1...200, using: &random))
        case 6: return .switchFailed(epoch: switchEpoch, trackID: track, reason: "unreadable")
        case 7: return .failed(epoch: epoch, reason: "unreadable")
        case 8: return .outputLost(epoch: epoch, position: position, reason: "unplugged")
        default:
            return .output(
                OutputState(name: "Device", isPresent: Int.random(in: 0..<3, using: &random) > 0, volume: 0.5))
        }
    }

    private mutating func check(_ actions: [TransportAction], _ before: Rig) {
        for action in actions {
            switch action {
            case .reply(let asker, _):
                guard case .integer(let number)? = asker.message else { continue }
                answers[number, default: 0] += 1
                #expect(answers[number] == 1, "command \(number) is answered once")
            case .engine(.locate(let epoch, let position, let isPlaying)):
                #expect(isPlaying == rig.machine.isPlaying, "the engine is told the machine's own play state")
                #expect(position >= 0)
                grow(epoch)
            case .engine(.play(let epoch)):
                #expect(rig.machine.isPlaying)
                grow(epoch)
            case .engine(.switchTrack(let epoch, _)): grow(epoch)
            case .engine(.pause): #expect(!rig.machine.isPlaying)
            case .engine(.setVolume(let volume)): #expect((0...1).contains(volume))
            case .save(let state): #expect(state.position >= 0)
            case .changed, .note: break
            }
        }
        guard let snapshot = rig.machine.snapshot(at: rig.now) else { return }
        #expect((0...snapshot.duration).contains(snapshot.currentTime), "position in [0, duration]")
        if snapshot.isPlaying { #expect(snapshot.output?.isPresent != false, "nothing plays without a device") }
        if snapshot.isPlaying != before.machine.isPlaying, before.machine.hasSession {
            let pushes = actions.contains {
                if case .changed(let change) = $0 { change.contains(.snapshot) } else { false }
            }
            #expect(pushes, "another play state is pushed at once")
        }
    }

    private mutating func grow(_ epoch: Epoch) {
        #expect(epoch > lastEpoch, "epochs grow")
        lastEpoch = epoch
    }
}
