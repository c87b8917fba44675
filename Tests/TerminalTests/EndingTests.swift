import Foundation
import TestKit
import Testing

@testable import Terminal

/// However it ends, the shell finds its terminal as it was.
@Suite("Ending", .timeLimit(.minutes(3))) struct EndingTests {
    private static let flags = "#{alternate_on}#{mouse_any_flag}#{mouse_sgr_flag}#{cursor_flag}#{wrap_flag}"

    /// Runs the demo from a shell that notes the terminal's mode before and after, and its exit status.
    private func end(
        signal: Int32? = nil, key: String? = nil, term: String = "tmux-256color"
    ) throws -> (status: String, isSame: Bool, flags: String, screen: [String], log: [String]) {
        let files = try DemoFiles([(0, 0, "text", "film"), (1, 0, "selected", "selected")])
        let script = """
            echo begin; stty -g > \(files.path("before")); \(files.line); status=$?; stty -g > \(files.path("after"))
            echo status $status; exec sleep 100
            """
        let tmux = try Tmux(["bash", "-c", script], columns: 60, rows: 10, term: term)
        try tmux.waitFor("film")
        if let signal { kill(try files.process(), signal) }
        if let key { try tmux.type(key) }
        try tmux.waitFor("status ")
        let screen = try tmux.screen
        let line = screen.first { $0.hasPrefix("status ") } ?? ""
        let modes = try ["before", "after"].map { try String(contentsOfFile: files.path($0), encoding: .utf8) }
        return (line, modes[0] == modes[1], try tmux.value(Self.flags), screen, files.log)
    }

    @Test("of its own accord, by a signal that asks, or by an error: the status is the program's")
    func orderly() throws {
        for (signal, key, status) in [
            (nil, "q", 0), (SIGTERM, nil, 0), (SIGHUP, nil, 0), (SIGINT, nil, 0), (nil, "T", 69),
        ] as [(Int32?, String?, Int)] {
            let end = try end(signal: signal, key: key)
            #expect(end.status == "status \(status)")
            #expect(end.isSame && end.flags == "00011", "\(end)")
            #expect(end.screen[0] == "begin")
            #expect(end.log.last == "closed")
        }
    }

    @Test(
        "by a fault: the status tells the signal",
        arguments: [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP])
    func fault(signal: Int32) throws {
        let end = try end(signal: signal)
        #expect(end.status == "status \(128 + signal)")
        #expect(end.isSame && end.flags == "00011", "\(end)")
        #expect(end.screen.contains("begin"))
        #expect(end.log.last != "closed")
    }

    @Test(
        "by a fault of its own code, also when no stack is left",
        arguments: [("S", [SIGSEGV]), ("A", [SIGABRT]), ("F", [SIGILL, SIGTRAP]), ("O", [SIGSEGV])])
    func ownFault(key: String, signals: [Int32]) throws {
        let end = try end(key: key)
        #expect(signals.map { "status \(128 + $0)" }.contains(end.status))
        #expect(end.isSame && end.flags == "00011", "\(end)")
        #expect(end.screen.contains("begin"))
    }

    @Test("says why there is nothing to draw on, and what to do", arguments: ["", "dumb", "nonesuch", "x\u{1B}[2Jx"])
    func unusable(term: String) throws {
        let files = try DemoFiles()
        let script = "TERM='\(term)' \(files.line); echo status $?; exec sleep 100"
        let tmux = try Tmux(["bash", "-c", script], columns: 200, rows: 5)
        try tmux.waitFor("status 69")
        let text = try tmux.screen.joined(separator: " ")
        #expect(text.contains("TERM") && text.contains("export TERM=xterm-256color"), "\(text)")
        #expect(try tmux.value(Self.flags) == "00011")
    }

    @Test(
        "wants a terminal at both ends", arguments: ["< /dev/null", "> /dev/null", "< /dev/null > /dev/null", "| cat"])
    func noTerminal(redirection: String) throws {
        let files = try DemoFiles()
        let (reading, child) = try Child.reading(
            "bash", ["-c", "\(files.line) 2>&1 \(redirection == "| cat" ? "| cat" : "\(redirection)")"])
        let log = LineLog(reading: reading)
        _ = child.exitCode(within: 20)
        log.waitForEnd(within: 5)
        if !redirection.contains("> ") { #expect(log.text.contains("There is no terminal to draw on")) }
        #expect(files.log.isEmpty)
    }
}
