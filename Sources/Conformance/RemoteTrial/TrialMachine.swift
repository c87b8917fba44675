package import WireProtocol

/// One trial at work, without a socket, a process or a clock: events in as methods, actions out.
///
/// After every event perform the actions in order, then call `tick` at `nextDeadline`. `now` must never go back.
package struct TrialMachine: Sendable {
    /// Seconds for the remote to start, connect and say hello.
    package static let patience = 10.0

    package let trial: Trial
    package private(set) var stage: Stage
    private var place = 0
    /// When the step under way is over at the latest.
    private var deadline: SteadyTime?
    private var hasStarted = false
    package private(set) var isFinished = false
    package private(set) var checks: [Check] = []
    /// Whether claims that a busy machine may spoil failed, and nothing else.
    package private(set) var hasOnlyTimedFailures = false

    /// Prepares the play.
    ///
    /// `name` is a word that no other trial has: the films are called by it, so that no remote knows their cues from before.
    package init(_ trial: Trial, name: String, pace: Pace, now: SteadyTime, wallMilliseconds: Int64) {
        self.trial = trial
        stage = Stage(name: name, pace: pace, now: now, wallMilliseconds: wallMilliseconds)
        trial.prepare(&stage)
    }

    package mutating func start(now: SteadyTime) -> [TrialAction] {
        on(now) { _ in }
    }

    package mutating func connected(_ connection: Int, now: SteadyTime) -> [TrialAction] {
        on(now) { $0.connected(connection) }
    }

    package mutating func received(
        _ bytes: some Collection<UInt8>, connection: Int, now: SteadyTime
    ) -> [TrialAction] {
        on(now) { $0.received(bytes, connection) }
    }

    /// The remote, or an error, has ended the connection.
    package mutating func ended(_ connection: Int, now: SteadyTime) -> [TrialAction] {
        on(now) { $0.ended(connection) }
    }

    /// The remote has printed a line.
    package mutating func said(_ line: String, now: SteadyTime) -> [TrialAction] {
        on(now) { $0.said(line) }
    }

    /// The remote has ended; `how` tells with what, such as `with code 2`.
    package mutating func exited(_ how: String? = nil, now: SteadyTime) -> [TrialAction] {
        on(now) { $0.exited(how) }
    }

    package mutating func tick(now: SteadyTime) -> [TrialAction] {
        on(now) { _ in }
    }

    /// When `tick` is wanted next.
    package var nextDeadline: SteadyTime? {
        isFinished ? nil : [deadline, stage.nextLater].compactMap(\.self).min()
    }

    private mutating func on(_ now: SteadyTime, _ event: (inout Stage) -> Void) -> [TrialAction] {
        guard !isFinished else { return [] }
        stage.now = max(now, stage.now)
        event(&stage)
        stage.sendWhatIsDue()
        advance()
        return stage.takeActions() + (isFinished ? [.finished] : [])
    }

    private mutating func advance() {
        if !hasStarted {
            let latest = deadline ?? stage.now + Self.patience
            deadline = latest
            guard stage.isGreeted || stage.now >= latest || stage.hasExited else { return }
            guard stage.isGreeted else { return giveUp() }
            hasStarted = true
            deadline = nil
        }
        while place < trial.steps.count {
            switch trial.steps[place] {
            case .act(let body): body(&stage)
            case .until(let seconds, let condition):
                let latest = deadline ?? stage.now + seconds
                deadline = latest
                guard condition(stage) || stage.now >= latest else { return }
                deadline = nil
            case .claim(let claim): judge(claim)
            }
            place += 1
        }
        finish()
    }

    private mutating func judge(_ claim: Claim) {
        stage.timings = []
        let verdict = claim.judge(&stage)
        let outcome: Check.Outcome
        switch verdict {
        case .holds: outcome = .passed
        case .not(let expected, let got):
            let end = stage.hasExited ? " (the remote has ended)" : ""
            let refused = stage.refusal.map { " (\($0))" } ?? ""
            outcome = .failed(expected: expected, got: got + refused + end)
            noteFailure(isTimed: claim.isTimed)
        }
        checks.append(
            Check("\(trial.name): \(claim.name)", section: claim.section, outcome, timings: stage.timings))
    }

    private mutating func noteFailure(isTimed: Bool) {
        hasOnlyTimedFailures = isTimed && (hasOnlyTimedFailures || !checks.contains(where: \.hasFailed))
    }

    private mutating func giveUp() {
        for claim in trial.claims {
            checks.append(
                Check(
                    "\(trial.name): \(claim.name)", section: claim.section,
                    .failed(expected: "a remote that connects and says hello", got: absence)))
        }
        finish()
    }

    /// Why the trial has not begun.
    private var absence: String {
        if let refusal = Stage.refusal(in: stage.received) { return refusal }
        let reached = stage.connections.isEmpty ? "connected" : "said hello"
        if stage.hasExited {
            return ["the remote ended", stage.exit, "before it \(reached)"].compactMap(\.self).joined(separator: " ")
        }
        return stage.connections.isEmpty ? "no connection" : "no hello"
    }

    /// Whether the remote ended without ever having connected.
    package var endedUnconnected: Bool { stage.hasExited && stage.connections.isEmpty }

    private mutating func finish() {
        isFinished = true
        deadline = nil
    }
}
