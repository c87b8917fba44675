internal import Playback
internal import WireProtocol

/// A sound engine without sound, on virtual time: it does what its port says, and takes as long as real ones do.
struct VirtualEngine: Sendable {
    struct Track: Sendable {
        var id: String
        /// Seconds.
        var duration: Double
        /// It opens, and then cannot be read.
        var isBroken: Bool
    }

    /// Seconds from a request to its effect; of the order of a decoder's work on this project's machines.
    private static let secondsToLocate = 0.004
    private static let secondsToSwitch = 0.012
    private static let secondsToStart = 0.002

    private struct Errand: Sendable {
        enum Work: Sendable {
            case locate(epoch: Epoch, target: Double)
            case switchTrack(epoch: Epoch, trackID: String)
            case start
        }

        var at: SteadyTime
        var work: Work
    }

    private let tracks: [Track]
    private var trackID: String
    private var epoch: Epoch = 1
    private var base: Double
    private var since: SteadyTime
    private var isRunning = false
    private var isToPlay = false
    private var errands: [Errand] = []
    private(set) var output: OutputState
    private var events: [EngineEvent] = []

    init(tracks: [Track], trackID: String, position: Double, output: OutputState, now: SteadyTime) {
        self.tracks = tracks
        self.trackID = trackID
        self.output = output
        base = position
        since = now
    }

    private var duration: Double { tracks.first { $0.id == trackID }?.duration ?? 0 }

    private func position(at now: SteadyTime) -> Double {
        min(base + (isRunning ? max(0, now - since) : 0), duration)
    }

    private mutating func stand(at position: Double, _ now: SteadyTime) {
        (base, since, isRunning) = (position, now, false)
    }

    private var isLocating: Bool {
        errands.contains { if case .locate = $0.work { true } else { false } }
    }

    mutating func perform(_ request: EngineRequest, now: SteadyTime) {
        switch request {
        case .locate(let newEpoch, let target, let isPlaying):
            stand(at: position(at: now), now)
            isToPlay = isPlaying
            errands.removeAll { if case .switchTrack = $0.work { false } else { true } }
            errands.append(Errand(at: now + Self.secondsToLocate, work: .locate(epoch: newEpoch, target: target)))
        case .play(let newEpoch):
            isToPlay = true
            if let index = errands.firstIndex(where: { if case .locate = $0.work { true } else { false } }),
                case .locate(_, let target) = errands[index].work
            {
                errands[index].work = .locate(epoch: newEpoch, target: target)
            } else {
                epoch = newEpoch
                errands.append(Errand(at: now + Self.secondsToStart, work: .start))
            }
        case .pause(let orderEpoch):
            isToPlay = false
            epoch = max(epoch, orderEpoch)
            errands.removeAll { if case .start = $0.work { true } else { false } }
            stand(at: position(at: now), now)
            if !isLocating { events.append(.paused(epoch: epoch, position: base)) }
        case .switchTrack(let newEpoch, let newTrack):
            errands.removeAll { if case .switchTrack = $0.work { true } else { false } }
            let work = Errand.Work.switchTrack(epoch: newEpoch, trackID: newTrack)
            errands.append(Errand(at: now + Self.secondsToSwitch, work: work))
        case .setVolume(let volume):
            changeVolume(to: volume)
        }
    }

    // MARK: What no remote causes

    mutating func changeVolume(to volume: Double) {
        guard output.volume != nil, output.volume != volume else { return }
        output.volume = volume
        events.append(.output(output))
    }

    mutating func loseDevice(now: SteadyTime) {
        stand(at: position(at: now), now)
        isToPlay = false
        errands.removeAll { if case .switchTrack = $0.work { false } else { true } }
        output.isPresent = false
        events.append(.outputLost(epoch: epoch, position: base, reason: "\(output.name) is gone"))
    }

    mutating func findDevice() {
        output.isPresent = true
        events.append(.output(output))
    }

    // MARK: Time

    /// When `advance` has something to do.
    var nextDeadline: SteadyTime? {
        var deadlines = errands.map(\.at)
        if isRunning { deadlines.append(since + (duration - base)) }
        return deadlines.min()
    }

    mutating func advance(to now: SteadyTime) {
        while let index = errands.indices.filter({ errands[$0].at <= now }).min(by: { errands[$0].at < errands[$1].at })
        {
            let errand = errands.remove(at: index)
            switch errand.work {
            case .start: start(at: errand.at)
            case .locate(let newEpoch, let target): arrive(newEpoch, target, at: errand.at)
            case .switchTrack(let newEpoch, let newTrack): change(newEpoch, to: newTrack, at: errand.at)
            }
        }
        guard isRunning, position(at: now) >= duration else { return }
        stand(at: duration, now)
        isToPlay = false
        events.append(.ended(epoch: epoch))
    }

    private mutating func start(at now: SteadyTime) {
        guard isToPlay else { return }
        guard base < duration else {
            isToPlay = false
            return events.append(.ended(epoch: epoch))
        }
        (since, isRunning) = (now, true)
        events.append(.anchor(epoch: epoch, position: base, at: now, isRunning: true))
    }

    private mutating func arrive(_ newEpoch: Epoch, _ target: Double, at now: SteadyTime) {
        epoch = newEpoch
        stand(at: min(target, duration), now)
        if isToPlay { return start(at: now) }
        events.append(.anchor(epoch: epoch, position: base, at: now, isRunning: false))
    }

    private mutating func change(_ newEpoch: Epoch, to newTrack: String, at now: SteadyTime) {
        guard let track = tracks.first(where: { $0.id == newTrack }), !track.isBroken else {
            return events.append(.switchFailed(epoch: newEpoch, trackID: newTrack, reason: "it cannot be read"))
        }
        let wasRunning = isRunning
        stand(at: position(at: now), now)
        trackID = newTrack
        base = min(base, duration)
        epoch = max(epoch, newEpoch)
        events.append(.switched(epoch: newEpoch, trackID: newTrack, duration: duration))
        if wasRunning { start(at: now) }
    }

    var hasEvents: Bool { !events.isEmpty }

    mutating func nextEvent() -> EngineEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }
}
