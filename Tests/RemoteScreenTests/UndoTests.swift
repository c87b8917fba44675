import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("Undoing jumps") struct UndoTests {
    @Test("back to where the ear would be: what has run since stays run") func relative() throws {
        var stage = Stage.connected()
        stage.other(nil, .seek(time: 100))
        stage.pass(1)
        stage.press("p")
        stage.pass(10)
        stage.press("2")
        stage.press(.end)
        stage.press(.enter)
        stage.pass(20)
        #expect(stage.host.position(stage.now) == 400)
        stage.other(nil, .seek(time: 200))
        stage.pass(5)
        stage.press("u")
        // 205 without the leap from the end to 200 would be past the end.
        #expect(abs(stage.host.position(stage.now) - 400) < 0.01)
        stage.press("u")
        #expect(abs(stage.host.position(stage.now) - 205) < 0.01, "an undo can be undone")
    }

    @Test("a flurry of taps is one jump, and its undo within the window sends nothing") func taps() {
        var stage = Stage.connected()
        stage.other(nil, .seek(time: 100))
        stage.pass(1)
        stage.press("llL")
        stage.press("u")
        #expect(stage.screen.position(at: stage.now) == 100)
        stage.pass(2)
        #expect(stage.host.position == 100 && stage.screen.jumps.count == 1)
        stage.press("llL")
        stage.pass(2)
        #expect(stage.screen.jumps.last?.seconds == 5)
        stage.press("u")
        #expect(stage.host.position == 100)
    }

    @Test("a seek that is not answered yet") func pendingSeek() {
        var stage = Stage.connected()
        stage.other(nil, .seek(time: 100))
        stage.answers = false
        stage.press("2")
        stage.press(.home)
        stage.press(.enter)
        stage.press("u")
        #expect(stage.screen.position(at: stage.now) == 100)
        stage.answer()
        #expect(stage.host.position == 100)
    }

    @Test("nothing to undo is said") func nothing() {
        var stage = Stage.connected()
        stage.press("u")
        #expect(stage.takeIntents() == [] && stage.row("There is no jump to undo.") != nil)
        stage.press("U")
        #expect(stage.row("There was no jump yet.") != nil)
    }

    @Test("the list has the last ten, also those of others, the latest first") func list() {
        var stage = Stage.connected()
        stage.other("Anna", .seek(time: 100))
        stage.press("L")
        stage.pass(1)
        stage.press("U")
        #expect(stage.rows[2...3] == ["> +3  1:40 → 1:43", "  +1:40  0:00 → 1:40  Anna"])
        stage.press("j")
        stage.press(.enter)
        #expect(stage.host.position == 0)
        for step in 1...12 { stage.other("Bo", .skip(seconds: Double(step))) }
        #expect(stage.screen.jumps.count == 10 && stage.screen.jumps.last?.seconds == 12)
    }

    @Test("what is chosen stays chosen when another jump comes, and a tap goes back as well") func whileOpen() {
        var stage = Stage.connected()
        stage.other("Anna", .seek(time: 100))
        stage.press("U")
        stage.other("Bo", .skip(seconds: 7))
        stage.press(.enter)
        #expect(stage.host.position == 0)
        stage = Stage.connected()
        stage.other("Anna", .seek(time: 100))
        stage.press("U")
        stage.tap(2, 5)
        #expect(stage.host.position == 0)
    }

    @Test("corrections, other films and reconnects are no jumps") func noJumps() {
        var stage = Stage.connected()
        stage.press("p")
        stage.pass(3)
        stage.host.move(to: 3.2, stage.now)
        stage.push()
        #expect(stage.screen.jumps.isEmpty)
        stage.lose()
        stage.host.move(to: 300, stage.now)
        stage.reconnect()
        stage.push()
        #expect(stage.screen.jumps.isEmpty && stage.row("5:00") != nil)
        stage.other("Anna", .skip(seconds: 9))
        #expect(stage.screen.jumps.count == 1)
        stage.host.sessionID = "other"
        stage.push()
        #expect(stage.screen.jumps.isEmpty)
    }
}
