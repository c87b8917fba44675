/// A short play for one remote: what the host does, what is typed, and what must come of it.
package struct Trial: Sendable {
    /// What a remote must have for the trial.
    package enum Need: Sendable {
        /// A connection.
        case nothing
        /// The typed words of `Protocol/conformance.md`.
        case keyboard
    }

    /// One word, by which it is chosen.
    package let name: String
    package let need: Need
    /// Seconds it takes at most on a remote that does as it should; the longest are started first.
    package let seconds: Double
    let prepare: @Sendable (inout Stage) -> Void
    let steps: [Step]

    init(
        _ name: String, needs need: Need, seconds: Double,
        prepare: @escaping @Sendable (inout Stage) -> Void = { _ in }, @ScriptBuilder _ script: () -> [Step]
    ) {
        self.name = name
        self.need = need
        self.seconds = seconds
        self.prepare = prepare
        steps = script()
    }

    /// What it would check, each with its section, for a remote that it cannot be tried on.
    package func skipped(_ reason: String) -> [Check] {
        claims.map { Check("\(name): \($0.name)", section: $0.section, .skipped(reason: reason)) }
    }

    var claims: [Claim] {
        steps.compactMap { step in
            if case .claim(let claim) = step { claim } else { nil }
        }
    }

    /// Every trial, in the order of a report.
    package static var all: [Trial] {
        connectionTrials + commandTrials + volumeTrials + honestyTrials + positionTrials + clockTrials + anchorTrials
            + cueTrials + pullTrials + faultTrials + sessionTrials
    }
}

/// One step of a trial.
enum Step: Sendable {
    /// Done at once.
    case act(@Sendable (inout Stage) -> Void)
    /// The play goes on when the condition holds, at the latest after so many seconds.
    case until(seconds: Double, @Sendable (Stage) -> Bool)
    case claim(Claim)

    static func wait(_ seconds: Double) -> Step {
        .until(seconds: seconds) { _ in false }
    }

    static func until(_ seconds: Double, _ condition: @escaping @Sendable (Stage) -> Bool) -> Step {
        .until(seconds: seconds, condition)
    }

    static func type(_ lines: String...) -> Step {
        .act { $0.type(lines) }
    }

    /// A claim that does not depend on how quick the machine is.
    static func claim(
        _ name: String, _ section: String, _ judge: @escaping @Sendable (inout Stage) -> Verdict
    ) -> Step {
        .claim(Claim(name: name, section: section, isTimed: false, judge: judge))
    }

    /// A claim that a busy machine may spoil: about durations, or about what comes before a time-out does.
    static func timed(
        _ name: String, _ section: String, _ judge: @escaping @Sendable (inout Stage) -> Verdict
    ) -> Step {
        .claim(Claim(name: name, section: section, isTimed: true, judge: judge))
    }
}

/// One sentence of the specification, as a question to what has happened.
struct Claim: Sendable {
    let name: String
    /// Such as `§6`.
    let section: String
    let isTimed: Bool
    let judge: @Sendable (inout Stage) -> Verdict
}

/// What became of a claim.
enum Verdict: Sendable, Equatable {
    case holds
    case not(expected: String, got: String)

    static func `is`(_ holds: Bool, _ expected: String, _ got: @autoclosure () -> String) -> Verdict {
        holds ? .holds : .not(expected: expected, got: got())
    }

    /// The same with `remark` after what came, if there is one.
    func adding(_ remark: String?) -> Verdict {
        guard case .not(let expected, let got) = self, let remark else { return self }
        return .not(expected: expected, got: "\(got), \(remark)")
    }
}

/// Lets steps and groups of steps stand below each other.
@resultBuilder
enum ScriptBuilder {
    static func buildExpression(_ step: Step) -> [Step] { [step] }
    static func buildExpression(_ steps: [Step]) -> [Step] { steps }
    static func buildBlock(_ parts: [Step]...) -> [Step] { parts.flatMap(\.self) }
    static func buildArray(_ parts: [[Step]]) -> [Step] { parts.flatMap(\.self) }
}
