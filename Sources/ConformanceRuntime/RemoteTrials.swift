internal import Conformance
internal import LinuxSystem
internal import Transport
internal import WireProtocol

/// Plays trials with a command, several at a time, the longest first.
final class RemoteTrials {
    /// Trials at a time: mostly waiting, but each has a process, and all measure time.
    private static let atOnce = 14
    /// How often a trial is played whose durations were wrong, since another program may have had the processor.
    static let usualAttempts = 3

    private let loop: EventLoop
    private let command: [String]
    private let folder: String
    private var waiting: [(machine: TrialMachine, attempt: Int)]
    private var playing: [String: TrialPlay] = [:]
    private var mayStartMore = false
    /// Trials in a row, from the first, whose remote ended without having connected.
    private var stillborn = 0
    /// So many of these are enough to know how the others would go.
    private static let enoughStillborn = 3
    private let attempts: Int
    private let makeMachine: (Trial, Int) -> TrialMachine
    private(set) var failure: SystemError?
    private(set) var finished: [TrialMachine] = []

    var onChecks: ([Check]) -> Void = { _ in }

    /// `folder` becomes the remote's place for cache and state.
    init(_ trials: [Trial], command: [String], attempts: Int, folder: String, loop: EventLoop) {
        self.loop = loop
        self.attempts = attempts
        self.command = command
        self.folder = folder
        let run = String(MonotonicClock.wallNanoseconds() / 1_000_000 % 100_000_000, radix: 36)
        makeMachine = { trial, attempt in
            TrialMachine(
                trial, name: "\(trial.name)\(attempt)-\(run)", pace: .real, now: MonotonicClock.now(),
                wallMilliseconds: MonotonicClock.wallNanoseconds() / 1_000_000)
        }
        let makeMachine = makeMachine
        // Made before anything is measured: long cues take their time.
        waiting = trials.sorted { $0.seconds > $1.seconds }.map { (makeMachine($0, 1), 1) }
    }

    /// The remote's places: one for its id, which all trials share, and a cache that no other trial may fill.
    private func variables(_ trial: Trial, _ attempt: Int) -> [String: String] {
        [
            "XDG_CACHE_HOME": "\(folder)/cache-\(trial.name)-\(attempt)", "XDG_STATE_HOME": folder + "/state",
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
    }

    /// Plays everything.
    func run() {
        startMore()
        if !playing.isEmpty { loop.run() }
    }

    func stop(_ failure: SystemError? = nil) {
        if let failure { self.failure = failure }
        playing = [:]
        waiting = []
        loop.stop()
    }

    private func startMore() {
        // The first one alone until it has said hello: a remote that is new here may just be choosing its id.
        while !waiting.isEmpty, playing.count < (mayStartMore ? Self.atOnce : 1) {
            let (machine, attempt) = waiting.removeFirst()
            let play = TrialPlay(machine, command: command, variables: variables(machine.trial, attempt), loop: loop)
            playing[machine.trial.name] = play
            play.onGreeted = { [weak self] in
                guard let self else { return }
                mayStartMore = true
                loop.schedule(at: loop.now) { [weak self] in self?.startMore() }
            }
            play.onFinished = { [weak self] in self?.finish($0, attempt) }
            do throws(SystemError) {
                try play.start()
            } catch {
                return stop(error)
            }
        }
    }

    private func finish(_ machine: TrialMachine, _ attempt: Int) {
        guard playing.removeValue(forKey: machine.trial.name) != nil else { return }
        if machine.endedUnconnected, !mayStartMore { stillborn += 1 } else { mayStartMore = true }
        if machine.hasOnlyTimedFailures, attempt < attempts {
            waiting.insert((makeMachine(machine.trial, attempt + 1), attempt + 1), at: 0)
        } else {
            finished.append(machine)
            onChecks(machine.checks)
        }
        if stillborn == Self.enoughStillborn { skipTheRest() }
        startMore()
        if playing.isEmpty { loop.stop() }
    }

    private func skipTheRest() {
        for (machine, _) in waiting {
            onChecks(machine.trial.skipped("the remote ended \(stillborn) times before it connected"))
        }
        waiting = []
    }
}
