import Foundation
import TestKit
import Testing

@testable import Terminal

/// Keys as tmux sends them, read by the real program.
@Suite("Keys and taps", .timeLimit(.minutes(3))) struct KeyTests {
    @Test("knows every key that the screens use") func keys() throws {
        let files = try DemoFiles()
        let tmux = try Tmux(files.command, columns: 60, rows: 5)
        try tmux.waitFor("60x5")
        let keys = [
            ("Up", "key(up)"), ("Down", "key(down)"), ("Left", "key(left)"), ("Right", "key(right)"),
            ("PPage", "key(pageUp)"), ("NPage", "key(pageDown)"), ("Home", "key(home)"), ("End", "key(end)"),
            ("Tab", "key(tab)"), ("BTab", "key(backTab)"), ("Enter", "key(enter)"), ("Escape", "key(escape)"),
            ("BSpace", "key(backspace)"), ("C-u", "key(clear)"), ("C-c", "key(interrupt)"), ("C-d", "key(interrupt)"),
            ("C-l", "exposed"), ("Space", "key(character(\" \"))"), ("ö", "key(character(\"ö\"))"),
            ("漢", "key(character(\"漢\"))"), ("C-s", ""), ("F1", ""), ("?", "key(character(\"?\"))"),
        ]
        var expected: [String] = []
        for (key, input) in keys {
            try tmux.press(key)
            if !input.isEmpty { expected.append(input) }
            // One after the other: Escape and the next key would else be one for tmux.
            try files.wait(input) { _ in files.inputs.count >= expected.count }
        }
        #expect(files.inputs == expected)
    }

    @Test("knows a tap and a turn of the wheel, and where") func mouse() throws {
        let files = try DemoFiles()
        let tmux = try Tmux(files.command, columns: 60, rows: 5)
        try tmux.waitFor("60x5")
        try tmux.type("\u{1B}[<0;7;3M\u{1B}[<0;7;3m\u{1B}[<64;1;1M\u{1B}[<65;60;5M")
        // Beyond the edge there is nothing to tap.
        try tmux.type("\u{1B}[<0;61;3M\u{1B}[<0;7;6Mx")
        try files.waitFor("key(character(\"x\"))")
        #expect(
            files.inputs == [
                "tapped(row: 2, column: 6)", "scrolled(up: true, row: 0, column: 0)",
                "scrolled(up: false, row: 4, column: 59)", "key(character(\"x\"))",
            ])
    }

    @Test("stops on Ctrl-Z with the shell's screen, and shows itself again after fg") func suspended() throws {
        let files = try DemoFiles([(0, 0, "text", "film")])
        let tmux = try Tmux(
            ["bash", "--norc", "--noprofile", "-i"], columns: 100, rows: 8, environment: ["PS1": "ready> "])
        try tmux.waitFor("ready>")
        try tmux.type("stty -g > \(files.path("before")); \(files.line)\n")
        try tmux.waitFor("film")
        for round in 1...2 {
            try tmux.press("C-z")
            try tmux.waitFor("Stopped")
            #expect(try tmux.value("#{alternate_on}#{mouse_standard_flag}#{cursor_flag}") == "001")
            try tmux.type("stty -g > \(files.path("stopped")); echo qui''et\n")
            try tmux.waitFor("quiet")
            #expect(
                try String(contentsOfFile: files.path("stopped"), encoding: .utf8)
                    == String(contentsOfFile: files.path("before"), encoding: .utf8))
            // In the background it waits.
            try tmux.type("clear; bg; echo in''side\n")
            try tmux.waitFor("inside")
            try tmux.type("clear; fg\n")
            try tmux.waitForScreen("film") { $0[0] == "film" }
            #expect(try tmux.value("#{alternate_on}#{mouse_standard_flag}#{cursor_flag}") == "110")
            try files.waitFor("exposed", times: round)
            try tmux.press("Up")
            try files.waitFor("key(up)", times: round)
        }
        try tmux.type("q")
        try tmux.waitFor("ready>")
        try files.waitFor("closed")
    }

    @Test("shows itself again after kill -STOP, and in the size that the terminal has by then") func stoppedHard()
        throws
    {
        let files = try DemoFiles([(0, 0, "text", "film")])
        let tmux = try Tmux(
            ["bash", "--norc", "--noprofile", "-i"], columns: 100, rows: 8, environment: ["PS1": "ready> "])
        try tmux.waitFor("ready>")
        try tmux.type(files.line + "\n")
        try tmux.waitFor("film")
        kill(try files.process(), SIGSTOP)
        try tmux.waitFor("Stopped")
        try tmux.resize(columns: 90, rows: 12)
        try tmux.type("fg\n")
        try tmux.waitForScreen("film") { $0[0] == "film" && $0.last?.hasPrefix("90x12") == true }
        try tmux.press("Up")
        try files.waitFor("key(up)")
        try tmux.type("q")
        try files.waitFor("closed")
        try tmux.waitForValue("#{alternate_on}#{mouse_standard_flag}#{cursor_flag}", "001")
    }

    @Test("ends on SIGTERM also while it waits in the background") func endsInBackground() throws {
        let files = try DemoFiles([(0, 0, "text", "film")])
        let tmux = try Tmux(
            ["bash", "--norc", "--noprofile", "-i"], columns: 100, rows: 8, environment: ["PS1": "ready> "])
        try tmux.waitFor("ready>")
        try tmux.type(files.line + "\n")
        try tmux.waitFor("film")
        try tmux.press("C-z")
        try tmux.waitFor("Stopped")
        try tmux.type("kill %1\n")
        try files.waitFor("closed")
        #expect(files.log.contains("signal \(SIGTERM)"))
    }
}
