internal import TextScreen

/// All keys with what they do, and those that a page names.
enum KeyTable {
    private static let all: [(keys: String, what: String)] = [
        ("1 2 3, Tab, ← →", "pages: transport, cues, tracks"),
        ("Space, p", "play or pause"),
        ("h l, - +", "1 s back or on"),
        ("H L", "3 s back or on"),
        (", .", "half a second back or on"),
        ("[ ]", "to the line before or after"),
        ("r", "repeat this line"),
        ("u", "undo the last jump"),
        ("U", "list of the last jumps"),
        ("9 0", "quieter, louder; on the transport also ↑ ↓"),
        ("/", "find a line by what was said"),
        ("t", "tell where the film is"),
        ("↑ ↓, j k", "choose in a list; also PgUp PgDn Home End"),
        ("Enter", "go to the line, take the track, the host"),
        ("c", "cues: follow the film again"),
        ("Esc", "leave what is open"),
        ("o", "another host"),
        ("a", "type a host's address"),
        ("Ctrl-L", "draw anew"),
        ("Ctrl-Z", "suspend"),
        ("q, Ctrl-C", "quit"),
        ("?", "these keys"),
    ]

    /// The whole table, wrapped.
    static func lines(columns: Int, measure: TextMeasure) -> [String] {
        all.flatMap { keys, what in
            guard columns >= 50 else { return measure.wrapped("\(keys): \(what)", to: columns, limit: 8) }
            let padding = String(repeating: " ", count: max(1, 18 - measure.columns(measure.shown(keys))))
            return [keys + padding + what]
        }
    }
}

extension RemoteScreen {
    struct Hint {
        var keys: String
        var what: String
        /// What a tap on it is, where it is one key.
        var key: ScreenInput.Key?
    }

    /// What the footer names, the most wanted first.
    var hints: [Hint] {
        let help = Hint(keys: "?", what: "keys", key: .character("?"))
        let quit = Hint(keys: "q", what: "quit", key: .character("q"))
        let leave = Hint(keys: "Esc", what: "leave", key: .escape)
        switch overlay {
        case .address: return [Hint(keys: "Enter", what: "connect", key: .enter), leave]
        case .search:
            return [Hint(keys: "Enter", what: "go there", key: .enter), Hint(keys: "↑ ↓", what: "choose"), leave]
        case .jumps:
            return [Hint(keys: "Enter", what: "go back", key: .enter), Hint(keys: "↑ ↓", what: "choose"), leave]
        case .help: return [Hint(keys: "Any key", what: "leaves", key: .escape), Hint(keys: "↑ ↓", what: "scroll")]
        case .none: break
        }
        let address = Hint(keys: "a", what: "address", key: .character("a"))
        switch scene {
        case .finding:
            let pick = finding.hosts.isEmpty ? [] : [Hint(keys: "Enter", what: "connect", key: .enter)]
            let back: [Hint] = if case .choosing = finding.stage { [leave] } else { [] }
            return [help] + pick + back + [address, quit]
        case .message: return [help, Hint(keys: "o", what: "other host", key: .character("o")), address, quit]
        case .pages: return [help] + pageHints + [quit]
        }
    }

    private var pageHints: [Hint] {
        let undo = Hint(keys: "u", what: "undo", key: .character("u"))
        let find = Hint(keys: "/", what: "find", key: .character("/"))
        switch page {
        case .transport:
            return [
                Hint(keys: "Space", what: isPlaying ? "pause" : "play", key: .character(" ")),
                Hint(keys: "h l", what: "1 s"), Hint(keys: "H L", what: "3 s"), Hint(keys: "[ ]", what: "line"), undo,
                Hint(keys: "↑ ↓", what: "volume"), find, Hint(keys: "1 2 3", what: "pages"),
            ]
        case .cues:
            return [
                Hint(keys: "Enter", what: "go there", key: .enter), Hint(keys: "j k", what: "choose"), find,
                Hint(keys: "c", what: "follow", key: .character("c")),
                Hint(keys: "r", what: "repeat", key: .character("r")),
                Hint(keys: "[ ]", what: "line"), undo, Hint(keys: "1 2 3", what: "pages"),
            ]
        case .tracks:
            return [
                Hint(keys: "Enter", what: "switch", key: .enter), Hint(keys: "j k", what: "choose"),
                Hint(keys: "1 2 3", what: "pages"),
            ]
        }
    }
}
