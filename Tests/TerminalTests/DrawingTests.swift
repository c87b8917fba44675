import Foundation
import TestKit
import Testing
import TextScreen

@testable import Terminal

/// In tmux, which counts columns by its own tables.
@Suite("Drawing", .timeLimit(.minutes(3))) struct DrawingTests {
    /// Texts whose widths terminals and programs most often disagree on.
    private static let texts = [
        "plain", "naïve", "e\u{301}e\u{301}", "漢字かな", "한국어", "한글", "🎬🍿", "👨‍👩‍👧", "❤️x", "🇩🇪",
        "עברית", "العربية", "ไทยที่", "नमस्ते", "Ωμέγα", "…–—“”", "▶⏸■□", "ｆｕｌｌ", "漢\u{301}字",
        "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
    ]

    @Test("puts every text, and what follows it, in the columns that were meant", arguments: [20, 40, 80, 200])
    func columns(width: Int) throws {
        let measure = TextMeasure.ofTerminals
        let files = try DemoFiles(
            Self.texts.enumerated().flatMap { row, text in
                [
                    (row, 0, "text", text), (row, measure.columns(measure.shown(text)), "strong", "|"),
                    (row, 16, "quiet", "#"),
                ]
            })
        let tmux = try Tmux(files.command, columns: width, rows: Self.texts.count + 1)
        try tmux.waitFor("\(width)x\(Self.texts.count + 1)")
        // A column of its own for each cell: tmux is asked where the mark behind the text stands, and the one further on.
        let screen = try tmux.screen
        for (row, text) in Self.texts.enumerated() {
            let shown = measure.shown(text)
            let before = screen[row].prefix { $0 != "|" }
            let between = screen[row].drop { $0 != "|" }.dropFirst().prefix { $0 != "#" }
            #expect(measure.columns(before) == measure.columns(shown), "\(text): \(screen[row])")
            #expect(between == String(repeating: " ", count: 15 - measure.columns(shown)), "\(text): \(screen[row])")
            #expect(screen[row].hasSuffix("#"), "\(text): \(screen[row])")
        }
    }

    @Test("cuts what reaches past the edge, a wide letter as a whole", arguments: [1, 2, 3, 7, 20])
    func edge(width: Int) throws {
        let files = try DemoFiles([(0, 0, "text", "漢字漢字漢字漢字漢字漢字"), (1, width - 1, "text", "漢"), (2, 0, "text", "ok")])
        let tmux = try Tmux(files.command, columns: width, rows: 5)
        try tmux.waitFor(width > 1 ? "ok" : "…")
        let first = try #require(try tmux.screen.first)
        #expect(first == TextMeasure.ofTerminals.cut(String(repeating: "漢字", count: 6), to: width))
        #expect(try tmux.screen[1].trimmingCharacters(in: .whitespaces) == "…")
    }

    @Test("shows no control character, and turns none into an order") func hostile() throws {
        let files = try DemoFiles([
            (0, 0, "text", "a\u{1B}[2Jb\u{7}c\u{9B}31md"), (1, 0, "text", "x\u{202E}y\u{200B}z"),
            (2, 0, "text", "\u{301}q"),
        ])
        let tmux = try Tmux(files.command, columns: 40, rows: 5)
        try tmux.waitFor("40x5")
        let screen = try tmux.screen
        #expect(screen[0] == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}31md")
        #expect(screen[2] == "q")
    }

    @Test("takes the whole screen, hides the cursor and asks for taps, and gives all of that back")
    func modes() throws {
        let files = try DemoFiles([(0, 0, "text", "here")])
        let format = "#{alternate_on}#{cursor_flag}#{mouse_standard_flag}#{mouse_sgr_flag}#{keypad_flag}#{wrap_flag}"
        let tmux = try Tmux(
            ["sh", "-c", "echo before; sleep 1; \(files.line); echo after; exec sleep 100"], columns: 40, rows: 6)
        try tmux.waitFor("here")
        #expect(try tmux.value(format) == "101101")
        #expect(try !tmux.screen.joined().contains("before"))
        try tmux.type("q")
        try tmux.waitFor("after")
        #expect(try tmux.value(format) == "010001")
        #expect(try tmux.screen[0...1] == ["before", "after"])
    }

    @Test("shows the cursor where something is typed") func cursor() throws {
        let files = try DemoFiles()
        let tmux = try Tmux(files.command, columns: 40, rows: 6)
        try tmux.waitFor("40x6")
        try tmux.type("c")
        try tmux.waitForValue("#{cursor_flag} #{cursor_x} #{cursor_y}", "1 0 5")
        try tmux.type("c")
        try tmux.waitForValue("#{cursor_flag}", "0")
    }

    @Test("follows every size, from one column and row on, where nothing is shown, and through a storm of them")
    func sizes() throws {
        let files = try DemoFiles([(0, 0, "text", "top")])
        // tmux may lose the status of a program that ends right after a storm; a shell does not.
        let tmux = try Tmux(["sh", "-c", "\(files.line); echo ended $?; exec sleep 100"], columns: 40, rows: 6)
        try tmux.waitFor("40x6")
        for (columns, rows) in [(1, 1), (2, 1), (1, 2), (80, 24), (200, 50), (20, 5)] {
            try tmux.resize(columns: columns, rows: rows)
            if columns >= 20 {
                try tmux.waitForScreen("\(columns)x\(rows)") {
                    $0.first == "top" && $0.last?.hasPrefix("\(columns)x\(rows)") == true
                }
            } else {
                try files.waitFor("resized(ScreenSize(columns: \(columns), rows: \(rows)))")
                let text = columns > 1 ? "t…" : rows > 1 ? "…" : ""
                try tmux.waitForScreen("cut text") { $0.first == text }
            }
        }
        for step in 0..<60 { try tmux.resize(columns: 1 + step * 37 % 120, rows: 1 + step * 17 % 40) }
        try tmux.resize(columns: 33, rows: 7)
        try tmux.waitForScreen("33x7") { $0.count == 7 && $0.first == "top" && $0.last?.hasPrefix("33x7") == true }
        try tmux.type("q")
        try tmux.waitFor("ended 0")
    }
}
