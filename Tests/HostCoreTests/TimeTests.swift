import HostCore
import Playback
import Testing
import WireProtocol

@Suite("A host as time passes")
struct TimeTests {
    private func playing() -> Stage {
        var stage = Stage()
        stage.open()
        stage.join(1, "phone")
        stage.command(#"{"kind":"play"}"#, id: 1, on: 1)
        stage.engine(.anchor(epoch: 2, position: 10, at: stage.now, isRunning: true))
        _ = stage.heard(1)
        return stage
    }

    @Test("pushes a snapshot once a second while playing, none while paused")
    func onceASecond() {
        var stage = playing()
        stage.pass(5.5)
        #expect(stage.kinds(1) == Array(repeating: "snapshot", count: 5))
        stage.command(#"{"kind":"pause"}"#, id: 2, on: 1)
        #expect(stage.kinds(1) == ["snapshot 2", "metadata", "snapshot"])
        stage.pass(20)
        #expect(stage.kinds(1) == [])
    }

    @Test("saves the position more than once a second while playing")
    func saves() {
        var stage = playing()
        stage.forgetDeeds()
        stage.pass(3.2)
        #expect(stage.deeds.filter { $0.hasPrefix("save") } == ["save 10.75", "save 11.5", "save 12.25", "save 13.0"])
    }

    @Test("asks a silent remote after 30 s and gives it up after 60 s")
    func silence() {
        var stage = Stage()
        stage.join(1, "phone")
        _ = stage.heard(1)
        stage.pass(31)
        #expect(stage.kinds(1) == ["ping"])
        stage.pass(31)
        #expect(stage.kinds(1) == ["goodbye"])
        #expect(stage.deeds.contains("close 1"))
    }

    @Test("gives up a connection that never says anything after 10 s")
    func neverSpoke() {
        var stage = Stage()
        stage.connect(1)
        stage.pass(9)
        #expect(stage.deeds == [])
        stage.pass(2)
        #expect(stage.kinds(1) == ["hello", "goodbye"])
    }

    @Test("never gives an anchor earlier than one given before")
    func anchorOrder() throws {
        var stage = playing()
        // The sound comes 0.3 s from now: the anchor lies ahead.
        stage.command(#"{"kind":"seek","time":50}"#, id: 2, on: 1)
        stage.engine(.anchor(epoch: 3, position: 50, at: stage.now + 0.3, isRunning: true))
        stage.pass(0.1)
        stage.command(#"{"kind":"pause"}"#, id: 3, on: 1)
        let dates = try stage.heard(1).compactMap {
            try JSONReader.value(of: Array($0.utf8)[...])["payload"]?["serverDate"]?.stringValue
        }
        #expect(dates.count == 8)
        #expect(dates == dates.sorted())
    }

    @Test("tells at once that a sound will begin later than announced")
    func lateStart() {
        var stage = playing()
        stage.command(#"{"kind":"seek","time":50}"#, id: 2, on: 1)
        _ = stage.heard(1)
        stage.engine(.anchor(epoch: 3, position: 50, at: stage.now + 0.3, isRunning: true))
        #expect(stage.kinds(1) == ["metadata", "snapshot"])
    }
}
