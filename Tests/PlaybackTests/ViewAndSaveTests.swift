import Playback
import Testing
import WireProtocol

@Suite("Snapshot and metadata")
struct ViewTests {
    @Test("the position belongs to the very millisecond of serverDate", arguments: [0, 1, 499_999, 999_999] as [Int64])
    func anchorIsExact(nanoseconds: Int64) throws {
        var rig = Situation.playing.rig
        rig.now.nanoseconds += nanoseconds
        let snapshot = try #require(rig.machine.snapshot(at: rig.now))
        let milliseconds = nanoseconds == 0 ? 0 : 1
        #expect(snapshot.serverDate.milliseconds == Rig.wall / 1_000_000 + 1_000_000 + Int64(milliseconds))
        #expect(abs(snapshot.currentTime - (10 + Double(milliseconds) / 1e3)) < 1e-6)
    }

    @Test(
        "the date is the wall time of the start carried on by the steady clock",
        arguments: [0, 1, 123_456_789] as [Int64])
    func anchorInstant(offset: Int64) {
        let clock = ServerClock(now: SteadyTime(nanoseconds: 5_000), wallNanoseconds: Rig.wall + offset)
        let time = SteadyTime(nanoseconds: 7_000_123)
        let instant = clock.anchorInstant(notBefore: time)
        #expect(clock.date(at: instant.time) == instant.date)
        #expect(instant.time >= time)
        #expect(instant.time - time < 0.001)
        #expect(clock.date(at: time).milliseconds == (Rig.wall + offset + 6_995_123) / 1_000_000)
    }

    @Test(
        "after a seek to a cue that cue is the current one; of equal starts the later",
        arguments: [(0.0, 0), (5.0, 0), (19.999, 0), (20.0, 2), (40.1, 3), (100.0, 3)])
    func currentIndex(time: Double, index: Int) {
        var rig = Situation.paused.rig
        rig.command(.seek(time: time))
        #expect(rig.machine.snapshot(at: rig.now)?.currentIndex == index)
    }

    @Test("everything a remote needs stands in them")
    func contents() throws {
        let rig = Situation.playing.rig
        let snapshot = try #require(rig.machine.snapshot(at: rig.now))
        #expect(
            snapshot
                == Snapshot(
                    sessionID: "film", revision: 3, currentTime: 10, duration: 100, currentIndex: 0, isPlaying: true,
                    serverDate: snapshot.serverDate, activeTrackID: "orig", volume: 0.8,
                    output: .init(name: "Headphones", latency: 0.05, isPresent: true, isMuted: false)))
        let metadata = try #require(rig.machine.metadata(at: rig.now))
        #expect(
            metadata
                == SessionMetadata(
                    sessionID: "film", revision: 3, title: "The Film", duration: 100, cueCount: 4, cueDigest: "d1",
                    isPlaying: true, currentTime: 10, serverDate: snapshot.serverDate,
                    tracks: [
                        .init(id: "orig", label: "Original"), .init(id: "dub", label: "Dub"),
                        .init(id: "long", label: "Long"),
                    ], activeTrackID: "orig", by: "Phone"))
    }

    @Test("without an output there is no volume to show", arguments: [Situation.outputAbsent])
    func noVolume(situation: Situation) throws {
        let rig = situation.rig
        let snapshot = try #require(rig.machine.snapshot(at: rig.now))
        #expect(snapshot.volume == nil)
        #expect(snapshot.output?.isPresent == false)
    }

    @Test("looking changes nothing: joining never moves the host", arguments: Situation.allCases)
    func lookingChangesNothing(situation: Situation) {
        var looked = situation.rig
        for _ in 0..<100 {
            _ = (looked.machine.snapshot(at: looked.now), looked.machine.metadata(at: looked.now), looked.position)
            looked.now = looked.now + 0.01
        }
        var untouched = situation.rig
        untouched.now = looked.now
        #expect(looked.view == untouched.view)
        #expect(text(looked.command(.skip(seconds: 1))) == text(untouched.command(.skip(seconds: 1))))
    }

    @Test("while playing the position ends at the duration")
    func clamped() {
        var rig = Situation.playing.rig
        rig.now = rig.now + 1_000
        #expect(rig.view == "playing 100")
    }

    @Test("a session opens inside its track", arguments: [(-3.0, 0.0), (500.0, 100.0)])
    func opensClamped(position: Double, shown: Double) {
        var rig = Rig()
        rig.open(at: position)
        #expect(rig.position == shown)
    }
}

@Suite("Saving the position")
struct SaveTests {
    @Test("while playing so often that never more than a second is unsaved, the writing included")
    func everySecond() {
        var rig = Situation.paused.rig
        rig.command(.play)
        var saved: [Double] = []
        for _ in 0..<100 {
            rig.now = rig.now + 0.05
            for case .save(let state) in rig.machine.tick(now: rig.now) { saved.append(state.position) }
        }
        #expect(saved.map(short) == ["10.75", "11.5", "12.25", "13", "13.75", "14.5"])
    }

    @Test("not while paused")
    func notWhilePaused() {
        var rig = Situation.paused.rig
        #expect(rig.machine.nextDeadline == nil)
        rig.now = rig.now + 100
        #expect(rig.machine.tick(now: rig.now).isEmpty)
    }

    @Test("a command saves and starts the time anew")
    func commandSaves() {
        var rig = Situation.playing.rig
        let actions = rig.command(.seek(time: 33))
        #expect(actions.contains(.save(ListeningState(sessionID: "film", position: 33, activeTrackID: "orig"))))
        #expect(rig.machine.nextDeadline == rig.now + TransportMachine.saveInterval)
    }

    @Test("with the track that is active")
    func track() {
        var rig = Situation.playingSwitching.rig
        rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 60))
        #expect(
            rig.machine.listeningState(at: rig.now)
                == ListeningState(sessionID: "film", position: 10, activeTrackID: "dub"))
    }
}
