import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("Transport") struct TransportTests {
    @Test("play and pause are shown at once, marked, and confirmed by the answer", arguments: [" ", "p"])
    func toggle(key: String) {
        var stage = Stage.connected()
        stage.answers = false
        stage.press(key)
        #expect(stage.takeIntents() == [.command(.play, ticket: 1)])
        #expect(stage.row("▶ Playing …") != nil && stage.screen.canvas(at: stage.now).role(of: "Playing") == .pending)
        stage.press(key)
        #expect(stage.takeIntents() == [.command(.pause, ticket: 2)], "what is said is what was seen")
        #expect(stage.row("⏸ Paused …") != nil)
        stage.answer()
        #expect(stage.row("⏸ Paused") == "⏸ Paused" && stage.screen.pending.isEmpty)
    }

    @Test("a failed one says why in one line, and what is shown is the host's again") func refused() {
        var stage = Stage.connected()
        stage.answers = false
        stage.press("p")
        stage.refuse("The device sleeps.")
        #expect(stage.row("⏸ Paused") != nil && stage.row("! The device sleeps.") != nil)
        stage.pass(5.9)
        #expect(stage.row("! The device sleeps.") != nil)
        stage.pass(0.2)
        #expect(stage.row("! The device sleeps.") == nil)
    }

    @Test("no answer within 5 s is told") func lost() {
        var stage = Stage.connected()
        stage.answers = false
        stage.press("p")
        stage.pass(5.1)
        #expect(stage.row("! The host did not answer.") != nil && stage.screen.pending.isEmpty)
    }

    @Test(
        "skips are shown at once and sent as one",
        arguments: [
            ("lllll", 5), ("l3h", -1 + 1), ("HH", -6), ("L", 3), (",", -0.5), ("...", 1.5), ("++-", 1), ("=", 1),
            ("lL", 4),
        ] as [(String, Double)])
    func skips(keys: String, sum: Double) {
        var stage = Stage.connected()
        stage.other(nil, .seek(time: 100))
        stage.press(keys)
        stage.press("1")
        #expect(stage.screen.position(at: stage.now) == 100 + sum)
        #expect(stage.row("Paused") == (sum == 0 ? "⏸ Paused" : "⏸ Paused   \(Wording.signed(sum))"))
        stage.pass(1)
        #expect(stage.row("Paused") == "⏸ Paused" && stage.host.position == 100 + sum)
    }

    @Test("a tap is there before the machine has it") func beforeTheMachine() {
        var stage = Stage.connected()
        _ = stage.screen.handle(.input(.key(.character("L"))), now: stage.now)
        #expect(stage.row("+3") != nil && stage.screen.position(at: stage.now) == 3)
    }

    @Test("skips on top of a seek that is on its way") func skipAfterSeek() {
        var stage = Stage.connected()
        stage.answers = false
        stage.press("]")
        #expect(stage.row("→ 0:04") != nil)
        stage.press("L")
        #expect(stage.screen.position(at: stage.now) == 7)
        stage.pass(0.5)
        #expect(stage.screen.position(at: stage.now) == 7)
        stage.answer()
        #expect(stage.screen.position(at: stage.now) == 7 && stage.host.position == 7)
    }

    @Test("volume is a dial: shown at once, sent thinned out") func volume() {
        var stage = Stage.connected()
        stage.press(.up)
        stage.press(.up)
        stage.press("9")
        #expect(stage.row("Volume 55 %") != nil && stage.host.volume == 0.5)
        #expect(
            stage.takeIntents() == [
                .turnVolume(0.55, ticket: 1), .turnVolume(0.6, ticket: 2), .turnVolume(0.55, ticket: 3),
            ])
        stage.pass(0.2)
        #expect(stage.host.volume == 0.55)
        for _ in 0..<20 { stage.press("0") }
        stage.pass(2)
        #expect(stage.row("Volume 100 %") != nil && stage.host.volume == 1)
        stage.give(.input(.scrolled(up: false, row: 3, column: 3)))
        #expect(stage.row("Volume 95 %") != nil)
    }

    @Test("a host without a volume says so") func noVolume() {
        var stage = Stage.connected(host: FilmHost(volume: nil))
        stage.press("0")
        #expect(stage.takeIntents() == [] && stage.row("! The host plays on no system output,") != nil)
    }

    @Test("buttons can be tapped", arguments: [(0, "-3"), (1, "-1"), (3, "+1"), (4, "+3")] as [(Int, String)])
    func buttons(place: Int, label: String) throws {
        var stage = Stage.connected(ScreenSize(columns: 40, rows: 14))
        stage.other(nil, .seek(time: 50))
        let row = try #require(stage.rows.firstIndex { $0.contains("[") && $0.contains("-3") })
        stage.tap(row, place * 8 + 3)
        #expect(stage.row("Paused") == "⏸ Paused   \(label)")
        stage.tap(row, 2 * 8 + 3)
        #expect(stage.host.isPlaying)
    }

    @Test("a bell for each tap that is taken") func bell() {
        var options = RemoteScreen.Options()
        options.hasBell = true
        var stage = Stage.connected(options: options)
        stage.press("l")
        #expect(stage.takeIntents() == [.tapSkip(1, ticket: 1), .bell])
        stage.press("x?")
        #expect(stage.takeIntents() == [])
    }

    @Test("who did the last change, where it was another remote; also right after an own one") func by() {
        var stage = Stage.connected()
        stage.press("p")
        #expect(stage.row("This phone") == nil)
        stage.pass(0.3)
        let cases: [(Command, String)] = [
            (.skip(seconds: 5), "Anna: skipped +5 s"), (.pause, "Anna: paused"), (.play, "Anna: playing"),
            (.switchTrack(trackID: "b"), "Anna: track Deutsch"), (.seek(time: 300), "Anna: went from 0:05 to 5:00"),
        ]
        for (command, line) in cases {
            stage.other("Anna", command)
            #expect(stage.row(line) != nil)
        }
        stage.pass(6.1)
        #expect(stage.row("Anna") == nil)
        stage.host.move(to: 400, stage.now)
        stage.host.isPlaying = false
        stage.host.by = "host"
        stage.push()
        #expect(stage.row("The host: the film is over") != nil)
    }

    @Test("another remote of the same name is told apart by what was asked for here") func namesake() {
        var stage = Stage.connected()
        stage.press("p")
        stage.pass(3)
        stage.other("This phone", .skip(seconds: 5))
        #expect(stage.row("Another remote: skipped +5 s") != nil)
    }

    @Test("sound that is muted or gone is said on every page") func output() {
        var stage = Stage.connected()
        stage.host.output = .init(name: "Headphones", isPresent: true, isMuted: true)
        stage.push()
        for page in "123" {
            stage.press(.character(page))
            #expect(stage.row("! The sound output is muted.") != nil)
        }
        stage.host.output?.isPresent = false
        stage.push()
        #expect(stage.row("! The sound device is gone;") != nil)
    }

    @Test("the position is told when asked for") func position() {
        var stage = Stage.connected()
        stage.other(nil, .seek(time: 63))
        stage.press("2t")
        #expect(stage.row("1:03 of 6:40, paused") != nil)
    }

    @Test("quit, suspend and redraw work everywhere") func process() {
        for keys in ["", "2", "?", "/x", "o", "a"] {
            var stage = Stage.connected()
            stage.press(keys)
            stage.press(.interrupt)
            stage.press(.suspend)
            stage.give(.input(.exposed))
            #expect(stage.takeIntents() == [.quit, .suspend, .redraw])
        }
    }
}
