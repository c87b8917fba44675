import FuzzKit
import Playback
import WireProtocol

/// What a remote may ask for: any number that a frame can hold.
func command(_ choices: inout Choices) -> Command {
    switch choices.below(10) {
    case 0, 1: .play
    case 2: .pause
    case 3: .togglePlayPause
    case 4: .skip(seconds: choices.one(of: [1, -1, 3, -3, 100]))
    case 5: .skip(seconds: choices.number())
    case 6: .seek(time: choices.number())
    case 7: .seek(time: Double(choices.byte()))
    case 8: .switchTrack(trackID: choices.one(of: Walk.tracks + ["nowhere"]))
    default: .setVolume(choices.one(of: [0, 0.5, 1]))
    }
}

func output(_ choices: inout Choices) -> OutputState {
    OutputState(
        name: choices.one(of: ["Speakers", "Headphones"]), latency: choices.one(of: [nil, 0.02]),
        isPresent: choices.below(3) > 0, volume: choices.one(of: [nil, 0.25, 1]), isMuted: choices.one(of: [nil, true]))
}

/// The engine's events are our own program's: late, doubled, out of order, but with positions in the film's range.
func event(_ choices: inout Choices, of walk: Walk) -> EngineEvent {
    let late = choices.one(of: [0, 0, 0, 1, 2, 5])
    let (epoch, switchEpoch) = (walk.epoch - late, walk.switchEpoch - late)
    let position = Double(choices.byte()) / 2
    switch choices.below(10) {
    case 0, 1:
        let at = walk.now + choices.one(of: [0, -0.05, -2, 0.03, 1])
        return .anchor(epoch: epoch, position: position, at: at, isRunning: choices.flag())
    case 2: return .paused(epoch: epoch, position: position)
    case 3: return .ended(epoch: epoch)
    case 4, 5:
        return .switched(epoch: switchEpoch, trackID: choices.one(of: Walk.tracks), duration: Double(choices.byte()))
    case 6: return .switchFailed(epoch: switchEpoch, trackID: choices.one(of: Walk.tracks), reason: "unreadable")
    case 7: return .failed(epoch: epoch, reason: "unreadable")
    case 8: return .outputLost(epoch: epoch, position: position, reason: "unplugged")
    default: return choices.flag() ? .output(output(&choices)) : .underrun(count: 1)
    }
}

fuzz { input in
    var choices = Choices(input)
    var walk = Walk()
    while !choices.isAtEnd {
        switch choices.below(8) {
        case 0:
            let durations = (0..<3).map { _ in Double(choices.byte()) / 2 }
            walk.openSession(
                durations, at: choices.number(), output: choices.flag() ? output(&choices) : nil)
        case 1: if choices.below(4) == 0 { walk.closeSession() }
        case 2, 3, 4: walk.command(command(&choices))
        case 5, 6: walk.event(event(&choices, of: walk))
        default: walk.wait(choices.one(of: [0.01, 0.1, 0.999, 1, 5, 60, 4_000]))
        }
    }
    walk.closeSession()
}
