internal import TerminalUI
internal import WireProtocol

/// What went wrong, for a program.
enum Failures {
    /// `{"error":"…"}`, of every command alike.
    static func json(_ failure: Failure) -> JSONValue {
        .object([.init("error", .string(failure.message))])
    }

    /// Runs a command; where `isJSON`, its failure is told on standard output, and nowhere else.
    static func told(
        _ isJSON: Bool, _ body: () throws(Failure) -> ExitCode
    ) throws(Failure) -> ExitCode {
        do throws(Failure) {
            return try body()
        } catch {
            guard isJSON else { throw error }
            Console.standard.say(json: json(error))
            return error.code
        }
    }
}
