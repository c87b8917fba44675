import Foundation
import TestKit

/// The demo program's page and its log, in a folder of their own.
final class DemoFiles {
    private let folder: TemporaryFolder
    private let program: String

    /// `page` has for each piece of text its row, column, role and text.
    init(_ page: [(Int, Int, String, String)] = []) throws {
        folder = try TemporaryFolder("demo")
        program = try Child.path(of: "terminal-demo")
        try folder.file("page", page.map { "\($0)\t\($1)\t\($2)\t\($3)\n" }.joined())
    }

    var command: [String] { [program, folder("page"), folder("log")] }

    /// The same for a shell.
    var line: String { command.joined(separator: " ") }

    func path(_ name: String) -> String { folder(name) }

    var log: [String] {
        ((try? String(contentsOfFile: folder("log"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    /// The inputs that were logged, without what the demo says of itself.
    var inputs: [String] { log.filter { !$0.hasPrefix("ready") && $0 != "closed" && $0 != "caught up" } }

    /// Waits until the log is as `isRight` wants it; throws, with the log, where it does not come to that.
    func wait(_ what: String, within seconds: Double = 20, _ isRight: ([String]) -> Bool) throws {
        let end = Date(timeIntervalSinceNow: seconds * Sanitizer.patience)
        while !isRight(log) {
            if Date() > end { throw TestFailure("no \(what) in the log: \(log)") }
            usleep(10_000)
        }
    }

    func waitFor(_ line: String, times: Int = 1) throws {
        try wait(line) { $0.count { $0 == line } >= times }
    }

    /// The number of the running program.
    func process() throws -> pid_t {
        try wait("ready") { $0.contains { $0.hasPrefix("ready ") } }
        guard let line = log.last(where: { $0.hasPrefix("ready ") }), let number = pid_t(line.dropFirst(6)) else {
            throw TestFailure("no number in \(log)")
        }
        return number
    }

    /// A page with a line of most roles.
    static let page: [(Int, Int, String, String)] = [
        (0, 0, "strong", "The Film"), (1, 0, "selected", "selected"), (2, 0, "current", "current"),
        (3, 0, "warning", "warning"), (4, 0, "quiet", "quiet 漢字"), (5, 0, "pending", "pending"),
    ]

    /// Runs the demo on the bare end of a terminal.
    func start(
        _ terminal: Pseudoterminal, term: String = "xterm-256color",
        _ environment: [String: String] = [:]
    ) throws -> Child {
        var variables = ProcessInfo.processInfo.environment.merging(["TERM": term]) { $1 }
        for name in ["NO_COLOR", "COLORTERM", "LINES", "COLUMNS", "TMUX"] { variables[name] = nil }
        return try Child(
            command[0], Array(command.dropFirst()), environment: variables.merging(environment) { $1 },
            inheriting: false, terminal: terminal.path)
    }
}
