import Foundation
import LinuxSystem
import TestKit
import Testing

@testable import Terminal

/// What goes over the line, byte by byte.
@Suite("Bytes on the line", .timeLimit(.minutes(3))) struct WireTests {
    private func start(
        _ files: DemoFiles, _ terminal: Pseudoterminal, term: String = "xterm-256color",
        _ environment: [String: String] = [:]
    ) throws -> Child {
        var variables = ProcessInfo.processInfo.environment.merging(["TERM": term]) { $1 }
        for name in ["NO_COLOR", "COLORTERM", "LINES", "COLUMNS", "TMUX"] { variables[name] = nil }
        return try Child(
            files.command[0], Array(files.command.dropFirst()), environment: variables.merging(environment) { $1 },
            inheriting: false, terminal: terminal.path)
    }

    private let page: [(Int, Int, String, String)] = [
        (0, 0, "strong", "The Film"), (1, 0, "selected", "selected"), (2, 0, "current", "current"),
        (3, 0, "warning", "warning"), (4, 0, "quiet", "quiet 漢字"), (5, 0, "pending", "pending"),
    ]

    @Test("draws the first frame in one go, on the terminal's own background") func firstFrame() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal)
        try terminal.wait(for: "80x24")
        try terminal.wait(for: "␛[?1006h")
        #expect(terminal.text.hasPrefix("␛[?1049h"))
        #expect(terminal.text.components(separatedBy: "␛[H␛[2J").count == 2)
        // Neither its palette, nor its background, nor the whole in reverse.
        for order in ["␛]", "␛[?5h", "␛[48;5;15m", "␛[47m", "␛[107m", "␛[3J"] {
            #expect(!terminal.text.contains(order))
        }
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    @Test("sends what has changed and no more: a digit costs less than 48 bytes, nothing costs nothing")
    func changes() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 200, rows: 50)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        let whole = terminal.bytes.count
        terminal.send("n")
        try terminal.wait(for: "1", after: whole)
        try files.waitFor("key(character(\"n\"))")
        for count in 2...9 {
            let mark = terminal.bytes.count
            terminal.send("n")
            try terminal.wait(for: "\(count)", after: mark)
        }
        let mark = terminal.bytes.count
        // The same picture eight times.
        for _ in 1...8 { terminal.send("\u{C}") }
        try files.waitFor("exposed", times: 8)
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
        let perDigit = (mark - whole) / 9
        #expect(perDigit < 48, "a digit costs \(perDigit) bytes")
        print("first frame \(whole) bytes, a digit \(perDigit) bytes")
    }

    /// The parameters of every order that sets colours and attributes.
    private func looks(_ terminal: Pseudoterminal) -> [String] {
        terminal.text.components(separatedBy: "␛[").dropFirst().compactMap { part in
            let parameters = part.prefix { $0.isNumber || $0 == ";" }
            return part.dropFirst(parameters.count).first == "m" ? String(parameters) : nil
        }
    }

    @Test("uses 256 colours, all colours, eight, or none, as the terminal can and the user wants") func colours() throws
    {
        let none = (0...29).map(String.init)
        let eight = none + ["30", "31", "33", "39", "40", "41", "49"]
        let cases: [(String, [String: String], has: [String], allows: [String]?)] = [
            ("xterm-256color", [:], ["38;5;137", "48;5;52"], nil),
            ("xterm-256color", ["COLORTERM": "truecolor"], ["38;2;156;122;78", "48;2;53;37;16"], nil),
            ("xterm", [:], ["33", "41", "0;2"], eight),
            ("linux", [:], ["33", "41"], eight),
            ("xterm-256color", ["NO_COLOR": "1", "COLORTERM": "truecolor"], ["0;2", "0;1", "0;2;7", "0;2;4"], none),
            ("vt100", [:], ["0;7", "0;1"], none),
            ("tmux-256color", [:], ["38;5;137"], nil),
            ("xterm-mono", [:], ["1", "4", "7"], none),
        ]
        for (term, environment, has, allows) in cases {
            let files = try DemoFiles(page + [(6, 0, "text", "text")])
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            let demo = try start(files, terminal, term: term, environment)
            try terminal.wait(for: "80x24")
            _ = try files.process()
            terminal.send("q")
            #expect(demo.exitCode(within: 20) == 0)
            let looks = looks(terminal)
            for look in has { #expect(looks.contains(look), "\(term) \(environment): \(terminal.text)") }
            if let allows {
                let numbers = Set(looks.flatMap { $0.split(separator: ";").map(String.init) })
                #expect(numbers.isSubset(of: allows), "\(term) \(environment): \(terminal.text)")
            } else {
                let isExact = environment["COLORTERM"] != nil
                #expect(!looks.contains { $0.contains(isExact ? "8;5;" : "8;2;") }, "\(term): \(terminal.text)")
            }
            let isPlain = ["linux", "vt100"].contains(term)
            #expect(terminal.text.contains("␛[?1049h") == (!isPlain && term != "xterm-mono"))
            #expect(terminal.text.contains("␛[?1000h") == (term != "vt100"))
        }
    }

    @Test("uses the colours of a terminal whose terminfo knows all of them") func direct() throws {
        let folder = try TemporaryFolder("terminfo")
        try folder.file(
            "source",
            """
            allspeak-direct|all colours by number,
            \tRGB, colors#0x1000000, pairs#0x7FFF, CO#8,
            \tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38\\:2\\:\\:%p1%{65536}%/%d\\:%p1%{256}%/%{255}%&%d\\:%p1%{255}%&%d%;m,
            \tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48\\:2\\:\\:%p1%{65536}%/%d\\:%p1%{256}%/%{255}%&%d\\:%p1%{255}%&%d%;m,
            \tinitc@, oc@, ccc@, use=xterm-256color,

            """)
        try run("tic", ["-x", "-o", folder.path, folder("source")])
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal, term: "allspeak-direct", ["TERMINFO": folder.path])
        try terminal.wait(for: "␛[48:2::53:37:16m")
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    @Test("writes UTF-8 whatever the locale is", arguments: ["C", "C.UTF-8", "de_DE.ISO-8859-1", "nonsense"])
    func locale(name: String) throws {
        let files = try DemoFiles([(0, 0, "text", "ö漢字 🎬 e\u{301}|")])
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal, ["LC_ALL": name])
        try terminal.wait(for: "ö漢字 🎬 e\u{301}|")
        terminal.send("ö")
        try files.waitFor("key(character(\"ö\"))")
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    @Test("takes the size from the terminal, not from LINES and COLUMNS, and 80 by 24 where that tells none")
    func size() throws {
        for (columns, rows, shown) in [(0, 0, "80x24"), (50, 10, "50x10"), (65_535, 65_535, "film")] {
            let files = try DemoFiles([(0, 0, "text", "film")])
            let terminal = try Pseudoterminal(columns: columns, rows: rows)
            let demo = try start(files, terminal, ["LINES": "7", "COLUMNS": "33"])
            try terminal.wait(for: shown)
            terminal.send("q")
            #expect(demo.exitCode(within: 20) == 0)
        }
    }

    @Test("leaves a terminal's own palette alone also after it was stopped") func palette() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        // Leading a session of its own, it has no shell that could let it go on, so the system does so at once.
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        let mark = terminal.bytes.count
        terminal.send("\u{1A}")
        try files.waitFor("exposed")
        try terminal.wait(for: "␛[?1049l", after: mark)
        try terminal.wait(for: "␛[?1006h", after: mark)
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
        #expect(!terminal.text.contains("␛]104"))
        #expect(terminal.text.components(separatedBy: "␛[?1049h").count == 3)
        #expect(terminal.text.components(separatedBy: "␛[?1049l").count == 3)
    }

    @Test("rings") func bell() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        terminal.send("b")
        try terminal.wait(for: "\u{7}")
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    // MARK: Bad lines

    @Test("ends when the terminal is closed, and says so") func hangUp() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        terminal.hangUp()
        let code = try #require(demo.exitCode(within: 20))
        // Whichever is noticed first: the signal, or that there is no more input.
        #expect(files.log.contains("gone") && code == 69 || files.log.contains("signal \(SIGHUP)") && code == 0)
    }

    @Test("ends when the terminal is closed and nobody sends a signal") func hangUpUnnoticed() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        // The shell in between leads the session and gets the signal; what it started is orphaned, and reads the end.
        let child = try Child(
            "sh", ["-c", "trap '' HUP; \(files.line); :"],
            environment: ["TERM": "xterm-256color", "COLORTERM": "", "NO_COLOR": ""], terminal: terminal.path)
        try terminal.wait(for: "␛[?1006h")
        terminal.hangUp()
        try files.wait("end") { $0.contains("closed") }
        #expect(child.exitCode(within: 20) != nil)
    }

    @Test("waits for nobody where the terminal takes nothing, and then shows the newest") func frozen() throws {
        let long = (0..<50).map { ($0, 0, "text", String(repeating: "\($0) 漢字 ", count: 30)) }
        let files = try DemoFiles(long)
        let terminal = try Pseudoterminal(columns: 300, rows: 60)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        terminal.freeze(true)
        // Each size draws all of it anew, so that no buffer holds them.
        for step in 1...40 {
            terminal.resize(columns: 250 + step, rows: 60)
            try files.waitFor("resized(ScreenSize(columns: \(250 + step), rows: 60))")
        }
        terminal.send("n")
        try files.waitFor("key(character(\"n\"))")
        #expect(files.log.last == "key(character(\"n\"))")
        let mark = terminal.bytes.count
        terminal.freeze(false)
        try files.wait("caught up") { $0.last == "caught up" }
        try terminal.wait(for: "290x60", after: mark)
        // Of forty pictures of more than 10 KB two or three: the one under way, what the line still held, the newest.
        #expect(terminal.bytes.count - mark < 200_000)
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    @Test("can be ended where the terminal takes nothing") func endsFrozen() throws {
        let files = try DemoFiles((0..<50).map { ($0, 0, "text", String(repeating: "\($0) 漢字 ", count: 30)) })
        let terminal = try Pseudoterminal(columns: 300, rows: 60)
        let before = terminal.mode
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        #expect(terminal.mode != before)
        terminal.freeze(true)
        for step in 1...20 {
            terminal.resize(columns: 250 + step, rows: 60)
            try files.waitFor("resized(ScreenSize(columns: \(250 + step), rows: 60))")
        }
        demo.signal(SIGTERM)
        #expect(demo.exitCode(within: 20) == 0)
        #expect(terminal.mode == before)
    }

    @Test("survives bytes that no terminal sends, and knows the key behind them") func hostileInput() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        // No letters of which the demo dies.
        terminal.send((0..<3_000).map { UInt8(truncatingIfNeeded: 0x80 + $0 * 31 % 128) })
        terminal.send(Array(repeating: 0x1B, count: 500))
        terminal.send("\u{1B}[" + String(repeating: "1;", count: 400) + "A")
        terminal.send("\u{1B}[5~")
        try files.waitFor("key(pageUp)")
        #expect(!files.log.contains("key(up)"))
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    @Test("notices the Escape key within a tenth of a second, and an arrow cut in two")
    func escape() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        terminal.send("\u{1B}")
        try files.waitFor("key(escape)")
        terminal.send("[A")
        try files.waitFor("key(up)")
        #expect(files.inputs == ["key(escape)", "key(up)"])
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    // MARK: Thrift

    @Test("is small, and sleeps while nothing happens") func thrift() throws {
        let files = try DemoFiles(page)
        let terminal = try Pseudoterminal(columns: 200, rows: 60)
        let demo = try start(files, terminal)
        try terminal.wait(for: "␛[?1006h")
        func status(_ name: String) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(demo.process)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
            return Int(line.filter(\.isNumber)) ?? -1
        }
        if !Sanitizer.isOn { #expect(try status("VmRSS") < 20_480) }
        _ = try files.process()
        usleep(200_000)
        let before = try status("voluntary_ctxt_switches")
        usleep(1_000_000)
        #expect(try status("voluntary_ctxt_switches") == before)
        print("resident \(try status("VmRSS")) KiB")
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }
}
