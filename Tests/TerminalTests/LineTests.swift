import Foundation
import TestKit
import Testing

@testable import Terminal

/// Lines that are slow, cut, or send what no terminal does.
@Suite("Bad lines", .timeLimit(.minutes(3))) struct LineTests {
    @Test("ends when the terminal is closed, and says so") func hangUp() throws {
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal)
        try terminal.wait(for: "␛[?1006h")
        terminal.hangUp()
        let code = try #require(demo.exitCode(within: 20))
        // Whichever is noticed first: the signal, or that there is no more input.
        #expect(files.log.contains("gone") && code == 69 || files.log.contains("signal \(SIGHUP)") && code == 0)
    }

    @Test("ends when the terminal is closed and nobody sends a signal") func hangUpUnnoticed() throws {
        let files = try DemoFiles(DemoFiles.page)
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
        let demo = try files.start(terminal)
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
        let demo = try files.start(terminal)
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
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal)
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
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try files.start(terminal)
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
        let files = try DemoFiles(DemoFiles.page)
        let terminal = try Pseudoterminal(columns: 200, rows: 60)
        let demo = try files.start(terminal)
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
        terminal.send("q")
        #expect(demo.exitCode(within: 20) == 0)
    }
}
