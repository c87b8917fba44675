import Playback
import Testing
import WireProtocol

/// Switches and devices in every situation.
@Suite("What happens to track and output, in every state")
struct TrackAndOutputEventGridTests {
    @Test("switched keeps position and play state and answers its asker")
    func switched() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | save 40 dub, push | paused 40 dub
            playing          | save 10 dub, push | playing 10 dub
            playingSeeking   | save 40 dub, push | playing 40 dub
            pausedSwitching  | save 10 dub, switched dub 10, earlier ok, push | paused 10 dub
            playingSwitching | save 10 dub, switched dub 10, earlier ok, push | playing 10 dub
            atEnd            | save 59 dub, push | paused 59 dub
            outputAbsent     | save 10 dub, push | paused 10 dub no output
            soundFailed      | save 10 dub, push | paused 10 dub
            """
        ).check { text($0.event(.switched(epoch: $0.switchEpoch ?? $0.epoch, trackID: "dub", duration: 59))) }
    }

    @Test("switched to a track that is over by then stops at its end")
    func switchedShort() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | save 9 dub, push | paused 9 dub
            playing          | pause#3, save 9 dub, ended 9, push | paused 9 dub
            playingSeeking   | pause#4, save 9 dub, ended 9, push | paused 9 dub
            pausedSwitching  | save 9 dub, switched dub 9, earlier ok, push | paused 9 dub
            playingSwitching | pause#4, switched dub 9, earlier ok, save 9 dub, ended 9, push | paused 9 dub
            atEnd            | save 9 dub, push | paused 9 dub
            outputAbsent     | save 9 dub, push | paused 9 dub no output
            soundFailed      | save 9 dub, push | paused 9 dub
            """
        ).check { text($0.event(.switched(epoch: $0.switchEpoch ?? $0.epoch, trackID: "dub", duration: 9))) }
    }

    @Test("switched to a track the session lacks changes nothing")
    func switchedUnknown() {
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
        ).check { text($0.event(.switched(epoch: 99, trackID: "nope", duration: 59))) }
    }

    @Test("switchFailed leaves the old track and answers trackFailed")
    func switchFailed() {
        Grid(
            """
            idle             | - | idle
            paused           | - | paused 10
            pausedSeeking    | - | paused 40
            playing          | - | playing 10
            playingSeeking   | - | playing 40
            pausedSwitching  | switchFailed dub, earlier trackFailed | paused 10
            playingSwitching | switchFailed dub, earlier trackFailed | playing 10
            atEnd            | - | paused 100
            outputAbsent     | - | paused 10 no output
            soundFailed      | - | paused 10
            """
        ).check { text($0.event(.switchFailed(epoch: $0.switchEpoch ?? $0.epoch, trackID: "dub", reason: "no"))) }
    }

    @Test("outputLost: paused, the engine is told so, an unconfirmed seek is asked for again")
    func outputLost() {
        Grid(
            """
            idle             | - | idle
            paused           | pause#2, save 9.9, outputLost 9.9, push | paused 9.9 no output
            pausedSeeking    | pause#3, locate#4→40, save 40, outputLost 40, push | paused 40 no output
            playing          | pause#4, save 9.9, outputLost 9.9, push | paused 9.9 no output
            playingSeeking   | pause#5, locate#6→40, save 40, outputLost 40, push | paused 40 no output
            pausedSwitching  | pause#3, save 9.9, outputLost 9.9, push | paused 9.9 no output
            playingSwitching | pause#5, save 9.9, outputLost 9.9, push | paused 9.9 no output
            atEnd            | pause#4, save 9.9, outputLost 9.9, push | paused 9.9 no output
            outputAbsent     | pause#5 | paused 10 no output
            soundFailed      | pause#4, save 10, outputLost 10, push | paused 10 no output
            """
        ).check { text($0.event(.outputLost(epoch: $0.epoch, position: 9.9, reason: "gone"))) }
    }

    @Test("outputLost of an older session changes nothing")
    func oldOutputLost() {
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
        ).check { text($0.event(.outputLost(epoch: 0, position: 9.9, reason: "gone"))) }
    }

    @Test("output: another volume needs a snapshot only; a device that is back does not play")
    func outputVolume() {
        var louder = Rig.device
        louder.volume = 0.4
        Grid(
            """
            idle             | - | idle
            paused           | snapshot | paused 10
            pausedSeeking    | snapshot | paused 40
            playing          | snapshot | playing 10
            playingSeeking   | snapshot | playing 40
            pausedSwitching  | snapshot | paused 10
            playingSwitching | snapshot | playing 10
            atEnd            | snapshot | paused 100
            outputAbsent     | outputChanged Headphones, push | paused 10
            soundFailed      | snapshot | paused 10
            """
        ).check { text($0.event(.output(louder))) }
    }

    @Test("output: another device is told to everybody")
    func newOutput() {
        Grid(
            """
            idle             | - | idle
            paused           | outputChanged Speakers, push | paused 10
            pausedSeeking    | outputChanged Speakers, push | paused 40
            playing          | outputChanged Speakers, push | playing 10
            playingSeeking   | outputChanged Speakers, push | playing 40
            pausedSwitching  | outputChanged Speakers, push | paused 10
            playingSwitching | outputChanged Speakers, push | playing 10
            atEnd            | outputChanged Speakers, push | paused 100
            outputAbsent     | outputChanged Speakers, push | paused 10
            soundFailed      | outputChanged Speakers, push | paused 10
            """
        ).check { text($0.event(.output(OutputState(name: "Speakers", isPresent: true)))) }
    }

    @Test("output: none is a loss while playing")
    func noOutput() {
        Grid(
            """
            idle             | - | idle
            paused           | outputChanged None, push | paused 10 no output
            pausedSeeking    | outputChanged None, push | paused 40 no output
            playing          | pause#3, save 10, outputLost 10, push | paused 10 no output
            playingSeeking   | pause#4, save 40, outputLost 40, push | paused 40 no output
            pausedSwitching  | outputChanged None, push | paused 10 no output
            playingSwitching | pause#3, save 10, outputLost 10, push | paused 10 no output
            atEnd            | outputChanged None, push | paused 100 no output
            outputAbsent     | outputChanged None, push | paused 10 no output
            soundFailed      | outputChanged None, push | paused 10 no output
            """
        ).check { text($0.event(.output(OutputState(name: "None", isPresent: false)))) }
    }

    @Test("underrun is for the log")
    func underrun() {
        Grid(
            """
            idle             | - | idle
            paused           | underrun 2 | paused 10
            pausedSeeking    | underrun 2 | paused 40
            playing          | underrun 2 | playing 10
            playingSeeking   | underrun 2 | playing 40
            pausedSwitching  | underrun 2 | paused 10
            playingSwitching | underrun 2 | playing 10
            atEnd            | underrun 2 | paused 100
            outputAbsent     | underrun 2 | paused 10 no output
            soundFailed      | underrun 2 | paused 10
            """
        ).check { text($0.event(.underrun(count: 2))) }
    }
}
