import Foundation
internal import LinuxSystem
internal import WireProtocol

/// A terminal that exists in memory only: a tmux server of a test's own, with one window in which a program runs.
///
/// What the program has left behind stays to be looked at after its end.
package final class Tmux {
    private let folder: TemporaryFolder
    private let server: Child
    private let environment: [String: String]

    /// Runs `command` in a terminal of that size, with `environment` added to this process's own.
    ///
    /// `term` is what the program is told of the terminal's kind.
    package init(
        _ command: [String], columns: Int, rows: Int, term: String = "tmux-256color",
        environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder("tmux")
        self.environment = ["LC_ALL": "C.UTF-8", "TMUX": "", "TERM": "xterm-256color"]
        try folder.file(
            "configuration",
            """
            set -g default-terminal "\(term)"
            set -g default-shell /bin/sh
            set -g status off
            set -g remain-on-exit on
            set -g remain-on-exit-format ""
            set -g escape-time 0
            """)
        // In the foreground, so that it ends with this object. A variable of the tests' own terminal says nothing here.
        server = try Child(
            "env",
            ["-u", "COLORTERM", "-u", "NO_COLOR", "tmux", "-D", "-S", folder("s"), "-f", folder("configuration")],
            environment: self.environment)
        guard wait(within: 20, { FileManager.default.fileExists(atPath: self.folder("s")) }) else {
            throw TestFailure("tmux does not start")
        }
        let variables = environment.sorted { $0.key < $1.key }.flatMap { ["-e", "\($0.key)=\($0.value)"] }
        try tmux(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + variables + command)
    }

    deinit {
        server.signal(SIGTERM)
        _ = server.exitCode(within: 5)
        server.kill()
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        try run("tmux", ["-u", "-S", folder("s")] + arguments, environment: environment)
    }

    /// Presses keys, by tmux's names, as `Up`, `C-c` or `PPage`.
    package func press(_ keys: String...) throws {
        try tmux(["send-keys", "--"] + keys)
    }

    /// Types text, or sends the bytes of a control sequence, as it is.
    package func type(_ text: String) throws {
        try tmux(["send-keys", "-l", "--", text])
    }

    package func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The rows that are shown, without spaces at their ends.
    package var screen: [String] {
        get throws {
            try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map(String.init)
        }
    }

    /// The rows with the control sequences of their colours.
    package var styledScreen: String {
        get throws { try tmux(["capture-pane", "-p", "-e"]) }
    }

    /// What tmux knows of the window, as a format such as `#{alternate_on}`.
    package func value(_ format: String) throws -> String {
        try tmux(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
    }

    /// Waits until the screen is as `isRight` wants it; throws, with what is shown, where it does not come to that.
    package func waitForScreen(
        _ what: String, within seconds: Double = 20, _ isRight: ([String]) -> Bool
    ) throws {
        let isThere = wait(within: seconds) { (try? self.screen).map(isRight) ?? false }
        if !isThere { throw TestFailure("no \(what) on the screen:\n\(try screen.joined(separator: "\n"))") }
    }

    /// Waits until a row contains `text`.
    package func waitFor(_ text: String, within seconds: Double = 20) throws {
        try waitForScreen("“\(text)”", within: seconds) { $0.contains { $0.contains(text) } }
    }

    /// Waits until `format` gives `value`.
    package func waitForValue(_ format: String, _ value: String, within seconds: Double = 20) throws {
        if wait(within: seconds, { (try? self.value(format)) == value }) { return }
        throw TestFailure("\(format) is \(try self.value(format)) and not \(value)")
    }

    private func wait(within seconds: Double, _ isRight: () -> Bool) -> Bool {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        while !isRight() {
            if MonotonicClock.now() > end { return false }
            // Each look starts a program.
            usleep(30_000)
        }
        return true
    }
}
