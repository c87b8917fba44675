import Playback
import Testing
import WireProtocol

/// The rules of playback one by one, where a grid's single step does not show them.
@Suite("Playback rules")
struct TransportRuleTests {
    private func playing() -> Rig { Situation.playing.rig }

    @Test("five skips in a row add up on the pending target, and only the newest seek counts")
    func skipsAddUp() {
        var rig = playing()
        for _ in 0..<5 { rig.command(.skip(seconds: 1)) }
        #expect(rig.position == 15)
        let newest = rig.epoch
        rig.event(.anchor(epoch: newest - 1, position: 14, at: rig.now, isRunning: true))
        #expect(rig.position == 15, "an overtaken seek confirms nothing")
        rig.now = rig.now + 0.2
        rig.event(.anchor(epoch: newest, position: 15, at: rig.now, isRunning: true))
        rig.command(.skip(seconds: 1))
        #expect(rig.position == 16, "once confirmed, a skip counts from what is audible")
    }

    @Test("while a device that should play stands, the position stands, and goes on with the sound")
    func stalled() {
        var rig = playing()
        rig.event(.anchor(epoch: rig.epoch, position: 12, at: rig.now, isRunning: false))
        #expect(rig.machine.snapshot(at: rig.now)?.isStalled == true)
        #expect(rig.machine.metadata(at: rig.now)?.isStalled == true)
        rig.now = rig.now + 30
        #expect(rig.position == 12)
        #expect(rig.machine.isPlaying)
        let told = rig.event(.anchor(epoch: rig.epoch, position: 12, at: rig.now, isRunning: true))
        #expect(told == [.changed([.metadata, .snapshot])], "that it goes on is told, though the position is the same")
        #expect(rig.machine.snapshot(at: rig.now)?.isStalled == false)
        rig.now = rig.now + 1
        #expect(rig.position == 13)
    }

    @Test("a skip counts from the pending target even when time has passed since the seek")
    func skipFromTarget() {
        var rig = Situation.playingSeeking.rig
        rig.now = rig.now + 0.5
        rig.command(.skip(seconds: 3))
        #expect(rig.position == 43)
    }

    @Test("play within 0.05 s of the end starts at 0, before that it goes on", arguments: [(99.94, 99.94), (99.95, 0)])
    func playNearTheEnd(position: Double, start: Double) {
        var rig = Rig()
        rig.open(at: position)
        rig.command(.play)
        #expect(rig.position == start)
        #expect(rig.machine.isPlaying)
    }

    @Test("a track that is shorter stops at its end and is not restarted; a longer one goes on")
    func shorterTrack() {
        var rig = Rig()
        rig.open(at: 80)
        rig.command(.play)
        rig.command(.switchTrack(trackID: "dub"), asker: asker)
        let actions = rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 60))
        #expect(text(actions) == "pause#3, switched dub 60, ok, save 60 dub, ended 60, push")
        #expect(rig.view == "paused 60 dub")
        #expect(rig.event(.ended(epoch: rig.epoch)).isEmpty, "the engine's own end comes after")

        rig.command(.switchTrack(trackID: "long"))
        rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "long", duration: 200))
        rig.command(.play)
        #expect(rig.view == "playing 60 long")
    }

    @Test("a seek under way past the end of a shorter track is cut to its end")
    func targetIsCut() {
        var rig = Rig()
        rig.open(at: 10)
        rig.command(.switchTrack(trackID: "dub"))
        rig.command(.seek(time: 90))
        rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 60))
        rig.command(.skip(seconds: -1))
        #expect(rig.view == "paused 59 dub")
    }

    @Test("a switch replaced by a newer one: the older asker hears once, the newer when it is there")
    func replacedSwitch() {
        var rig = Situation.playingSwitching.rig
        let older = rig.switchEpoch ?? 0
        let replaced = rig.command(.switchTrack(trackID: "long"), asker: asker)
        #expect(text(replaced) == "earlier ok, switch#5→long")
        let late = rig.event(.switched(epoch: older, trackID: "dub", duration: 60))
        #expect(text(late) == "save 10 dub, push", "the older one happened after all; nobody waits for it")
        #expect(
            text(rig.event(.switched(epoch: 5, trackID: "long", duration: 200)))
                == "save 10 long, switched long 10, ok, push")
        #expect(
            rig.event(.switched(epoch: older, trackID: "dub", duration: 60)).isEmpty, "an older switch cannot come back"
        )
    }

    @Test("a failed switch says which track and why; the old one plays on, and a second attempt is free")
    func failedSwitch() throws {
        var rig = Situation.playingSwitching.rig
        let actions = rig.event(.switchFailed(epoch: rig.switchEpoch ?? 0, trackID: "dub", reason: "no audio stream"))
        let error = try #require(actions.compactMap { if case .reply(_, let error) = $0 { error } else { nil } }.first)
        #expect(error == WireError(.trackFailed, "Track Dub cannot be played: no audio stream. The old one stays."))
        rig.now = rig.now + 1
        #expect(rig.view == "playing 11")
        #expect(text(rig.command(.switchTrack(trackID: "dub"), asker: asker)) == "switch#5→dub")
    }

    @Test("a pause during a switch stays a pause when the switch is there")
    func pauseDuringSwitch() {
        var rig = Situation.playingSwitching.rig
        rig.command(.pause)
        rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 60))
        rig.event(.anchor(epoch: rig.epoch, position: 10.3, at: rig.now, isRunning: true))
        #expect(rig.view == "paused 10 dub", "what sounded on before the pause arrived is history")
        rig.event(.paused(epoch: rig.epoch, position: 10.3))
        #expect(rig.view == "paused 10.3 dub")
    }

    @Test("a seek during a switch keeps its target through the switch, and its own epoch")
    func seekDuringSwitch() {
        var rig = Situation.playingSwitching.rig
        rig.command(.seek(time: 30))
        let seek = rig.epoch
        rig.event(.switched(epoch: rig.switchEpoch ?? 0, trackID: "dub", duration: 60))
        #expect(rig.view == "playing 30 dub")
        rig.now = rig.now + 0.1
        rig.event(.anchor(epoch: seek, position: 30, at: rig.now, isRunning: true))
        #expect(rig.view == "playing 30 dub")
    }

    @Test("a device lost while a seek is pending keeps the target and asks for it again, paused")
    func lossKeepsTarget() {
        var rig = Situation.playingSeeking.rig
        let sounding = rig.epoch - 1
        let actions = rig.event(.outputLost(epoch: sounding, position: 10.2, reason: "unplugged"))
        #expect(text(actions) == "pause#5, locate#6→40, save 40, outputLost 40, push")
        rig.event(.paused(epoch: sounding + 1, position: 10.2))
        rig.event(.anchor(epoch: sounding + 1, position: 40, at: rig.now, isRunning: true))
        #expect(rig.view == "paused 40 no output", "what was asked for before the loss changes nothing")
    }

    @Test("a play on its way to the engine when the device goes is undone: nothing sounds on the next device")
    func lossOvertakesPlay() {
        var rig = Situation.paused.rig
        rig.command(.play)
        let actions = rig.event(.outputLost(epoch: 1, position: 10, reason: "unplugged"))
        #expect(text(actions) == "pause#3, save 10, outputLost 10, push")
        rig.event(.output(OutputState(name: "Speakers", isPresent: true, volume: 1)))
        #expect(!rig.machine.isPlaying, "another device is no reason to play")
        rig.command(.play)
        #expect(rig.machine.isPlaying, "a later play is the listener's decision")
    }

    @Test("after a failure the next play says where, so that what failed is not taken for the position")
    func playAfterFailure() {
        var rig = Situation.playingSeeking.rig
        rig.event(.failed(epoch: rig.epoch, reason: "unreadable"))
        rig.event(.paused(epoch: rig.epoch, position: 10.1))
        #expect(rig.view == "paused 40")
        #expect(text(rig.command(.play)) == "locate#5→40 playing, save 40, played 40, push")
    }

    @Test("events of the session before change nothing in the one after")
    func sessionsDoNotMix() {
        var rig = Situation.playingSwitching.rig
        let (old, oldSwitch) = (rig.epoch, rig.switchEpoch ?? 0)
        #expect(text(rig.machine.close(now: rig.now)) == "pause#3, save 10, earlier noSession, push")
        rig.open(at: 50)
        let late: [EngineEvent] = [
            .switched(epoch: oldSwitch, trackID: "dub", duration: 60), .ended(epoch: old),
            .outputLost(epoch: old, position: 10, reason: "unplugged"), .failed(epoch: old, reason: "closed"),
            .anchor(epoch: old, position: 10, at: rig.now, isRunning: false), .paused(epoch: old, position: 10),
        ]
        for event in late { #expect(rig.event(event).isEmpty, "\(event)") }
        #expect(rig.view == "paused 50")
    }

    @Test("opening over an open session saves it and answers what waits there")
    func openReplaces() {
        var rig = Situation.playingSwitching.rig
        #expect(text(rig.open(at: 50)) == "save 10, earlier noSession, push")
    }

    @Test("who did it goes into metadata: a remote's name, or the host itself")
    func source() {
        var rig = playing()
        #expect(rig.machine.metadata(at: rig.now)?.by == "Phone")
        rig.event(.ended(epoch: rig.epoch))
        #expect(rig.machine.metadata(at: rig.now)?.by == "host")
        rig.command(.seek(time: 1), from: .remote(id: "r2", name: ""))
        #expect(rig.machine.metadata(at: rig.now)?.by == "r2")
    }

    @Test(
        "a measured anchor within 2 ms of the expected one is taken over silently",
        arguments: [(0.0015, true), (0.003, false)])
    func anchorTolerance(departure: Double, isSilent: Bool) {
        var rig = playing()
        let actions = rig.event(.anchor(epoch: rig.epoch, position: 10 + departure, at: rig.now, isRunning: true))
        #expect(actions.isEmpty == isSilent)
        #expect(abs((rig.position ?? 0) - 10 - departure) < 1e-9)
    }

    @Test("volume is cut to 0…1", arguments: [(-0.5, 0.0), (1.5, 1.0)])
    func volume(asked: Double, set: Double) {
        var rig = Situation.paused.rig
        #expect(rig.command(.setVolume(asked)).first == .engine(.setVolume(set)))
        #expect(rig.machine.snapshot(at: rig.now)?.volume == set)
    }
}
