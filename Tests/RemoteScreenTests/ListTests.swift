import RemoteCore
import Synchronization
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("Cues") struct CueListTests {
    private func onCues(_ rows: Int = 15, time: Double = 200) -> Stage {
        var stage = Stage.connected(ScreenSize(columns: 40, rows: rows))
        stage.other(nil, .seek(time: time))
        stage.press("2")
        return stage
    }

    @Test("opens at the current line, a third from the top, and follows the film") func follows() {
        var stage = onCues()
        #expect(stage.rows[1 + 4] == "▌  03:20  Line 51")
        stage.other(nil, .play)
        stage.pass(4.1)
        #expect(stage.rows[1 + 4] == "▌  03:24  Line 52" && stage.rows[1] == "   03:08  Line 48")
        #expect(stage.screen.canvas(at: stage.now).role(of: "Line 52") == .current)
    }

    @Test("begins and ends with the list") func ends() {
        var stage = onCues(time: 0)
        #expect(stage.rows[1] == "▌  00:00  Line 1")
        stage.press(.end)
        #expect(stage.rows[12] == " > 06:36  Line 100")
        stage.press(.home)
        #expect(stage.rows[1] == "▌> 00:00  Line 1")
    }

    @Test("browsing stops the following until 5 s without a key, or c") func browsing() {
        var stage = onCues()
        stage.other(nil, .play)
        stage.press("j")
        stage.press(.down)
        stage.press("k")
        #expect(stage.rows[5] == " > 03:24  Line 52")
        stage.pass(4.9)
        #expect(stage.rows[5] == "▌> 03:24  Line 52")
        stage.pass(0.2)
        #expect(stage.rows[5] == "▌  03:24  Line 52" && stage.row(">") == nil)
        stage.press(.pageDown)
        #expect(stage.row("▌") == nil)
        stage.press("c")
        #expect(stage.rows[5].hasPrefix("▌ "))
    }

    @Test("Enter and a tap seek; the line is current at once, marked as on its way", arguments: [true, false])
    func seeks(byTap: Bool) {
        var stage = onCues()
        stage.answers = false
        if byTap {
            stage.tap(7, 20)
        } else {
            stage.press("jj")
            stage.press(.enter)
        }
        #expect(stage.takeIntents().last == .command(.seek(time: 208), ticket: 1))
        #expect(stage.rows[5] == "▌  03:28  Line 53")
        #expect(stage.screen.canvas(at: stage.now).role(of: "Line 53") == .pending)
        stage.answer()
        #expect(stage.screen.canvas(at: stage.now).role(of: "Line 53") == .current && stage.host.position == 208)
    }

    @Test(
        "to the line before, the next one, and this one again, on every page",
        arguments: [
            ("[", 202, 196), ("]", 202, 204), ("r", 202, 200), ("]]]", 202, 212), ("[[", 202, 192), ("]r", 202, 204),
            ("[", 1, nil), ("]", 399, nil), ("[", 0, nil),
        ] as [(String, Double, Double?)])
    func steps(keys: String, from: Double, to: Double?) {
        for page in "123" {
            for answers in [true, false] {
                var stage = Stage.connected()
                stage.other(nil, .seek(time: from))
                stage.press(.character(page))
                stage.answers = answers
                stage.press(keys)
                if answers { #expect(stage.host.position == to ?? from) }
                #expect(stage.screen.position(at: stage.now) == to ?? from)
            }
        }
    }

    @Test("before the first line the next one is the first; lines that begin together are one step") func odd() {
        var host = FilmHost()
        host.cues = [10.0, 20, 20, 30].enumerated().map {
            Cue(index: $0 + 1, start: $1, end: $1 + 1, text: "Line \($0 + 1)")
        }
        var stage = Stage.connected(host: host)
        stage.press("[")
        #expect(stage.host.position == 0 && stage.row("This is the first line.") != nil)
        for wanted in [10.0, 20, 30, 30] {
            stage.press("]")
            #expect(stage.host.position == wanted)
        }
        for wanted in [20.0, 10, 10] {
            stage.press("[")
            #expect(stage.host.position == wanted)
        }
    }

    @Test("no subtitles, and subtitles on their way") func without() {
        var host = FilmHost()
        host.cues = []
        var stage = Stage.connected(host: host)
        stage.press("2")
        #expect(stage.rows[1] == "No subtitles")
        stage.press("]")
        stage.press(.enter)
        stage.press("/")
        #expect(stage.takeIntents() == [] && stage.rows[10] == "No subtitles")
        stage.host.cues = someCues(10)
        stage.push()
        #expect(stage.rows[1] == "Loading subtitles …")
        stage.press("/")
        #expect(stage.row("The subtitles are on their way.") != nil)
        // Texts that hardly compress, so that it takes several chunks.
        var random = Random(state: 1)
        stage.host.cues = (0..<9_000).map { place in
            let word = String((0..<20).map { _ in Character(UnicodeScalar(UInt8(97 + random.below(26)))) })
            return Cue(index: place + 1, start: Double(place), end: Double(place) + 1, text: word)
        }
        stage.push()
        stage.sendCues(2)
        #expect(stage.row("Loading subtitles … 2 of ") != nil)
        stage.sendCues()
        #expect(stage.row("Loading") == nil)
    }

    @Test("however long the list, only what is seen is measured") func large() {
        let counter = Counter()
        let counting = TextMeasure { _ in
            counter.count.withLock { $0 += 1 }
            return 1
        }
        func cost(_ count: Int) -> Int {
            var host = FilmHost()
            host.duration = 400_000
            // Letters that are not ASCII, so that each is measured.
            host.cues = (0..<count).map {
                Cue(index: $0 + 1, start: Double($0) * 4, end: Double($0) * 4 + 3, text: "Übermäßig große Änderung")
            }
            var stage = Stage.connected(ScreenSize(columns: 80, rows: 24), host: host, measure: counting)
            stage.other(nil, .seek(time: Double(count) * 2))
            stage.press("2")
            let before = counter.count.withLock { $0 }
            stage.press("jjj")
            _ = stage.text
            return counter.count.withLock { $0 } - before
        }
        #expect(cost(50_000) <= cost(500) + 50)
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }
}

@Suite("List layout") struct ListRowsTests {
    @Test("looks at no more items than fit around the focus", arguments: [0, 1, 25_000, 49_998, 49_999]) func asked(
        focus: Int
    ) {
        var asked: [Int] = []
        let list = ListRows(count: 50_000, focus: focus, height: 20) {
            asked.append($0)
            return ["one", "two"]
        }
        #expect(Set(asked).count == asked.count && asked.count <= 12)
        let rows = list.items.flatMap { item in item.lines.indices.map { item.row + $0 } }.filter {
            (0..<20).contains($0)
        }
        #expect(rows == Array(0..<20), "every row is filled once")
    }

    @Test("a list that fits stands at the top") func fits() {
        let list = ListRows(count: 3, focus: 2, height: 10) { ["\($0)"] }
        #expect(list.items.map(\.row) == [0, 1, 2])
    }

    @Test("nothing to show, nowhere to show it, and a focus outside") func odd() {
        #expect(ListRows(count: 0, focus: 0, height: 5) { _ in [""] }.items.isEmpty)
        #expect(ListRows(count: 5, focus: 0, height: 0) { _ in [""] }.items.isEmpty)
        #expect(ListRows(count: 2, focus: 9, height: 5) { _ in [""] }.items.map(\.place) == [0, 1])
    }
}

@Suite("Finding lines") struct SearchTests {
    @Test("as it is typed, the best first; Enter seeks, letters are text") func typing() {
        var stage = Stage.connected()
        stage.press("/")
        #expect(stage.rows[1...2] == ["Find:", "Type what was said."])
        stage.press("line 42")
        #expect(stage.rows[1...2] == ["Find: line 42", " > 02:44  Line 42"])
        stage.press(.enter)
        #expect(stage.host.position == 164 && stage.row("The Night Train") != nil)
        #expect(stage.takeIntents() == [.command(.seek(time: 164), ticket: 1)])
    }

    @Test("arrows choose, a tap seeks, Esc leaves") func choosing() {
        var stage = Stage.connected()
        stage.press("/line")
        stage.press(.down)
        stage.press(.down)
        stage.press(.up)
        #expect(stage.rows[3] == " > 00:04  Line 2")
        stage.press(.enter)
        #expect(stage.host.position == 4)
        stage.press("/line")
        stage.tap(5, 12)
        #expect(stage.host.position == 12 && stage.row("Find") == nil)
        stage.press("/lq")
        #expect(stage.row("No line has all of that.") != nil)
        stage.press(.backspace)
        #expect(stage.row("Line 1") != nil)
        stage.press(.clear)
        stage.press(.escape)
        #expect(stage.host.position == 12 && stage.row("The Night Train") != nil)
    }
}

@Suite("Tracks") struct TrackTests {
    @Test("a check mark on the active one; Enter switches, at once and marked") func switching() {
        var stage = Stage.connected()
        stage.press("3")
        #expect(stage.rows[1...2] == ["> ✓ Español", "    Deutsch"])
        stage.answers = false
        stage.press("j")
        #expect(stage.rows[1...2] == ["  ✓ Español", ">   Deutsch"])
        stage.press(.enter)
        #expect(stage.takeIntents() == [.command(.switchTrack(trackID: "b"), ticket: 1)])
        #expect(stage.rows[1...2] == ["    Español", "> ✓ Deutsch …"])
        stage.answer()
        #expect(stage.rows[2] == "> ✓ Deutsch")
        stage.press(.enter)
        #expect(stage.takeIntents() == [], "it is active already")
    }

    @Test("a tap switches; one that fails says why and goes back") func failing() {
        var stage = Stage.connected()
        stage.press("3")
        stage.answers = false
        stage.tap(2, 6)
        stage.refuse("The file is damaged.")
        #expect(stage.rows[1] == "> ✓ Español" && stage.row("! The file is damaged.") != nil)
    }

    @Test("one track is a single one") func single() {
        var host = FilmHost()
        host.tracks = [("a", "Español")]
        var stage = Stage.connected(host: host)
        stage.press("3")
        #expect(stage.rows[1] == "Single track: Español")
        stage.press(.enter)
        #expect(stage.takeIntents() == [])
    }
}

@Suite("Typing a line") struct LineInputTests {
    private func typed(_ text: String) -> String {
        var line = LineInput()
        for character in text { _ = line.take(.character(character)) }
        return line.text
    }

    @Test(
        "takes what is safe, in a bounded length",
        arguments: [
            ("one two", "one two"), ("a  b", "a b"), ("  a", "a"), ("e\u{301}", "e\u{301}"), ("\u{1B}[2J", "[2J"),
            (String(repeating: "x", count: 500), String(repeating: "x", count: 120)),
        ])
    func safe(text: String, kept: String) {
        #expect(typed(text) == kept)
    }

    @Test("a mark joins the letter before it") func marks() {
        var line = LineInput()
        _ = line.take(.character("e"))
        _ = line.take(.character("\u{301}"))
        #expect(line.text == "é")
        #expect(line.take(.backspace) && !line.take(.backspace) && !line.take(.clear) && !line.take(.up))
    }
}
