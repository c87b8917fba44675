package import Playback
package import WireProtocol

/// Has an engine do what a user does, one thing after the other, and keeps a log of what it tells.
///
/// Events and time in, requests out.
package struct SoundTrial {
    private enum Phase {
        /// Until there is a device.
        case waiting(until: SteadyTime)
        /// For the answer to the act of that number.
        case asked(Int, at: SteadyTime, until: SteadyTime)
        case listening(until: SteadyTime)
        case over
    }

    /// Why a trial came to no end.
    package enum Failure: Equatable, Sendable {
        case noDevice
        case deviceLost(reason: String)
        case noAnswer(to: TrialLog.Act)
    }

    /// Seconds of each of the two tracks, and where playing begins.
    package static let film = 40.0
    package static let start = 5.0
    /// The tracks' names, by number.
    package static let trackIDs = ["0", "1"]

    /// Seconds for a device to be there, and for an answer: a null sink may take two to begin.
    private static let patience = 5.0
    /// Seconds that are listened to after an act.
    private static func listening(to act: TrialLog.Act) -> Double {
        switch act {
        case .play: 2
        case .seek, .switchTrack, .resume: 0.7
        case .pause: 0.4
        }
    }

    private let plan: [TrialLog.Act]
    private var phase: Phase
    private var track = 0
    private var epoch: Epoch = 0
    package private(set) var log = TrialLog()
    package private(set) var failure: Failure?

    /// Begins to wait for the device; `rounds`, at least one, of seek, switch, pause and going on.
    package init(rounds: Int, now: SteadyTime) {
        plan = [.play] + (0..<rounds).flatMap { Self.round($0) }
        phase = .waiting(until: now + Self.patience)
    }

    /// Seconds that an answer usually takes, and a device to wake up.
    private static let (answering, waking) = (0.1, 0.5)

    /// Rounds that take about `seconds`, at least one.
    package static func rounds(within seconds: Double) -> Int {
        max(1, Int(((seconds - length(rounds: 0)) / (length(rounds: 1) - length(rounds: 0))).rounded()))
    }

    /// Seconds that `rounds` take, more or less.
    package static func length(rounds: Int) -> Double {
        let each = round(0).map { listening(to: $0) + answering }.reduce(0, +)
        return waking + listening(to: .play) + Double(rounds) * each
    }

    private static func round(_ number: Int) -> [TrialLog.Act] {
        // Far from each other, and never on whole milliseconds of a packet.
        let part = (Double(number + 1) * 0.618_034).truncatingRemainder(dividingBy: 1)
        return [.seek(((3 + part * (film - 10)) * 1_000).rounded() / 1_000), .switchTrack, .pause, .resume]
    }

    /// When `tick` has something to do; `nil` once it is over.
    package var deadline: SteadyTime? {
        switch phase {
        case .waiting(let until), .asked(_, _, let until), .listening(let until): until
        case .over: nil
        }
    }

    /// How much is done, 0 to 1.
    package var progress: Double { Double(log.steps.count) / Double(plan.count) }

    /// Takes what the engine tells.
    package mutating func note(_ event: EngineEvent, now: SteadyTime) -> [EngineRequest] {
        switch event {
        case .output(let state):
            if let latency = state.latency { log.latency = latency }
            if state.isPresent, case .waiting = phase { return ask(0, now) }
        case .anchor(let epoch, let position, let at, let isRunning):
            log.anchors.append(.init(position: position, at: at, isRunning: isRunning, told: now))
            if isRunning, epoch == self.epoch { answer(position, at: at, isPause: false, now) }
        case .paused(let epoch, let position):
            if epoch == self.epoch { answer(position, at: now, isPause: true, now) }
        case .underrun(let count): log.underruns = count
        case .outputLost(_, _, let reason), .failed(_, let reason), .switchFailed(_, _, let reason):
            fail(.deviceLost(reason: reason))
        case .switched, .ended: break
        }
        return []
    }

    /// Goes on where the time has come.
    package mutating func tick(now: SteadyTime) -> [EngineRequest] {
        switch phase {
        case .waiting(let until) where now >= until: fail(.noDevice)
        case .asked(let number, _, let until) where now >= until: fail(.noAnswer(to: plan[number]))
        case .listening(let until) where now >= until:
            if let last = log.steps.indices.last { log.steps[last].ended = now }
            if log.steps.count < plan.count { return ask(log.steps.count, now) }
            phase = .over
        default: break
        }
        return []
    }

    private mutating func fail(_ failure: Failure) {
        if case .over = phase { return }
        phase = .over
        self.failure = failure
    }

    private mutating func ask(_ number: Int, _ now: SteadyTime) -> [EngineRequest] {
        epoch += 1
        phase = .asked(number, at: now, until: now + Self.patience)
        switch plan[number] {
        case .play, .resume: return [.play(epoch: epoch)]
        case .seek(let position): return [.locate(epoch: epoch, position: position, playing: true)]
        case .pause: return [.pause(epoch: epoch)]
        case .switchTrack:
            track = 1 - track
            return [.switchTrack(epoch: epoch, trackID: Self.trackIDs[track])]
        }
    }

    private mutating func answer(_ position: Double, at: SteadyTime, isPause: Bool, _ now: SteadyTime) {
        guard case .asked(let number, let asked, _) = phase, (plan[number] == .pause) == isPause else { return }
        let end = max(now, at) + Self.listening(to: plan[number])
        log.steps.append(
            .init(act: plan[number], track: track, asked: asked, position: position, answered: at, ended: end))
        phase = .listening(until: end)
    }
}
