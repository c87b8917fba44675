/// How a program of ours ends (numbers from BSD sysexits.h).
package enum ExitCode: Int32, Sendable {
    case success = 0
    /// A check failed.
    case checkFailed = 1
    /// The command line cannot be understood.
    case usage = 64
    /// A file or an answer holds something else than it should.
    case badData = 65
    /// No host, no sound server, a port that is taken.
    case unavailable = 69
    /// A fault of this program.
    case bug = 70
    case notPaired = 77
}

/// Why a program ends early: one sentence that tells what happened and what to do, and the exit code.
package struct Failure: Error, Equatable, Sendable {
    package var code: ExitCode
    package var message: String

    package init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
