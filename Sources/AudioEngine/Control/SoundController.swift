internal import LinuxSystem
internal import Playback
internal import Synchronization
internal import WireProtocol

/// Decides what sounds: brings requests, decoded sound and the device together.
///
/// Everything here happens on the sound thread. State is changed by what arrives, then `reconcile` does whatever the new
/// state allows; what cannot be done yet is done when the missing piece arrives.
final class SoundController {
    enum Message: Sendable {
        case request(EngineRequest)
        case decoding(DecodingThread.Report)
        case tracks([Track])
        case shutDown
    }

    struct Track: Sendable {
        var id: String
        var duration: FilmFrame
        /// It has not been removed; it may sound for a while yet when it has.
        var isPresent = true
    }

    enum Phase {
        /// No device; with the reason once one was lost or not found.
        case absent(String?)
        /// The device's timeline is halted at the index, and the sound from `resting` on lies ready there.
        case stopped(at: Int64)
        case running
        /// Running, and silent from the index on.
        case stopping(at: Int64)
        /// The device has been told to stop and has not answered.
        case halting
    }

    /// A sound that is to replace the present one.
    struct Preparation {
        var feed: Feed
        var epoch: Epoch
        /// Where it begins; `nil` for the position at which the present one is when it is replaced.
        var position: FilmFrame?
        var switching: (epoch: Epoch, trackID: String)?
        /// The position was asked for, and is to be reached even if the switch fails.
        var isSeek = false
        var isReady = false
        /// Told when it is in place; the very first is nobody's request.
        var isTold = true
    }

    /// One is never taken out, since feeds name them by their place.
    private(set) var tracks: [Track]
    let device: any OutputDevice
    let decoding: any FeedDecoding
    let emit: @Sendable (EngineEvent) -> Void
    /// Ends the loop.
    let finish: () -> Void
    var boundaryTimer: LoopTimer?
    private var closingTimer: LoopTimer?

    var phase = Phase.absent(nil)
    var wantsPlaying = false
    var epoch: Epoch = 0
    var active: Feed?
    /// The track that counts as the present one, even before any of it is decoded.
    var track: Int
    var preparation: Preparation?
    var programme = Programme()
    /// The index up to which sound was written to the device.
    var written: Int64 = 0
    /// The index up to which the device was ever given anything, be it silence.
    var queued: Int64 = 0
    private(set) var startedAt = SteadyTime(nanoseconds: 0)
    /// The device is to be stopped, to go on elsewhere.
    var isMoving = false
    /// Where the sound stands; while it runs, where it was last seen.
    var resting: FilmFrame
    /// Seconds in which a device that is awake begins to sound; after that the position is told as standing.
    let usualStart: Double
    /// The pause that has not been answered.
    var unansweredPause: Epoch?
    /// Losses of the device that the other side has not answered yet.
    ///
    /// What it asked for before it knew of them must not sound on the next device, so until then there is silence.
    private var unansweredLosses = 0
    private var newestEpoch: Epoch = 0
    var anchors = AnchorPolicy()
    var underruns = 0
    var isClosing = false

    init(
        tracks: [Track], active: Int, position: FilmFrame, device: any OutputDevice, decoding: any FeedDecoding,
        loop: SoundLoop, usualStart: Double = 0.1, emit: @escaping @Sendable (EngineEvent) -> Void
    ) {
        self.tracks = tracks
        self.usualStart = usualStart
        self.device = device
        self.decoding = decoding
        self.emit = emit
        finish = { [unowned loop] in loop.stop() }
        track = active
        resting = position
        boundaryTimer = loop.makeTimer { [unowned self] in
            reconcile()
            attend()
        }
        closingTimer = loop.makeTimer { [unowned self] in finish() }
        device.delegate = self
        prepare(track: active, at: position, epoch: 0)
        preparation?.isSeek = true
        preparation?.isTold = false
        device.open()
    }

    func handle(_ message: Message) {
        switch message {
        case .request(let request): perform(request)
        case .decoding(.ready(let feed)):
            if preparation?.feed === feed { preparation?.isReady = true }
        case .decoding(.refilled):
            fill()
        case .decoding(.failed(let feed, let reason)): decodingFailed(feed, reason: reason)
        case .tracks(let tracks): self.tracks = tracks
        case .shutDown: return close()
        }
        reconcile()
    }

    // MARK: Requests

    private func perform(_ request: EngineRequest) {
        switch request {
        case .locate(let epoch, let position, let playing):
            begin(epoch)
            // It will be asked for again.
            if unansweredLosses > 0 { return }
            wantsPlaying = playing && requirePresence()
            prepare(
                track: preparation?.feed.trackIndex ?? track, at: Format.frames(seconds: position), epoch: epoch,
                switching: preparation?.switching)
            preparation?.isSeek = true
        case .play(let epoch):
            begin(epoch)
            if unansweredLosses > 0 { return }
            wantsPlaying = requirePresence()
            // What is being prepared comes under the newest epoch; a seek leaves what still sounds to its old one.
            preparation?.epoch = epoch
            if case .running = phase, preparation?.isSeek != true { programme.renameLast(epoch: epoch) }
        case .pause(let epoch):
            if unansweredLosses > 0, epoch > newestEpoch { unansweredLosses -= 1 }
            begin(epoch)
            wantsPlaying = false
            unansweredPause = epoch
        case .switchTrack(let epoch, let trackID):
            begin(epoch)
            switchTrack(to: trackID)
        case .setVolume(let volume):
            device.setVolume(volume)
        }
    }

    private func begin(_ epoch: Epoch) {
        self.epoch = epoch
        newestEpoch = max(newestEpoch, epoch)
    }

    func tellLoss(_ reason: String) {
        unansweredLosses += 1
        emit(.outputLost(epoch: epoch, position: restingSeconds, reason: reason))
    }

    /// Whether there is a device or one may still come; a lost one is told again.
    private func requirePresence() -> Bool {
        guard case .absent(let reason?) = phase else { return true }
        tellLoss(reason)
        return false
    }

    private func switchTrack(to trackID: String) {
        guard let index = tracks.firstIndex(where: { $0.id == trackID && $0.isPresent }) else {
            return emit(.switchFailed(epoch: epoch, trackID: trackID, reason: "there is no such track"))
        }
        let target = preparation?.isSeek == true ? preparation?.position : nil
        if index != track || target != nil {
            let start = target ?? device.audibleIndex(at: MonotonicClock.now()).map { film(at: $0) } ?? resting
            prepare(track: index, at: start, epoch: epoch, switching: (epoch, trackID))
            preparation?.isSeek = target != nil
            if target == nil, case .running = phase { preparation?.position = nil }
            return
        }
        // It sounds already; what was being prepared instead is not wanted any more.
        preparation = nil
        decoding.serve(urgent: nil, current: active)
        emit(.switched(epoch: epoch, trackID: trackID, duration: Format.seconds(frames: tracks[index].duration)))
        if case .running = phase {
            programme.renameLast(epoch: epoch)
        } else {
            tellResting(epoch: epoch)
        }
    }

    func prepare(
        track: Int, at frame: FilmFrame, epoch: Epoch, switching: (epoch: Epoch, trackID: String)? = nil
    ) {
        let start = min(max(0, frame), tracks[track].duration)
        let feed = Feed(trackIndex: track, start: start)
        preparation = Preparation(feed: feed, epoch: epoch, position: start, switching: switching)
        decoding.serve(urgent: feed, current: active)
    }

    private func decodingFailed(_ feed: Feed, reason: String) {
        if let failed = preparation, failed.feed === feed {
            preparation = nil
            if let switching = failed.switching {
                emit(.switchFailed(epoch: switching.epoch, trackID: switching.trackID, reason: reason))
                if failed.isSeek, let position = failed.position {
                    prepare(track: track, at: position, epoch: failed.epoch)
                    preparation?.isSeek = true
                    preparation?.isTold = failed.isTold
                    return
                }
                return decoding.serve(urgent: nil, current: active)
            }
        } else if feed !== active {
            return
        }
        wantsPlaying = false
        emit(.failed(epoch: epoch, reason: reason))
    }

    // MARK: What the state allows

    func reconcile() {
        switch phase {
        case .running:
            if !wantsPlaying || isMoving { return fadeOut() }
            if preparation == nil, programme.isSilent, let active {
                preparation = Preparation(feed: active, epoch: epoch, position: resting, isReady: true, isTold: false)
            }
            if preparation?.isReady == true { spliceIn() }
        case .stopped(let index):
            if preparation?.isReady == true { adopt(at: index) }
            if wantsPlaying, preparation == nil, active != nil { start() }
        case .absent:
            if preparation?.isReady == true { adopt(at: nil) }
        case .stopping, .halting:
            return
        }
        answerPause()
    }

    private func answerPause() {
        if case .running = phase { return }
        if case .stopping = phase { return }
        guard let epoch = unansweredPause else { return }
        unansweredPause = nil
        let frame = preparation.flatMap(\.position) ?? resting
        emit(.paused(epoch: epoch, position: Format.seconds(frames: frame)))
    }

    /// Puts the prepared sound in place of the one that is halted.
    private func adopt(at index: Int64?) {
        guard let prepared = preparation else { return }
        preparation = nil
        activate(prepared.feed)
        resting = prepared.position ?? resting
        if prepared.feed.ring.isComplete { resting = min(resting, prepared.feed.ring.end) }
        if let index { standReady(at: index) }
        if let switching = prepared.switching { tellSwitch(switching) }
        if prepared.isTold && !wantsPlaying { tellResting(epoch: prepared.epoch) }
    }

    func activate(_ feed: Feed) {
        active = feed
        track = feed.trackIndex
        decoding.serve(urgent: nil, current: feed)
    }

    /// Has the device run, in silence; the sound is spliced in as soon as the device tells where that can be heard whole.
    private func start() {
        phase = .running
        startedAt = MonotonicClock.now()
        device.start()
        attend()
    }

    /// Makes sure that the sound from `resting` on is at hand, and clears the device's queue.
    func standReady(at index: Int64) {
        guard let active else { return }
        guard active.ring.holds(resting) else {
            if preparation == nil {
                prepare(track: track, at: resting, epoch: epoch)
                preparation?.isTold = false
            }
            return
        }
        programme.takeSwitches().forEach(tellSwitch)
        programme.begin(with: .init(start: index, film: resting, feed: nil, epoch: epoch))
        rewrite(from: index)
    }

    // MARK: Telling

    /// Where the listener is while nothing sounds: at the target of a seek that has not sounded yet, or the target would
    /// be told as given up.
    var restingSeconds: Double {
        let target = preparation.flatMap { $0.isSeek ? $0.position : nil }
        return Format.seconds(frames: target ?? resting)
    }

    func tellSwitch(_ switching: (epoch: Epoch, trackID: String)) {
        let duration = tracks.first { $0.id == switching.trackID }?.duration ?? 0
        emit(
            .switched(
                epoch: switching.epoch, trackID: switching.trackID, duration: Format.seconds(frames: duration)))
    }

    func tellResting(epoch: Epoch) {
        tell(epoch: epoch, position: restingSeconds, at: MonotonicClock.now(), isRunning: false, isNews: true)
    }

    func tell(epoch: Epoch, position: Double, at time: SteadyTime, isRunning: Bool, isNews: Bool = false) {
        guard anchors.admits(epoch: epoch, position: position, at: time, isRunning: isRunning, isNews: isNews) else {
            return
        }
        emit(.anchor(epoch: epoch, position: position, at: time, isRunning: isRunning))
    }

    private func close() {
        isClosing = true
        wantsPlaying = false
        guard case .running = phase else { return finish() }
        fadeOut()
        // The fade is heard, whether or not the device then answers that it has stopped.
        let rest = stoppingEnd.flatMap { end in
            device.audibleIndex(at: MonotonicClock.now()).map { (Double(end) - $0) / Double(Format.rate) }
        }
        closingTimer?.set(after: min(1, rest ?? 0) + 0.02)
    }
}
