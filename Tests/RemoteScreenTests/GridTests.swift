import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

/// What every key does in every state of the screen.
@Suite("Remote screen: keys by states") struct GridTests {
    private static let keys: [(name: String, key: ScreenInput.Key)] = [
        ("Space", .character(" ")), ("l", .character("l")), ("9", .character("9")), ("]", .character("]")),
        ("u", .character("u")), ("U", .character("U")), ("t", .character("t")), ("/", .character("/")),
        ("?", .character("?")), ("a", .character("a")), ("o", .character("o")), ("q", .character("q")),
        ("2", .character("2")), ("j", .character("j")), ("x", .character("x")), ("Tab", .tab), ("Left", .left),
        ("Up", .up), ("PgDn", .pageDown), ("End", .end), ("Enter", .enter), ("Esc", .escape), ("Bksp", .backspace),
        ("^C", .interrupt), ("^Z", .suspend),
    ]

    private static let states: [(name: String, make: @Sendable () -> Stage)] = [
        ("looking", { Stage() }),
        (
            "hosts",
            {
                var stage = Stage()
                stage.give(.hosts([laptop, tower], searchFailure: nil))
                return stage
            }
        ),
        (
            "other",
            {
                var stage = pages("")
                stage.give(.hosts([laptop, tower], searchFailure: nil))
                stage.press("o")
                return stage
            }
        ),
        (
            "nofilm",
            {
                var stage = Stage.connected()
                stage.receive(.sessionEnded)
                return stage
            }
        ),
        ("transp", { pages("") }),
        ("cues", { pages("2") }),
        ("tracks", { pages("3") }),
        (
            "lost",
            {
                var stage = pages("")
                stage.lose()
                return stage
            }
        ),
        ("addr", { pages("ax") }),
        ("search", { pages("/line 1") }),
        ("jumps", { pages("U") }),
        ("help", { pages("?") }),
    ]

    /// In the middle of a film, after two jumps.
    private static func pages(_ keys: String) -> Stage {
        var stage = Stage.connected()
        stage.other("Anna", .seek(time: 100))
        stage.other("Anna", .skip(seconds: 5))
        stage.pass(10)
        stage.press(keys)
        return stage
    }

    /// One word for what a key did.
    private static func effect(_ key: ScreenInput.Key, _ stage: Stage) -> String {
        var stage = stage
        stage.answers = false
        let before = stage.screen
        _ = stage.takeIntents()
        stage.press(key)
        let intents = stage.takeIntents().map { intent in
            switch intent {
            case .command(.play, _), .command(.pause, _): "play"
            case .command(.seek, _): "seek"
            case .command(.skip, _): "leap"
            case .command(.switchTrack, _): "track"
            case .command: "?"
            case .tapSkip: "skip"
            case .turnVolume: "vol"
            case .connect, .connectTo: "conn"
            case .quit: "quit"
            case .suspend: "susp"
            case .bell: "bell"
            case .redraw: "draw"
            }
        }
        if !intents.isEmpty { return intents.joined(separator: "+") }
        let after = stage.screen
        if name(before.overlay) != name(after.overlay) { return name(after.overlay) }
        if before.scene != after.scene { return after.scene == .finding ? "hosts" : "back" }
        if before.page != after.page { return "page\(after.page.rawValue + 1)" }
        if before.notice?.number != after.notice?.number { return after.notice?.isWarning == true ? "warn" : "tell" }
        return before.canvas(at: stage.now) == after.canvas(at: stage.now) ? "." : "move"
    }

    private static func name(_ overlay: RemoteScreen.Overlay) -> String {
        switch overlay {
        case .none: "leave"
        case .address: "addr"
        case .search: "find"
        case .jumps: "list"
        case .help: "help"
        }
    }

    @Test("every key does in every state what this table says") func table() {
        var lines = [(["key"] + Self.states.map(\.name))]
        let stages = Self.states.map { $0.make() }
        for (name, key) in Self.keys { lines.append([name] + stages.map { Self.effect(key, $0) }) }
        let table = lines.map { words in words.map { $0.padded(to: 8) }.joined() }.joined(separator: "\n")
        let wanted = Self.wanted.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
        #expect(lines == wanted, "\(table)")
    }

    private static let wanted = """
        key     looking hosts   other   nofilm  transp  cues    tracks  lost    addr    search  jumps   help
        Space   .       .       .       .       play    play    play    warn    move    move    .       leave
        l       .       .       .       .       skip    skip    skip    warn    move    move    .       leave
        9       .       .       .       .       vol     vol     vol     warn    move    move    .       leave
        ]       .       .       .       .       seek    seek    seek    warn    move    move    .       leave
        u       .       .       .       .       leap    leap    leap    warn    move    move    .       leave
        U       .       .       .       .       list    list    list    list    move    move    leave   leave
        t       .       .       .       .       tell    tell    tell    tell    move    move    .       leave
        /       .       .       .       .       find    find    find    find    move    move    .       leave
        ?       help    help    help    help    help    help    help    help    move    move    .       leave
        a       addr    addr    addr    addr    addr    addr    addr    addr    move    move    .       leave
        o       .       .       .       hosts   hosts   hosts   hosts   hosts   move    move    .       leave
        q       quit    quit    quit    quit    quit    quit    quit    quit    move    move    leave   leave
        2       .       conn    conn    .       page2   .       page2   page2   move    move    .       leave
        j       .       move    move    .       .       move    move    .       move    move    move    move
        x       .       .       .       .       .       .       .       .       move    move    .       leave
        Tab     .       .       .       .       page2   page3   page1   page2   .       .       .       leave
        Left    .       .       .       .       page3   page1   page2   page3   .       .       .       leave
        Up      .       .       .       .       vol     move    .       warn    .       .       .       .
        PgDn    .       move    move    .       .       move    move    .       .       move    move    move
        End     .       move    move    .       .       move    move    .       .       move    move    leave
        Enter   .       conn    conn    .       .       seek    .       .       conn    seek    leap    leave
        Esc     .       .       back    .       .       .       .       .       leave   leave   leave   leave
        Bksp    .       .       .       .       .       .       .       .       move    move    .       leave
        ^C      quit    quit    quit    quit    quit    quit    quit    quit    quit    quit    quit    quit
        ^Z      susp    susp    susp    susp    susp    susp    susp    susp    susp    susp    susp    susp
        """
}

extension String {
    fileprivate func padded(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }
}
