import Playback
import Testing
import WireProtocol

/// Every command in every situation: `#n` is the epoch, `ok` or a code is the answer.
@Suite("Every command in every state")
struct CommandGridTests {
    @Test("play: from where it stands, from 0 at the end, not without a device")
    func play() {
        Grid(
            """
            idle             | noSession | idle
            paused           | play#2, save 10, played 10, push, ok | playing 10
            pausedSeeking    | play#3, save 40, played 40, push, ok | playing 40
            playing          | ok | playing 10
            playingSeeking   | ok | playing 40
            pausedSwitching  | play#3, save 10, played 10, push, ok | playing 10
            playingSwitching | ok | playing 10
            atEnd            | locate#4→0 playing, save 0, played 0, push, ok | playing 0
            outputAbsent     | outputLost | paused 10 no output
            soundFailed      | locate#4→10 playing, save 10, played 10, push, ok | playing 10
            """
        ).check { text($0.command(.play, asker: asker)) }
    }

    @Test("pause: an unconfirmed seek keeps its target")
    func pause() {
        Grid(
            """
            idle             | noSession | idle
            paused           | ok | paused 10
            pausedSeeking    | ok | paused 40
            playing          | pause#3, save 10, paused 10, push, ok | paused 10
            playingSeeking   | pause#4, save 40, paused 40, push, ok | paused 40
            pausedSwitching  | ok | paused 10
            playingSwitching | pause#3, save 10, paused 10, push, ok | paused 10
            atEnd            | ok | paused 100
            outputAbsent     | ok | paused 10 no output
            soundFailed      | ok | paused 10
            """
        ).check { text($0.command(.pause, asker: asker)) }
    }

    @Test("togglePlayPause is play or pause")
    func toggle() {
        Grid(
            """
            idle             | noSession | idle
            paused           | play#2, save 10, played 10, push, ok | playing 10
            pausedSeeking    | play#3, save 40, played 40, push, ok | playing 40
            playing          | pause#3, save 10, paused 10, push, ok | paused 10
            playingSeeking   | pause#4, save 40, paused 40, push, ok | paused 40
            pausedSwitching  | play#3, save 10, played 10, push, ok | playing 10
            playingSwitching | pause#3, save 10, paused 10, push, ok | paused 10
            atEnd            | locate#4→0 playing, save 0, played 0, push, ok | playing 0
            outputAbsent     | outputLost | paused 10 no output
            soundFailed      | locate#4→10 playing, save 10, played 10, push, ok | playing 10
            """
        ).check { text($0.command(.togglePlayPause, asker: asker)) }
    }

    @Test("skip adds to the audible position or to the pending target")
    func skip() {
        Grid(
            """
            idle             | noSession | idle
            paused           | locate#2→15, save 15, skipped 5 10→15, push, ok | paused 15
            pausedSeeking    | locate#3→45, save 45, skipped 5 40→45, push, ok | paused 45
            playing          | locate#4→15 playing, save 15, skipped 5 10→15, push, ok | playing 15
            playingSeeking   | locate#5→45 playing, save 45, skipped 5 40→45, push, ok | playing 45
            pausedSwitching  | locate#3→15, save 15, skipped 5 10→15, push, ok | paused 15
            playingSwitching | locate#5→15 playing, save 15, skipped 5 10→15, push, ok | playing 15
            atEnd            | locate#4→100, save 100, skipped 5 100→100, push, ok | paused 100
            outputAbsent     | locate#5→15, save 15, skipped 5 10→15, push, ok | paused 15 no output
            soundFailed      | locate#4→15, save 15, skipped 5 10→15, push, ok | paused 15
            """
        ).check { text($0.command(.skip(seconds: 5), asker: asker)) }
    }

    @Test("skip by nothing does nothing")
    func skipZero() {
        Grid(
            """
            idle             | noSession | idle
            paused           | ok | paused 10
            pausedSeeking    | ok | paused 40
            playing          | ok | playing 10
            playingSeeking   | ok | playing 40
            pausedSwitching  | ok | paused 10
            playingSwitching | ok | playing 10
            atEnd            | ok | paused 100
            outputAbsent     | ok | paused 10 no output
            soundFailed      | ok | paused 10
            """
        ).check { text($0.command(.skip(seconds: 0), asker: asker)) }
    }

    @Test("skip back stops at 0")
    func skipBack() {
        Grid(
            """
            idle             | noSession | idle
            paused           | locate#2→0, save 0, skipped -99 10→0, push, ok | paused 0
            pausedSeeking    | locate#3→0, save 0, skipped -99 40→0, push, ok | paused 0
            playing          | locate#4→0 playing, save 0, skipped -99 10→0, push, ok | playing 0
            playingSeeking   | locate#5→0 playing, save 0, skipped -99 40→0, push, ok | playing 0
            pausedSwitching  | locate#3→0, save 0, skipped -99 10→0, push, ok | paused 0
            playingSwitching | locate#5→0 playing, save 0, skipped -99 10→0, push, ok | playing 0
            atEnd            | locate#4→1, save 1, skipped -99 100→1, push, ok | paused 1
            outputAbsent     | locate#5→0, save 0, skipped -99 10→0, push, ok | paused 0 no output
            soundFailed      | locate#4→0, save 0, skipped -99 10→0, push, ok | paused 0
            """
        ).check { text($0.command(.skip(seconds: -99), asker: asker)) }
    }

    @Test("seek goes there and keeps playing or paused")
    func seek() {
        Grid(
            """
            idle             | noSession | idle
            paused           | locate#2→20, save 20, sought 10→20, push, ok | paused 20
            pausedSeeking    | locate#3→20, save 20, sought 40→20, push, ok | paused 20
            playing          | locate#4→20 playing, save 20, sought 10→20, push, ok | playing 20
            playingSeeking   | locate#5→20 playing, save 20, sought 40→20, push, ok | playing 20
            pausedSwitching  | locate#3→20, save 20, sought 10→20, push, ok | paused 20
            playingSwitching | locate#5→20 playing, save 20, sought 10→20, push, ok | playing 20
            atEnd            | locate#4→20, save 20, sought 100→20, push, ok | paused 20
            outputAbsent     | locate#5→20, save 20, sought 10→20, push, ok | paused 20 no output
            soundFailed      | locate#4→20, save 20, sought 10→20, push, ok | paused 20
            """
        ).check { text($0.command(.seek(time: 20), asker: asker)) }
    }

    @Test("seek past the end goes to the end")
    func seekPastEnd() {
        Grid(
            """
            idle             | noSession | idle
            paused           | locate#2→100, save 100, sought 10→100, push, ok | paused 100
            pausedSeeking    | locate#3→100, save 100, sought 40→100, push, ok | paused 100
            playing          | locate#4→100 playing, save 100, sought 10→100, push, ok | playing 100
            playingSeeking   | locate#5→100 playing, save 100, sought 40→100, push, ok | playing 100
            pausedSwitching  | locate#3→100, save 100, sought 10→100, push, ok | paused 100
            playingSwitching | locate#5→100 playing, save 100, sought 10→100, push, ok | playing 100
            atEnd            | locate#4→100, save 100, sought 100→100, push, ok | paused 100
            outputAbsent     | locate#5→100, save 100, sought 10→100, push, ok | paused 100 no output
            soundFailed      | locate#4→100, save 100, sought 10→100, push, ok | paused 100
            """
        ).check { text($0.command(.seek(time: 1000), asker: asker)) }
    }

    @Test("switchTrack waits for the engine; a newer one answers the older asker")
    func switchTrack() {
        Grid(
            """
            idle             | noSession | idle
            paused           | switch#2→dub | paused 10
            pausedSeeking    | switch#3→dub | paused 40
            playing          | switch#4→dub | playing 10
            playingSeeking   | switch#5→dub | playing 40
            pausedSwitching  | earlier ok, switch#3→dub | paused 10
            playingSwitching | earlier ok, switch#5→dub | playing 10
            atEnd            | switch#4→dub | paused 100
            outputAbsent     | switch#5→dub | paused 10 no output
            soundFailed      | switch#4→dub | paused 10
            """
        ).check { text($0.command(.switchTrack(trackID: "dub"), asker: asker)) }
    }

    @Test("switchTrack to the active track is done, unless another switch is pending")
    func switchToActive() {
        Grid(
            """
            idle             | noSession | idle
            paused           | ok | paused 10
            pausedSeeking    | ok | paused 40
            playing          | ok | playing 10
            playingSeeking   | ok | playing 40
            pausedSwitching  | earlier ok, switch#3→orig | paused 10
            playingSwitching | earlier ok, switch#5→orig | playing 10
            atEnd            | ok | paused 100
            outputAbsent     | ok | paused 10 no output
            soundFailed      | ok | paused 10
            """
        ).check { text($0.command(.switchTrack(trackID: "orig"), asker: asker)) }
    }

    @Test("switchTrack to a track that is not there changes nothing")
    func switchToUnknown() {
        Grid(
            """
            idle             | noSession | idle
            paused           | unknownTrack | paused 10
            pausedSeeking    | unknownTrack | paused 40
            playing          | unknownTrack | playing 10
            playingSeeking   | unknownTrack | playing 40
            pausedSwitching  | unknownTrack | paused 10
            playingSwitching | unknownTrack | playing 10
            atEnd            | unknownTrack | paused 100
            outputAbsent     | unknownTrack | paused 10 no output
            soundFailed      | unknownTrack | paused 10
            """
        ).check { text($0.command(.switchTrack(trackID: "nope"), asker: asker)) }
    }

    @Test("setVolume is shown at once, where there is an output")
    func setVolume() {
        Grid(
            """
            idle             | noSession | idle
            paused           | volume 0.3, snapshot, ok | paused 10
            pausedSeeking    | volume 0.3, snapshot, ok | paused 40
            playing          | volume 0.3, snapshot, ok | playing 10
            playingSeeking   | volume 0.3, snapshot, ok | playing 40
            pausedSwitching  | volume 0.3, snapshot, ok | paused 10
            playingSwitching | volume 0.3, snapshot, ok | playing 10
            atEnd            | volume 0.3, snapshot, ok | paused 100
            outputAbsent     | outputLost | paused 10 no output
            soundFailed      | volume 0.3, snapshot, ok | paused 10
            """
        ).check { text($0.command(.setVolume(0.3), asker: asker)) }
    }

    @Test("requestCueChunk is the hub's business")
    func requestCueChunk() {
        Grid(
            """
            idle             | noSession | idle
            paused           | internal | paused 10
            pausedSeeking    | internal | paused 40
            playing          | internal | playing 10
            playingSeeking   | internal | playing 40
            pausedSwitching  | internal | paused 10
            playingSwitching | internal | playing 10
            atEnd            | internal | paused 100
            outputAbsent     | internal | paused 10 no output
            soundFailed      | internal | paused 10
            """
        ).check {
            text($0.command(.requestCueChunk(CueChunkRequest(sessionID: "film", revision: 3, index: 0)), asker: asker))
        }
    }
}
