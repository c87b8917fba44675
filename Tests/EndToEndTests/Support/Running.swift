import Foundation
import LinuxSystem
import TestKit
import WireProtocol

/// One of our programs at work, with what it says.
final class Running {
    let name: String
    let child: Child
    let output: LineLog
    let errors: LineLog

    /// Starts `program`, through `wrapper` (another program and its arguments, such as `setpriv`) where there is one.
    init(_ program: String, _ arguments: [String], environment: [String: String], wrapper: [String] = []) throws {
        name = program
        let command = wrapper + [try Child.path(of: program)] + arguments
        let (outputNear, outputFar) = try Child.channel()
        let (errorsNear, errorsFar) = try Child.channel()
        defer { for end in [outputFar, errorsFar] { close(end) } }
        output = LineLog(reading: outputNear)
        errors = LineLog(reading: errorsNear)
        child = try Child(
            command[0], Array(command.dropFirst()), output: outputFar, errors: errorsFar, environment: environment,
            inheriting: false)
    }

    deinit {
        child.end()
    }

    /// The JSON line that `pick` accepts, from line `mark` on.
    func first<Result>(after mark: Int = 0, within seconds: Double = 5, _ pick: (JSON) -> Result?) -> Result? {
        output.first(after: mark, within: seconds) { line in (try? JSON(line.text)).flatMap(pick) }
    }

    /// Its end: exit code, or minus the signal; throws if it runs on.
    func ended(within seconds: Double = 30) throws -> Outcome {
        guard let code = child.exitCode(within: seconds) else {
            child.kill()
            throw TestFailure("\(name) did not end within \(seconds) s; it said:\n\(output.text)\n\(errors.text)")
        }
        output.waitForEnd(within: 5)
        errors.waitForEnd(within: 5)
        return Outcome(program: name, code: code, output: output.text, errors: errors.text)
    }
}

/// How a program ended.
struct Outcome: CustomStringConvertible {
    var program: String
    /// The exit code, or minus the number of the signal.
    var code: Int32
    var output: String
    var errors: String

    var description: String { "\(program) → \(code)\n\(output)\n\(errors)" }

    /// What it printed, as one JSON value.
    func json() throws -> JSON { try JSON(output) }

    /// The one sentence on standard error, without the program's name; throws where there is something else.
    func sentence() throws -> String {
        let lines = errors.split(separator: "\n")
        guard lines.count == 1, let line = lines.first, line.hasPrefix("\(program): ") else {
            throw TestFailure("not one sentence on standard error: \(self)")
        }
        return String(line.dropFirst(program.count + 2))
    }

    /// Throws unless it ended well.
    @discardableResult
    func succeeded() throws -> Outcome {
        guard code == 0 else { throw TestFailure("it failed: \(self)") }
        return self
    }
}
