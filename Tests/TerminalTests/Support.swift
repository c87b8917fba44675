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
}
