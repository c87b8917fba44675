import Playback
import Testing
import WireProtocol

/// Positions, ends and failures of the sound in every situation.
@Suite("What the sound reports, in every state")
struct SoundEventGridTests {
    @Test("a running anchor corrects what plays and confirms a seek; late, after a pause, it is passed over")
    func runningAnchor() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | push | playing 10.6
            playingSeeking   | push | playing 10.6
            pausedSwitching  | - | paused 10
            playingSwitching | push | playing 10.6
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.anchor(epoch: $0.epoch, position: 10.5, at: $0.now + -0.1, isRunning: true))) }
    }

    @Test("a standing anchor corrects what is paused and holds what plays, unless the sound has failed")
    func standingAnchor() {
        Grid(
            """
            idle             | - | idle
            paused           | push | paused 10.5
            pausedSeeking    | push | paused 10.5
            playing          | push | playing 10.5
            playingSeeking   | push | playing 10.5
            pausedSwitching  | push | paused 10.5
            playingSwitching | push | playing 10.5
            atEnd            | push | paused 10.5
            outputAbsent     | push | paused 10.5 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.anchor(epoch: $0.epoch, position: 10.5, at: $0.now + -0.1, isRunning: false))) }
    }

    @Test("an anchor of an older epoch changes nothing")
    func oldAnchor() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | - | playing 10
            playingSeeking   | - | playing 40
            pausedSwitching  | - | paused 10
            playingSwitching | - | playing 10
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check {
            text($0.event(.anchor(epoch: $0.epoch - 1, position: 77, at: $0.now, isRunning: $0.machine.isPlaying)))
        }
    }

    @Test("paused: where the sound stopped is the position")
    func paused() {
        Grid(
            """
            idle             | - | idle
            paused           | push | paused 10.02
            pausedSeeking    | push | paused 10.02
            playing          | - | playing 10
            playingSeeking   | - | playing 40
            pausedSwitching  | push | paused 10.02
            playingSwitching | - | playing 10
            atEnd            | push | paused 10.02
            outputAbsent     | push | paused 10.02 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.paused(epoch: $0.epoch, position: 10.02))) }
    }

    @Test("paused of an older epoch changes nothing")
    func oldPaused() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | - | playing 10
            playingSeeking   | - | playing 40
            pausedSwitching  | - | paused 10
            playingSwitching | - | playing 10
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.paused(epoch: $0.epoch - 1, position: 77))) }
    }

    @Test("ended: paused at the duration, the session stays")
    func ended() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | save 100, ended 100, push | paused 100
            playingSeeking   | save 100, ended 100, push | paused 100
            pausedSwitching  | - | paused 10
            playingSwitching | save 100, ended 100, push | paused 100
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.ended(epoch: $0.epoch))) }
    }

    @Test("ended of an older epoch changes nothing")
    func oldEnded() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | - | playing 10
            playingSeeking   | - | playing 40
            pausedSwitching  | - | paused 10
            playingSwitching | - | playing 10
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.ended(epoch: $0.epoch - 1))) }
    }

    @Test("failed: paused where the listener was or wanted to be")
    func failed() {
        Grid(
            """
            idle             | - | idle
            paused           | save 10, soundFailed 10, push | paused 10
            pausedSeeking    | save 40, soundFailed 40, push | paused 40
            playing          | save 10, soundFailed 10, push | paused 10
            playingSeeking   | save 40, soundFailed 40, push | paused 40
            pausedSwitching  | save 10, soundFailed 10, push | paused 10
            playingSwitching | save 10, soundFailed 10, push | paused 10
            atEnd            | save 100, soundFailed 100, push | paused 100
            outputAbsent     | save 10, soundFailed 10, push | paused 10 no output
            soundFailed      | save 10, soundFailed 10, push | paused 10
            """
        ).check { text($0.event(.failed(epoch: $0.epoch, reason: "unreadable"))) }
    }

    @Test("failed of an older epoch changes nothing")
    func oldFailed() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | - | playing 10
            playingSeeking   | - | playing 40
            pausedSwitching  | - | paused 10
            playingSwitching | - | playing 10
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.failed(epoch: $0.epoch - 1, reason: "unreadable"))) }
    }
}
