import FuzzKit
import RemoteCore
import WireProtocol

func command(_ choices: inout Choices) -> Command {
    switch choices.below(8) {
    case 0: .play
    case 1: .pause
    case 2: .seek(time: choices.number())
    case 3: .switchTrack(trackID: "b")
    case 4: .setVolume(choices.one(of: [0, 0.5, 1, 2, .nan, .infinity]))
    case 5: .requestCueChunk(CueChunkRequest(sessionID: "film", revision: 1, index: choices.below(4)))
    default: .togglePlayPause
    }
}

/// The host answers the oldest command, or one that it has answered already.
func answer(_ choices: inout Choices, _ walk: inout Walk) {
    let id = walk.unanswered.isEmpty ? .integer(choices.below(64)) : walk.unanswered.removeFirst()
    switch choices.below(6) {
    case 0: walk.host(Host.other(&choices), re: id)
    case 1, 2: walk.host(Host.chunk(&choices), re: id)
    default: walk.host(Host.snapshot(&choices), re: id)
    }
}

fuzz { input in
    var choices = Choices(input)
    var walk = Walk(staysWithHost: choices.flag())
    var bytes = 0
    while !choices.isAtEnd, bytes < 2 << 20 {
        switch choices.below(20) {
        case 0:
            walk.note(walk.machine.start(now: walk.now))
        case 1, 2:
            // The usual beginning, so that most of an input is spent behind it.
            walk.note(walk.machine.start(now: walk.now))
            walk.opened()
            walk.host(Host.hello(&choices))
        case 3: walk.opened()
        case 4:
            let isFailure = choices.flag()
            if case .connecting = walk.machine.view.connection {} else if isFailure { break }
            walk.isOpen = false
            walk.note(
                isFailure
                    ? walk.machine.connectFailed(attempt: walk.attempt, now: walk.now)
                    : walk.machine.closed(attempt: walk.attempt, now: walk.now))
        case 5: walk.host(Host.metadata(&choices))
        case 6: walk.host(Host.snapshot(&choices))
        case 7:
            if choices.flag() {
                walk.host(Host.chunk(&choices))
            } else {
                for chunk in Host.push(&choices) { walk.host(chunk) }
            }
        case 8: walk.host(Host.other(&choices))
        case 9:
            let piece = choices.block()
            bytes += piece.count
            walk.receive(piece)
        case 10:
            if choices.below(4) > 0 {
                walk.receive(Host.growingPing)
                continue
            }
            walk.receive([UInt8](repeating: choices.byte(), count: 2 * choices.length()))
            bytes += 40_000
        case 11, 12: answer(&choices, &walk)
        case 13: walk.tap(choices.one(of: [1, -1, 3, -3, 0.5, 1e7]))
        case 14:
            let tag = walk.tag()
            walk.note(walk.machine.turnVolume(to: Double(choices.below(5)) / 4, tag: tag, now: walk.now))
        case 15:
            let (tag, command) = (walk.tag(), command(&choices))
            walk.note(walk.machine.command(command, tag: tag, now: walk.now))
        case 16:
            guard let key = walk.wanted.popLast() else { break }
            // The cache may hold other cues than were asked for.
            let place = choices.flag() ? Host.digests.firstIndex(of: key.digest) ?? 0 : choices.below(Host.cues.count)
            walk.note(walk.machine.cuesLoaded(Host.cues[place], sessionID: key.sessionID, now: walk.now))
        case 17:
            switch choices.below(8) {
            case 0: walk.note(walk.machine.stop(now: walk.now))
            case 1, 2: walk.note(walk.machine.wake(now: walk.now))
            default: walk.note(walk.machine.flushSkips(now: walk.now))
            }
        default: walk.pass(choices.one(of: [0.001, 0.02, 0.1, 0.25, 0.5, 1, 1.2, 2, 5, 13]))
        }
    }
    walk.finish()
}
