import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("Finding the host") struct FindingTests {
    @Test("nothing yet: looks, and after 2 s says what to do, and keeps looking") func none() {
        var stage = Stage()
        #expect(stage.row("Looking for a host …") != nil)
        #expect(stage.pass(1.9) == 0)
        #expect(stage.row("Looking for a host …") != nil)
        stage.pass(0.2)
        #expect(stage.rows[1...2].joined(separator: " ").contains("Start one with: allspeak-host play …;"))
        #expect(stage.screen.nextDeadline(after: stage.now) == nil)
        stage.give(.hosts([laptop], searchFailure: nil))
        stage.pass(1)
        #expect(stage.takeIntents() == [.connect(laptop)])
    }

    @Test("one host: connects once no second one was heard for half a second") func one() {
        var stage = Stage()
        stage.give(.hosts([laptop], searchFailure: nil))
        stage.pass(0.4)
        #expect(stage.takeIntents() == [])
        stage.pass(0.2)
        #expect(stage.takeIntents() == [.connect(laptop)])
        #expect(stage.row("Connecting to Laptop …") != nil)
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        stage.pass(5)
        #expect(stage.takeIntents() == [], "what is settled stays")
    }

    @Test("the remembered host: at once, among others and late") func remembered() {
        var options = RemoteScreen.Options()
        options.rememberedHostID = tower.id
        var stage = Stage(options: options)
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        #expect(stage.takeIntents() == [.connect(tower)])
        stage = Stage(options: options)
        stage.give(
            .hosts([laptop, HostEntry(id: nil, name: "X", address: "1", isOnThisMachine: false)], searchFailure: nil))
        stage.pass(3)
        #expect(stage.takeIntents() == [])
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        #expect(stage.takeIntents() == [.connect(tower)])
    }

    @Test(
        "several: picked by arrows, letters, digits and a tap",
        arguments: ["j\n", "2", "down", "tap", "kj\n", "wheel"])
    func several(way: String) {
        var stage = Stage()
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        stage.pass(3)
        #expect(stage.takeIntents() == [])
        #expect(
            stage.rows[1...3] == [
                "Choose a host:", "> 1 Laptop  192.168.1.5:42557", "  2 Tower  192.168.1.6:42557  (this com…",
            ])
        switch way {
        case "tap": stage.tap(3, 20)
        case "down":
            stage.press(.down)
            stage.press(.enter)
        case "wheel":
            stage.give(.input(.scrolled(up: false, row: 0, column: 0)))
            stage.press(.enter)
        default: for key in way { key == "\n" ? stage.press(.enter) : stage.press(.character(key)) }
        }
        #expect(stage.takeIntents() == [.connect(tower)])
    }

    @Test("what is chosen stays chosen when hosts come and go") func comingAndGoing() {
        var stage = Stage()
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        stage.press("j")
        stage.give(.hosts([tower, laptop], searchFailure: nil))
        stage.press(.enter)
        #expect(stage.takeIntents() == [.connect(tower)])
    }

    @Test("an address is typed, letters being text") func address() {
        var stage = Stage()
        stage.give(.hosts([laptop], searchFailure: nil))
        stage.press("a")
        stage.pass(3)
        #expect(stage.takeIntents() == [], "nobody is taken away from typing")
        stage.press("qj?o.lan x")
        stage.press(.backspace)
        stage.press(.backspace)
        #expect(stage.row("Address of the host: qj?o.lan") != nil)
        #expect(stage.screen.canvas(at: stage.now).cursor == .init(row: 1, column: 29))
        stage.press(.enter)
        #expect(stage.takeIntents() == [.connectTo(address: "qj?o.lan")])
        stage.give(.linkFailed("No host answers at qj?o.lan."))
        #expect(stage.row("! No host answers at qj?o.lan.") != nil)
        #expect(stage.row("Connecting to qj?o.lan …") != nil)
    }

    @Test("an empty address and Esc lead back") func noAddress() {
        for key in [ScreenInput.Key.enter, .escape] {
            var stage = Stage()
            stage.press("a")
            stage.press(key)
            #expect(stage.takeIntents() == [] && stage.row("Looking for a host …") != nil)
        }
    }

    @Test("an address that the caller has given is not argued with") func given() {
        var options = RemoteScreen.Options()
        options.address = "laptop.local"
        var stage = Stage(options: options)
        stage.give(.hosts([laptop], searchFailure: nil))
        stage.pass(3)
        #expect(stage.takeIntents() == [] && stage.row("Connecting to laptop.local …") != nil)
    }

    @Test("a connection made in parallel ends the search") func parallel() {
        var stage = Stage()
        stage.connect()
        stage.give(.hosts([tower], searchFailure: nil))
        stage.pass(3)
        #expect(stage.takeIntents() == [] && stage.row("The Night Train") != nil)
    }

    @Test("another host is chosen later, or not") func otherHost() {
        var stage = Stage.connected()
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        stage.press("o")
        stage.pass(3)
        #expect(stage.takeIntents() == [] && stage.row("Choose a host:") != nil)
        stage.press(.escape)
        #expect(stage.row("The Night Train") != nil)
        stage.press("o2")
        #expect(stage.takeIntents() == [.connect(tower)])
    }

    @Test("why hosts cannot be looked for is said") func searchFailure() {
        var stage = Stage()
        stage.give(.hosts([], searchFailure: "no Avahi\u{1B}"))
        #expect(stage.text.contains("Hosts cannot be looked for (no Avahi)."))
    }

    @Test("the connection is always to be seen") func connection() {
        var stage = Stage.connected()
        #expect(stage.rows[0].hasPrefix("Laptop"))
        stage.answers = false
        stage.lose()
        #expect(stage.rows[0].hasPrefix("! Reconnecting, lost 0 s ago"))
        stage.pass(12.5)
        #expect(stage.rows[0].hasPrefix("! Reconnecting, lost 12 s ago"))
        stage.pass(120)
        #expect(stage.rows[0].hasPrefix("! Reconnecting, lost 2 min ago"))
        stage.press(" ")
        #expect(stage.row("! Not connected; nothing was sent.") != nil)
        stage.give(.linkFailed("Nobody answers at 192.168.1.5."))
        stage.pass(7)
        #expect(stage.row("! Nobody answers at 192.168.1.5.") != nil && stage.row("The Night Train") != nil)
        stage.reconnect()
        stage.push()
        #expect(stage.rows[0].hasPrefix("Laptop") && stage.row("Nobody") == nil)
    }

    @Test("between a host's greeting and its state nothing is claimed") func greeting() {
        var stage = Stage()
        stage.connect(withFilm: false)
        #expect(stage.row("Connecting to Laptop …") != nil && stage.row("plays nothing") == nil)
        stage.pass(0.6)
        #expect(stage.row("The host plays nothing at the moment.") != nil)
    }

    @Test("no session, a host that has ended, and one that does not want us") func ends() {
        var stage = Stage.connected()
        stage.receive(.sessionEnded)
        #expect(stage.row("Laptop: no session") != nil && stage.row("The host plays nothing at the moment.") != nil)
        stage.press(" ")
        #expect(stage.takeIntents() == [])
        stage.push()
        stage.receive(.goodbye(.shutdown))
        #expect(stage.rows[0].hasPrefix("! Host ended 0 s ago"))
        stage = Stage.connected()
        stage.receive(.goodbye(.finished))
        #expect(stage.row("The host ended the connection.") != nil)
    }
}
