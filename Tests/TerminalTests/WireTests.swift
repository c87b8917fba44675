import Foundation
import LinuxSystem
import TestKit
import Testing

@testable import Terminal

/// What goes over the line, byte by byte.
@Suite("Bytes on the line", .timeLimit(.minutes(3))) struct WireTests {
    @Test("draws the first frame in one go, on the terminal's own background") func firstFrame() throws {
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal)
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
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 200, rows: 50)
        let demo = try files.start(terminal)
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
        let perDigit = (terminal.bytes.count - whole) / 9
        #expect(perDigit < 48, "a digit costs \(perDigit) bytes")
        let mark = terminal.bytes.count
        for press in 1...8 {
            terminal.send("x")
            try files.waitFor("key(character(\"x\"))", times: press)
        }
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
        // The key's name and its successor's, and the end: eight pictures that are the same cost nothing.
        #expect(terminal.bytes.count - mark < 200)
    }

    /// The parameters of every order that sets colours and attributes.
    private func looks(_ terminal: Pseudoterminal) -> [String] {
        terminal.text.components(separatedBy: "␛[").dropFirst().compactMap { part in
            let parameters = part.prefix { $0.isNumber || $0 == ";" }
            return part.dropFirst(parameters.count).first == "m" ? String(parameters) : nil
        }
    }

    @Test("sends all of it anew on Ctrl-L") func anew() throws {
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal)
        try terminal.wait(for: "␛[?1006h")
        let mark = terminal.bytes.count
        terminal.send("\u{C}")
        try terminal.wait(for: "␛[H␛[2J", after: mark)
        try terminal.wait(for: "quiet 漢字", after: mark)
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
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
            let files = try DemoFiles(DemoFiles.page + [(6, 0, "text", "text")])
            let terminal = try Pseudoterminal(columns: 80, rows: 24)
            let demo = try files.start(terminal, term: term, environment)
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
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal, term: "allspeak-direct", ["TERMINFO": folder.path])
        try terminal.wait(for: "␛[48:2::53:37:16m")
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }

    @Test("writes UTF-8 whatever the locale is", arguments: ["C", "C.UTF-8", "de_DE.ISO-8859-1", "nonsense"])
    func locale(name: String) throws {
        let files = try DemoFiles([(0, 0, "text", "ö漢字 🎬 e\u{301}|")])
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal, ["LC_ALL": name])
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
            let demo = try files.start(terminal, ["LINES": "7", "COLUMNS": "33"])
            try terminal.wait(for: shown)
            terminal.send("q")
            #expect(demo.exitCode(within: 20) == 0)
        }
    }

    @Test("leaves a terminal's own palette alone also after it was stopped") func palette() throws {
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        // Leading a session of its own, it has no shell that could let it go on, so the system does so at once.
        let demo = try files.start(terminal)
        try terminal.wait(for: "␛[?1006h")
        let mark = terminal.bytes.count
        terminal.send("\u{1A}")
        try files.waitFor("exposed")
        try terminal.wait(for: "␛[?1049l", after: mark)
        try terminal.wait(for: "␛[?1006h", after: mark)
        let last = terminal.bytes.count
        terminal.send("q")
        try terminal.wait(for: "␛[?1049l", after: last)
        #expect(demo.exitCode(within: 20) == 0)
        #expect(!terminal.text.contains("␛]104"))
        #expect(terminal.text.components(separatedBy: "␛[?1049h").count == 3)
        #expect(terminal.text.components(separatedBy: "␛[?1049l").count == 3)
    }

    @Test("rings") func bell() throws {
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal)
        try terminal.wait(for: "␛[?1006h")
        terminal.send("b")
        try terminal.wait(for: "\u{7}")
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }
}
