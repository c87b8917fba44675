import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("Remote screen: any sequence of events") struct PropertyTests {
    private static let keys: [ScreenInput.Key] =
        [
            .enter, .escape, .tab, .backTab, .backspace, .clear, .up, .down, .left, .right, .pageUp, .pageDown, .home,
            .end,
            .interrupt, .suspend,
        ] + "123 phlHL,.-+=90[]ruUt/?ajkoqcxyL日e\u{301}".map { .character($0) }

    private static let nasty = [
        "Plain", "日本語の字幕です", "שָׁלוֹם עולם", "a\u{301}\u{301}\u{301}", "👨‍👩‍👧 family", "", "one\ntwo\nthree\nfour\nfive",
        String(repeating: "long ", count: 80), "\u{202E}evil\u{1B}[2J\u{7}",
    ]

    @Test(
        "nothing crashes, reaches outside or overlaps, and the picture only changes when it said so", arguments: 0..<24)
    func sequences(seed: UInt64) {
        var random = Random(state: seed &* 7_919 &+ 1)
        var host = FilmHost()
        host.duration = [0, 3, 400, 9_000][random.below(4)]
        host.cues = (0..<random.below(60)).map { place in
            let start = Double(random.below(400))
            return Cue(index: place + 1, start: start, end: start + 2, text: Self.nasty[random.below(Self.nasty.count)])
        }
        host.tracks = (0..<random.below(5)).map { ("\($0)", Self.nasty[random.below(Self.nasty.count)]) }
        host.track = "0"
        host.title = Self.nasty[random.below(Self.nasty.count)]
        var options = RemoteScreen.Options()
        options.isDim = random.below(4) == 0
        options.address = random.below(2) == 0 ? "laptop" : nil
        var stage = Stage(Self.size(&random), host: host, options: options)
        for _ in 0..<90 {
            switch random.below(20) {
            case 0: stage.give(.input(.resized(Self.size(&random))))
            case 1:
                let size = stage.screen.size
                stage.tap(random.below(size.rows + 2) - 1, random.below(size.columns + 2) - 1)
            case 2: stage.give(.input(.scrolled(up: random.below(2) == 0, row: 0, column: 0)))
            case 3: stage.give(.hosts(Array([laptop, tower].prefix(random.below(3))), searchFailure: nil))
            case 4: if random.below(3) == 0 { stage.lose() } else { stage.connect() }
            case 5: stage.other("Anna", .seek(time: Double(random.below(400))))
            case 6: stage.other("Bo", [.play, .pause, .switchTrack(trackID: "1")][random.below(3)])
            case 7: stage.answers.toggle()
            case 8: stage.receive(.sessionEnded)
            case 9: stage.give(.linkFailed(Self.nasty[random.below(Self.nasty.count)]))
            default: stage.press(Self.keys[random.below(Self.keys.count)])
            }
            check(stage)
            stage.pass(Double(random.below(1000)) / (random.below(10) == 0 ? 50 : 1000))
            check(stage)
        }
        for line in stage.said { #expect(line == SafeText.line(line, maximumCharacters: 10_000), "\(line)") }
    }

    private static func size(_ random: inout Random) -> ScreenSize {
        let columns = [1, 2, 3, 7, 20, 40, 80, 200][random.below(8)]
        return ScreenSize(columns: columns, rows: 1 + random.below(random.below(2) == 0 ? 6 : 30))
    }

    private func check(_ stage: Stage) {
        let (screen, now) = (stage.screen, stage.now)
        let canvas = screen.canvas(at: now)
        #expect(canvas.size == screen.size && canvas.rows.count == screen.size.rows)
        for row in canvas.rows {
            var end = 0
            for run in row.sorted(by: { $0.column < $1.column }) {
                #expect(run.column >= end, "\(run) lies over what ends at \(end)")
                #expect(run.columns == measure.columns(run.text))
                end = run.column + run.columns
                #expect(run.text == measure.shown(run.text) && !run.text.contains("\u{1B}"))
            }
            #expect(end <= canvas.size.columns)
        }
        if let cursor = canvas.cursor {
            #expect((0..<canvas.size.rows).contains(cursor.row) && (0..<canvas.size.columns).contains(cursor.column))
        }
        let deadline = screen.nextDeadline(after: now)
        if let deadline { #expect(deadline > now) }
        // A millisecond of tolerance: that is how exact dates are.
        let quiet = deadline.map { $0 - now - 0.001 } ?? 3_600
        for part in [0.3, 1] where quiet > 0 {
            let later = screen.canvas(at: now + quiet * part)
            #expect(later.lines == canvas.lines && later == canvas, "within \(quiet) s")
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
