import Playback
import WireProtocol

/// An engine that does what its port says and nothing more, with everything taking as long as the test likes.
struct ModelEngine {
    private(set) var events: [EngineEvent] = []
    private(set) var trackID = "orig"
    private(set) var isRunning = false
    /// After a failure: it stands nowhere until it is told where.
    private(set) var isLost = false
    private(set) var isDevicePresent = true
    private var durations = ["orig": 100.0, "dub": 60, "long": 200]
    private var epoch: Epoch = 1
    private var base: Double
    private var since: SteadyTime
    private var isToPlay = false
    private var locating: (epoch: Epoch, target: Double)?
    private var switching: (epoch: Epoch, trackID: String)?
    /// Lost devices that the machine has not answered by an order to be silent.
    private var unansweredLosses = 0
    private var newestEpoch: Epoch = 1
    private var isWaitingForOrder: Bool { unansweredLosses > 0 }

    init(position: Double, now: SteadyTime) {
        base = position
        since = now
    }

    var isAtRest: Bool { events.isEmpty && locating == nil && switching == nil }

    var mayPlay: Bool { isDevicePresent && !isWaitingForOrder }

    private var duration: Double { durations[trackID] ?? 0 }

    func position(at now: SteadyTime) -> Double {
        min(base + (isRunning ? now - since : 0), duration)
    }

    mutating func nextEvent() -> EngineEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }

    private mutating func stand(at position: Double, _ now: SteadyTime) {
        (base, since, isRunning) = (position, now, false)
    }

    mutating func perform(_ request: EngineRequest, now: SteadyTime) {
        switch request {
        case .locate(let newEpoch, let position, let playing):
            newestEpoch = newEpoch
            stand(at: self.position(at: now), now)
            isLost = false
            isToPlay = playing && !isWaitingForOrder
            locating = (newEpoch, position)
        case .play(let newEpoch):
            newestEpoch = newEpoch
            isToPlay = !isWaitingForOrder
            if locating != nil {
                locating?.epoch = newEpoch
            } else {
                epoch = newEpoch
                if isToPlay { start(now) }
            }
        case .pause(let orderEpoch):
            if orderEpoch > newestEpoch {
                newestEpoch = orderEpoch
                epoch = orderEpoch
                unansweredLosses -= 1
            }
            isToPlay = false
            stand(at: self.position(at: now), now)
            if locating == nil { events.append(.paused(epoch: epoch, position: base)) }
        case .switchTrack(let newEpoch, let newTrack):
            newestEpoch = newEpoch
            switching = (newEpoch, newTrack)
        case .setVolume: break
        }
    }

    private mutating func start(_ now: SteadyTime) {
        if isLost {
            isToPlay = false
            events.append(.failed(epoch: epoch, reason: "stands nowhere"))
        } else if base >= duration {
            isToPlay = false
            events.append(.ended(epoch: epoch))
        } else {
            since = now
            isRunning = true
            events.append(.anchor(epoch: epoch, position: base, at: now, isRunning: true))
        }
    }

    mutating func finishLocate(succeeds: Bool, now: SteadyTime) {
        guard let (newEpoch, target) = locating else { return }
        locating = nil
        epoch = newEpoch
        guard succeeds else {
            isLost = true
            isToPlay = false
            events.append(.failed(epoch: newEpoch, reason: "unreadable"))
            return
        }
        stand(at: min(target, duration), now)
        if isToPlay {
            start(now)
        } else {
            events.append(.anchor(epoch: epoch, position: base, at: now, isRunning: false))
        }
    }

    mutating func finishSwitch(succeeds: Bool, now: SteadyTime) {
        guard let (newEpoch, newTrack) = switching else { return }
        switching = nil
        guard succeeds else {
            events.append(.switchFailed(epoch: newEpoch, trackID: newTrack, reason: "unreadable"))
            return
        }
        let wasRunning = isRunning
        stand(at: position(at: now), now)
        trackID = newTrack
        base = min(base, duration)
        epoch = max(epoch, newEpoch)
        events.append(.switched(epoch: newEpoch, trackID: newTrack, duration: duration))
        if wasRunning { start(now) }
    }

    /// Time has come to `now`.
    mutating func advance(to now: SteadyTime) {
        guard isRunning, position(at: now) >= duration else { return }
        stand(at: duration, now)
        isToPlay = false
        events.append(.ended(epoch: epoch))
    }

    mutating func loseDevice(now: SteadyTime) {
        guard isDevicePresent else { return }
        isDevicePresent = false
        stand(at: position(at: now), now)
        isToPlay = false
        unansweredLosses += 1
        locating = nil
        events.append(.outputLost(epoch: epoch, position: base, reason: "unplugged"))
    }

    mutating func findDevice() {
        guard !isDevicePresent else { return }
        isDevicePresent = true
        events.append(.output(OutputState(name: "Speakers", isPresent: true, volume: 0.5)))
    }
}
