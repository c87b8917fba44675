import Foundation
import TestKit

/// The full-screen remote in a terminal of its own.
final class ScreenRemote {
    let terminal: Tmux

    init(
        _ stage: Stage, at host: Host? = nil, columns: Int = 80, rows: Int = 24, _ arguments: String...
    ) throws {
        let place = host.map { ["--host", "127.0.0.1:\($0.port)"] } ?? []
        var environment = stage.environment
        environment["TERM"] = nil
        let program = try Child.path(of: "allspeak-remote")
        // A shell around it shows what is left of the terminal when it has ended.
        let shell = ["sh", "-c", #""$@"; echo "ended $?"; exec cat"#, "sh"]
        terminal = try Tmux(
            shell + [program] + place + arguments, columns: columns, rows: rows, environment: environment)
    }

    /// The rows, and nothing of those that are empty at the end.
    var screen: [String] {
        get throws {
            var rows = try terminal.screen
            while rows.last?.isEmpty == true { rows.removeLast() }
            return rows
        }
    }

    /// Waits until each of `texts` is somewhere on the screen.
    func shows(_ texts: String...) throws {
        try terminal.waitForScreen("\(texts)") { rows in
            texts.allSatisfy { text in rows.contains { $0.contains(text) } }
        }
    }

    /// Waits until it has ended with that code and the shell's own screen is shown again.
    func ended(_ code: Int) throws {
        try terminal.waitFor("ended \(code)")
        try terminal.waitForValue("#{alternate_on}", "0")
    }

    /// A finger on that row and column, both from 0, as a terminal sends it (xterm, SGR 1006).
    func tap(row: Int, column: Int) throws {
        try terminal.type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
    }

    /// The process of the remote.
    func process() throws -> pid_t {
        let shell = try terminal.value("#{pane_pid}")
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        guard let first = children.split(separator: " ").first, let process = pid_t(first) else {
            throw TestFailure("the remote does not run")
        }
        return process
    }
}
