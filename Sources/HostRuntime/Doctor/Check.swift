internal import TerminalUI
internal import WireProtocol

/// One thing that was looked at, and what it means for a film.
struct Check: Equatable {
    enum Verdict: String {
        case ok, warning, problem
    }

    /// For programs, such as `soundServer`.
    var key: String
    /// For people.
    var subject: String
    var verdict: Verdict
    /// A sentence without its stop.
    var meaning: String
    /// What to do next; `nil` where nothing is to be done.
    var advice: String?
    /// How the program ends, should this be a problem.
    var code = ExitCode.unavailable

    /// One line for a person.
    var line: String {
        let label = verdict.rawValue + String(repeating: " ", count: 8 - verdict.rawValue.count)
        return "\(label) \(subject): \(meaning)." + (advice.map { " \($0)" } ?? "")
    }

    var json: JSONValue {
        .object([
            .init("check", .string(key)), .init("verdict", .string(verdict.rawValue)),
            .init("message", .string(meaning)), .init("advice", advice.map { .string($0) } ?? .null),
        ])
    }
}

extension [Check] {
    func count(_ verdict: Check.Verdict) -> Int { filter { $0.verdict == verdict }.count }

    /// That of the first problem; success where there is none.
    var exitCode: ExitCode { first { $0.verdict == .problem }?.code ?? .success }

    /// What it comes to, for a person.
    var summary: String {
        let (problems, warnings) = (count(.problem), count(.warning))
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        switch (problems, warnings) {
        case (0, 0): return "Nothing is missing."
        case (0, _): return "Nothing is missing; \(counted(warnings, "warning"))."
        default: return "\(counted(problems, "problem")), \(counted(warnings, "warning"))."
        }
    }
}
