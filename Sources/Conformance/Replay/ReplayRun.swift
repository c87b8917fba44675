package import WireProtocol

/// Replays recordings against one host, one after the other: events in, actions out, time as an argument.
package struct ReplayRun: Sendable {
    private enum Part: Sendable {
        case preparing(Preparation)
        case replaying(RecordingReplay)
    }

    private let pace: ReplayPace
    private var rest: ArraySlice<Recording>
    private var part: Part?
    /// Connections of what is over have smaller numbers.
    private var firstLink = 0
    private var nextLink = 0
    /// Stage events whose outcome has not come, and how many of these belong to what is over.
    private var openStages = 0
    private var lateStages = 0
    /// When the part began, for its timing.
    private var began: SteadyTime
    package private(set) var isFinished = false

    package init(_ recordings: [Recording], pace: ReplayPace, now: SteadyTime) {
        rest = recordings[...]
        self.pace = pace
        began = now
    }

    package mutating func begin(now: SteadyTime) -> [ReplayAction] { next(now) }

    package mutating func handle(_ event: ReplayEvent, now: SteadyTime) -> [ReplayAction] {
        if case .staged = event {
            openStages -= 1
            if lateStages > 0 {
                lateStages -= 1
                return []
            }
        }
        guard isCurrent(event) else { return [] }
        switch part {
        case .preparing(var preparation):
            let actions = preparation.handle(event, now: now)
            part = .preparing(preparation)
            return took(actions) + proceed(now)
        case .replaying(var replay):
            let actions = replay.handle(event, now: now)
            part = .replaying(replay)
            return took(actions) + proceed(now)
        case nil: return []
        }
    }

    package var nextDeadline: SteadyTime? {
        switch part {
        case .preparing(let preparation): preparation.nextDeadline
        case .replaying(let replay): replay.nextDeadline
        case nil: nil
        }
    }

    package mutating func tick(now: SteadyTime) -> [ReplayAction] {
        switch part {
        case .preparing(var preparation):
            let actions = preparation.tick(now: now)
            part = .preparing(preparation)
            return took(actions) + proceed(now)
        case .replaying(var replay):
            let actions = replay.tick(now: now)
            part = .replaying(replay)
            return took(actions) + proceed(now)
        case nil: return []
        }
    }

    private func isCurrent(_ event: ReplayEvent) -> Bool {
        switch event {
        case .connected(let link), .refused(let link, _), .line(let link, _), .lineTooLong(let link), .ended(let link):
            link >= firstLink
        case .staged: true
        }
    }

    /// Keeps count of the connections and of what the stage was asked for.
    private mutating func took(_ actions: [ReplayAction]) -> [ReplayAction] {
        for action in actions {
            switch action {
            case .connect(let link): nextLink = max(nextLink, link + 1)
            case .stage: openStages += 1
            default: break
            }
        }
        return actions
    }

    // MARK: Parts

    private mutating func next(_ now: SteadyTime) -> [ReplayAction] {
        var skipped: [ReplayAction] = []
        while let recording = rest.first, recording.isLong, !pace.takesLongOnes {
            rest.removeFirst()
            let outcome = Check.Outcome.skipped(reason: "takes long; --long replays it")
            skipped.append(.check(Check(Self.title(recording), section: recording.section, outcome)))
        }
        guard let recording = rest.first else {
            part = nil
            isFinished = true
            return skipped + [.finished]
        }
        firstLink = nextLink
        began = now
        var preparation = Preparation(recording, link: nextLink, patience: pace.patience, now: now)
        let actions = preparation.begin()
        part = .preparing(preparation)
        return skipped + took(actions)
    }

    private static func title(_ recording: Recording) -> String { "\(recording.name): \(recording.about)" }

    /// Goes on to the next part where this one is over.
    private mutating func proceed(_ now: SteadyTime) -> [ReplayAction] {
        guard let recording = rest.first else { return [] }
        switch part {
        case .preparing(let preparation):
            switch preparation.outcome {
            case nil: return []
            case .ready(let film)?:
                firstLink = nextLink
                began = now
                var replay = RecordingReplay(recording, film: film, firstLink: nextLink, pace: pace, now: now)
                let actions = replay.begin(now: now)
                part = .replaying(replay)
                return took(actions) + proceed(now)
            case .lacking(let what)?:
                return conclude(.skipped(reason: "needs \(what)"), recording.section, [], now)
            case .failed(let expected, let got)?:
                return conclude(.failed(expected: expected, got: got), recording.section, [], now)
            }
        case .replaying(let replay):
            guard let outcome = replay.outcome else { return [] }
            let timings = replay.times.timings + [.init("replay", seconds: now - began)]
            return conclude(outcome, replay.section, timings, now)
        case nil: return []
        }
    }

    private mutating func conclude(
        _ outcome: Check.Outcome, _ section: String, _ timings: [Check.Timing], _ now: SteadyTime
    ) -> [ReplayAction] {
        guard let recording = rest.popFirst() else { return [] }
        lateStages = openStages
        let check = Check(Self.title(recording), section: section, outcome, timings: timings)
        return [.check(check)] + next(now)
    }
}
