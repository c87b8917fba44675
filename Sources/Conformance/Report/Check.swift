/// One claim of the specification, tried on a running program.
package struct Check: Equatable, Sendable {
    /// How it went.
    package enum Outcome: Equatable, Sendable {
        case passed
        /// What should have come, and what came instead, each as one line of text.
        case failed(expected: String, got: String)
        /// The program or its surroundings lack what the check needs.
        case skipped(reason: String)
    }

    /// A measured duration.
    package struct Timing: Equatable, Sendable {
        package var name: String
        package var seconds: Double

        package init(_ name: String, seconds: Double) {
            self.name = name
            self.seconds = seconds
        }
    }

    /// The claim, such as `five quick taps are one skip`.
    package var name: String
    /// Where `Protocol/README.md` says so, such as `§6`.
    package var section: String
    package var outcome: Outcome
    package var timings: [Timing]

    package init(_ name: String, section: String, _ outcome: Outcome, timings: [Timing] = []) {
        self.name = name
        self.section = section
        self.outcome = outcome
        self.timings = timings
    }

    package var hasFailed: Bool {
        if case .failed = outcome { true } else { false }
    }
}
