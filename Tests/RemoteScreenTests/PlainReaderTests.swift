import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("For a screen reader") struct PlainReaderTests {
    @Test("what there is, once") func start() {
        var stage = Stage.connected()
        #expect(
            stage.heard() == [
                "Connecting to laptop.local …", "Connected to Laptop.", "Film: The Night Train", "Track: Español",
                "Paused, 0:00", "Transport", "Line 1",
            ])
        stage.push()
        stage.pass(20)
        #expect(stage.heard() == [])
    }

    @Test("each line as it is spoken, and play and pause with the time") func spoken() {
        var stage = Stage.connected()
        _ = stage.heard()
        stage.press("p")
        stage.pass(9)
        stage.press("p")
        #expect(stage.heard() == ["Playing, 0:00", "Line 2", "Line 3", "Paused, 0:09"])
    }

    @Test("leaps are told once the hand rests") func leaps() {
        var stage = Stage.connected()
        _ = stage.heard()
        for _ in 0..<10 {
            stage.press("]")
            stage.pass(0.2)
        }
        #expect(stage.heard() == [])
        stage.pass(1)
        #expect(stage.heard() == ["0:40", "Line 11"])
    }

    @Test("position on request, as often as it is asked for") func position() {
        var stage = Stage.connected()
        _ = stage.heard()
        stage.press("tt")
        #expect(stage.heard() == ["0:00 of 6:40, paused", "0:00 of 6:40, paused"])
    }

    @Test("failures once, who did what, and the connection") func news() {
        var stage = Stage.connected()
        _ = stage.heard()
        stage.other("Anna", .play)
        #expect(stage.heard() == ["Playing, 0:00", "Anna: playing"])
        stage.lose()
        stage.press(" ")
        stage.press(" ")
        #expect(stage.heard() == ["The connection is gone; trying again.", "Not connected; nothing was sent."])
        stage.reconnect()
        stage.push()
        #expect(stage.heard() == ["Connected to Laptop."])
    }

    @Test("lines that are found, one for each arrow, after the typing rests") func found() {
        var stage = Stage.connected()
        _ = stage.heard()
        stage.press("/line 4")
        #expect(stage.heard() == ["Type what was said; up and down choose, Enter goes there."])
        stage.pass(1)
        stage.press(.down)
        #expect(stage.heard() == ["1 of 11: 0:12 Line 4", "2 of 11: 2:36 Line 40"])
        stage.press(.enter)
        stage.pass(1)
        #expect(stage.heard() == ["Transport", "2:36", "Line 40"])
    }

    @Test("lists and keys are told") func lists() {
        var stage = Stage.connected()
        _ = stage.heard()
        stage.press("3j")
        #expect(stage.heard() == ["Tracks", "Deutsch"])
        stage.press("2j")
        #expect(stage.heard() == ["Cues", "0:04 Line 2"])
        stage.press("?")
        #expect(stage.heard().count > 15)
    }

    @Test("hosts to choose from") func hosts() {
        var stage = Stage()
        stage.pass(3)
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        stage.press("j")
        #expect(
            stage.heard() == [
                "Looking for a host …",
                "No host found yet. Start one with: allspeak-host play …; or type an address: a",
                "Choose a host.", "1 Laptop 192.168.1.5:42557", "2 Tower 192.168.1.6:42557 (this computer)",
            ])
    }
}
