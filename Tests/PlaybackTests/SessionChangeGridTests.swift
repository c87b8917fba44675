import Playback
import Testing
import WireProtocol

/// What another program does to the library, in every situation.
@Suite("What happens when the session changes, in every state")
struct SessionChangeGridTests {
    /// The film with some of its tracks, under another title.
    private func film(_ tracks: [String], revision: Int = 3) -> PlaybackSession {
        var session = Rig.session
        session.title = "New"
        session.revision = revision
        session.tracks = tracks.map { id in
            Rig.session.tracks.first { $0.id == id } ?? .init(id: id, label: id, duration: 50)
        }
        return session
    }

    private func refresh(_ rig: inout Rig, _ tracks: [String], fallback: String = "long") -> String {
        text(rig.record(rig.machine.refresh(film(tracks), fallback: fallback, now: rig.now)))
    }

    @Test("another title or a further track is told and touches nothing else")
    func told() {
        Grid(
            """
            idle             | - | idle
            paused           | changed New, push | paused 10
            pausedSeeking    | changed New, push | paused 40
            playing          | changed New, push | playing 10
            playingSeeking   | changed New, push | playing 40
            pausedSwitching  | changed New, push | paused 10
            playingSwitching | changed New, push | playing 10
            atEnd            | changed New, push | paused 100
            outputAbsent     | changed New, push | paused 10 no output
            soundFailed      | changed New, push | paused 10
            """
        ).check { refresh(&$0, ["new", "orig", "dub", "long"]) }
    }

    @Test("where the active track has gone, the engine is to switch, unless it switches already")
    func activeGone() {
        Grid(
            """
            idle             | - | idle
            paused           | switch#2→long, changed New, push | paused 10
            pausedSeeking    | switch#3→long, changed New, push | paused 40
            playing          | switch#4→long, changed New, push | playing 10
            playingSeeking   | switch#5→long, changed New, push | playing 40
            pausedSwitching  | changed New, push | paused 10
            playingSwitching | changed New, push | playing 10
            atEnd            | switch#4→long, changed New, push | paused 100
            outputAbsent     | switch#5→long, changed New, push | paused 10 no output
            soundFailed      | switch#4→long, changed New, push | paused 10
            """
        ).check { refresh(&$0, ["dub", "long"]) }
    }

    @Test("a switch to a track that has gone is taken back, and its asker told")
    func targetGone() {
        Grid(
            """
            idle             | - | idle
            paused           | changed New, push | paused 10
            pausedSeeking    | changed New, push | paused 40
            playing          | changed New, push | playing 10
            playingSeeking   | changed New, push | playing 40
            pausedSwitching  | earlier unknownTrack, switch#3→orig, changed New, push | paused 10
            playingSwitching | earlier unknownTrack, switch#5→orig, changed New, push | playing 10
            atEnd            | changed New, push | paused 100
            outputAbsent     | changed New, push | paused 10 no output
            soundFailed      | changed New, push | paused 10
            """
        ).check { refresh(&$0, ["orig", "long"]) }
    }

    @Test("the session's end: silence, the position saved, whoever waits told")
    func ended() {
        Grid(
            """
            idle             | - | idle
            paused           | pause#1, save 10, push, ended The Film | idle
            pausedSeeking    | pause#2, save 40, push, ended The Film | idle
            playing          | pause#3, save 10, push, ended The Film | idle
            playingSeeking   | pause#4, save 40, push, ended The Film | idle
            pausedSwitching  | pause#1, save 10, earlier noSession, push, ended The Film | idle
            playingSwitching | pause#3, save 10, earlier noSession, push, ended The Film | idle
            atEnd            | pause#3, save 100, push, ended The Film | idle
            outputAbsent     | pause#4, save 10, push, ended The Film | idle
            soundFailed      | pause#3, save 10, push, ended The Film | idle
            """
        ).check { text($0.record($0.machine.end(because: "deleted", now: $0.now))) }
    }

    @Test("another session's change is none of this one's")
    func other() {
        for situation in Situation.allCases {
            var rig = situation.rig
            let before = rig.view
            var other = film(["orig"])
            other.id = "other"
            #expect(rig.machine.refresh(other, fallback: "orig", now: rig.now) == [], "\(situation)")
            #expect(rig.view == before)
        }
    }
}

@Suite("A track that goes while it sounds")
struct LeavingTrackTests {
    private var rig = Situation.playing.rig
    private var ids: [String] { rig.machine.metadata(at: rig.now)?.tracks.map(\.id) ?? [] }

    private func film(_ tracks: [String]) -> PlaybackSession {
        var session = Rig.session
        session.tracks.removeAll { !tracks.contains($0.id) }
        return session
    }

    private mutating func keep(_ tracks: [String], fallback: String) {
        rig.record(rig.machine.refresh(film(tracks), fallback: fallback, now: rig.now))
    }

    @Test("is listed until the other one sounds, and cannot be chosen any more")
    mutating func listed() {
        keep(["dub", "long"], fallback: "dub")
        #expect(ids == ["orig", "dub", "long"])
        #expect(rig.view == "playing 10")
        #expect(text(rig.command(.switchTrack(trackID: "orig"), asker: asker)) == "unknownTrack")
        rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 60))
        #expect(ids == ["dub", "long"])
        #expect(rig.view == "playing 10 dub")
    }

    @Test("a shorter one is played to its end and no further")
    mutating func shorter() {
        keep(["dub"], fallback: "dub")
        #expect(
            text(rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 9)))
                .contains("ended 9"))
        #expect(rig.view == "paused 9 dub")
    }

    @Test("where the first cannot be played, the next is tried; after the last the session ends")
    mutating func failing() {
        keep(["dub", "long"], fallback: "long")
        let first = rig.event(.switchFailed(epoch: rig.switchEpoch ?? 0, trackID: "long", reason: "no"))
        #expect(text(first) == "switchFailed long, switch#5→dub")
        let last = rig.event(.switchFailed(epoch: rig.switchEpoch ?? 0, trackID: "dub", reason: "no"))
        #expect(text(last) == "switchFailed dub, pause#3, save 10, push, ended The Film")
        #expect(rig.view == "idle")
    }

    @Test("a remote's own choice takes the place of the fallback")
    mutating func chosen() {
        keep(["dub", "long"], fallback: "long")
        #expect(text(rig.command(.switchTrack(trackID: "dub"), asker: asker)) == "switch#5→dub")
        // The engine had already done what it was first asked.
        rig.event(.switched(epoch: 4, trackID: "long", duration: 200))
        #expect(ids == ["dub", "long"])
        #expect(text(rig.event(.switched(epoch: 5, trackID: "dub", duration: 60))).hasSuffix("ok, push"))
        #expect(rig.view == "playing 10 dub")
    }

    @Test("one that comes back stays")
    mutating func back() {
        keep(["dub", "long"], fallback: "long")
        keep(["orig", "dub", "long"], fallback: "orig")
        #expect(ids == ["orig", "dub", "long"])
        #expect(text(rig.command(.switchTrack(trackID: "orig"), asker: asker)) == "switch#5→orig")
    }

    @Test("new cues come with a new revision, in the same breath as their digest")
    mutating func cues() {
        var session = Rig.session
        session.revision = 4
        session.cueDigest = "d2"
        session.timeline = CueTimeline([Cue(index: 1, start: 9, end: 10, text: "new")])
        rig.record(rig.machine.refresh(session, fallback: "orig", now: rig.now))
        let metadata = rig.machine.metadata(at: rig.now)
        let snapshot = rig.machine.snapshot(at: rig.now)
        #expect(metadata?.revision == 4)
        #expect(metadata?.cueDigest == "d2")
        #expect(snapshot?.revision == 4)
        #expect(snapshot?.isPlaying == true)
    }
}
