internal import CPulse
internal import LinuxSystem
internal import Playback
internal import WireProtocol

/// Plays through PulseAudio (or PipeWire's server for it), and finds back by itself when the server or the sink goes away.
final class PulseOutput: OutputDevice {
    weak var delegate: (any OutputDeviceDelegate)?
    private let loop: SoundLoop
    /// The sink that was asked for by name.
    let sinkName: String?
    var connection: PulseConnection?
    var placement: PulsePlacement?
    var stream: PulseStream?
    private(set) var sink: PulseSink?
    var server = ServerKnowledge()
    /// Where the sound is to be, as far as the user has a say in it.
    var wantedSink: String?
    private var timing: PulseStream.Timing?
    private var toldState: OutputState?
    private var knownLatency: Double?
    private(set) var isRunning = false
    private var isTiming = false
    var isPresent = false
    private var retryTimer: LoopTimer?
    private var timingTimer: LoopTimer?
    var watchdog: LoopTimer?
    private var retryDelay = PulseOutput.firstRetry

    /// Seconds to the first attempt after a loss, and the longest pause between two; it doubles from one to the other.
    private static let firstRetry = 0.1
    private static let lastRetry = 5.0
    /// Seconds between two looks at the server's time while playing: device clocks wander by some 50 µs in a second.
    private static let timingPeriod = 1.0
    /// Seconds between two looks until the device is seen to play.
    private static let startingPeriod = 0.004
    /// Seconds after which a server that does not answer counts as gone.
    static let patience = 2.0
    /// How late the server has lately been to hear of something.
    private var promptness = Promptness()
    private var reading = BlockReading()
    private var timingAskedAt = SteadyTime(nanoseconds: 0)
    /// Frames that a device without a way back takes at once: 10 ms, as Bluetooth's packets.
    private static let hardwareBlock: Int64 = 480
    /// Seconds for which the server's word on what it has read is good enough to write behind it.
    private static let freshness = 0.005

    init(loop: SoundLoop, sink: String?) {
        self.loop = loop
        sinkName = sink
        retryTimer = loop.makeTimer { [unowned self] in open() }
        timingTimer = loop.makeTimer { [unowned self] in readTiming() }
        watchdog = loop.makeTimer { [unowned self] in lose(reason: "the sound server does not answer", reconnect: true)
        }
    }

    let depth = PulseStream.depth
    var margin: Int64 { promptness.margin }
    var writeIndex: Int64 { stream?.writeIndex ?? 0 }
    var wanted: Int64 { stream?.wanted ?? 0 }

    func write(_ range: Range<Int64>, render: (_ from: Int64, _ count: Int, UnsafeMutablePointer<Float>) -> Void) {
        // A stream that cannot be written to reports its end by itself.
        let isChange = range.lowerBound < writeIndex
        let begun = MonotonicClock.now()
        _ = stream?.write(range, render: render)
        // How long that took to be heard of, the next change should know.
        guard isChange else { return }
        promptness.noteMixing(MonotonicClock.now() - begun)
        readTiming()
    }

    func audibleIndex(at time: SteadyTime) -> Double? {
        guard isRunning, let timing else { return nil }
        if isHalted { return timing.audible }
        return timing.isPlaying ? timing.audible + (time - timing.time) * Double(Format.rate) : nil
    }

    var isHalted: Bool { isRunning && stream?.isSuspended == true }

    func earliestChange(at time: SteadyTime) -> Int64? {
        guard let audible = audibleIndex(at: time), let timing, let sink else { return nil }
        if sink.canRewind && !server.isPipeWire { return Int64(audible) + margin }
        // What the server has read is on its way to the ear, out of reach.
        guard time - timing.time < PulseOutput.freshness else {
            readTiming()
            return nil
        }
        if !sink.isHardware && !server.isPipeWire {
            switch reading.earliest(whenHeard: Int64(audible) + margin, at: time) {
            case .at(let index): return index
            case .later(let seconds):
                timingTimer?.set(after: seconds)
                return nil
            }
        }
        return timing.readIndex + max(margin, PulseOutput.hardwareBlock)
    }

    // MARK: Coming and going

    func open() {
        retryTimer?.set(nil)
        if let connection, connection.state == PA_CONTEXT_READY { return place(on: connection) }
        connection = PulseConnection(loop: loop)
        guard let connection else { return lose(reason: "there is no sound server", reconnect: true) }
        watchdog?.set(after: PulseOutput.patience)
        connection.onState = { [unowned self] state in connectionChanged(state) }
        connection.onChange = { [unowned self] in sinksChanged() }
    }

    func close() {
        for timer in [retryTimer, timingTimer, watchdog] { timer?.set(nil) }
        stream = nil
        placement = nil
        connection = nil
    }

    private func connectionChanged(_ state: pa_context_state_t) {
        switch state {
        case PA_CONTEXT_READY:
            guard let connection else { return }
            connection.subscribe()
            learnOfServer(from: connection)
            place(on: connection)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            lose(reason: "the sound server is gone: \(connection?.reason ?? "")", reconnect: true)
        default: break
        }
    }

    func openStream(_ connection: PulseConnection, on sink: String) {
        watchdog?.set(after: PulseOutput.patience)
        wantedSink = sink
        stream = PulseStream(connection, sink: sink)
        guard let stream else { return lose(reason: "no sound can be sent: \(connection.reason)", reconnect: false) }
        stream.onState = { [unowned self] state in streamChanged(state) }
        stream.onWanted = { [unowned self] in if isPresent { delegate?.deviceWantsSound() } }
        stream.onUnderflow = { [unowned self] in delegate?.deviceRanDry() }
        stream.onSuspended = { [unowned self] _ in if isRunning { readTiming() } }
    }

    private func streamChanged(_ state: pa_stream_state_t) {
        switch state {
        case PA_STREAM_READY:
            watchdog?.set(nil)
            retryDelay = PulseOutput.firstRetry
            isPresent = true
            readSink()
            delegate?.deviceStopped(at: 0)
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            let reason = connection?.reason ?? ""
            lose(reason: isPresent ? "the sound device is gone" : unopened(reason), reconnect: false)
        default: break
        }
    }

    func unopened(_ reason: String) -> String {
        "the sound device \(sinkName.map { "\($0) " } ?? "")cannot be opened: \(reason)"
    }

    /// Whether nothing has been told of the outcome of the last `open`.
    var isOpening: Bool { !isPresent && retryTimer?.deadline == nil }

    func lose(reason: String, reconnect: Bool) {
        // Of a server that hung nothing was heard but what it held.
        let audible = audibleIndex(at: MonotonicClock.now()).map { min($0, Double(writeIndex)) }
        let wasPresent = isPresent
        isPresent = false
        isRunning = false
        isTiming = false
        timing = nil
        timingTimer?.set(nil)
        watchdog?.set(nil)
        stream = nil
        wantedSink = nil
        // Of a sink asked for by name the server knows nothing any more: it has put this one elsewhere.
        if reconnect || sinkName != nil { placement = nil }
        if reconnect { connection = nil }
        retryTimer?.set(after: retryDelay)
        retryDelay = min(retryDelay * 2, PulseOutput.lastRetry)
        delegate?.deviceLost(audible: audible, reason: reason)
        if wasPresent || sink == nil { tellState() }
    }

    // MARK: Running

    func start() {
        guard let stream else { return }
        isRunning = true
        timing = nil
        reading = BlockReading()
        watchdog?.set(after: PulseOutput.patience)
        stream.cork(false) { [weak self] _ in self?.readTiming() }
    }

    func stop() {
        guard let stream else { return }
        timingTimer?.set(nil)
        watchdog?.set(after: PulseOutput.patience)
        stream.cork(true) { [weak self] _ in
            self?.stream?.readTiming { timing in self?.stopped(timing) }
        }
    }

    private func stopped(_ timing: PulseStream.Timing?) {
        guard isPresent else { return }
        watchdog?.set(nil)
        isRunning = false
        self.timing = nil
        if isMisplaced { return reopen() }
        delegate?.deviceStopped(at: timing?.readIndex ?? writeIndex)
    }

    private func readTiming() {
        guard isRunning, !isTiming, let stream else { return }
        isTiming = true
        timingAskedAt = MonotonicClock.now()
        watchdog?.set(after: PulseOutput.patience)
        stream.readTiming { [weak self] timing in self?.timed(timing) }
    }

    private func timed(_ timing: PulseStream.Timing?) {
        isTiming = false
        guard isRunning else { return }
        watchdog?.set(nil)
        let plays = timing?.isPlaying == true && !isHalted
        // A device that is let go on tells so by itself.
        if !isHalted { timingTimer?.set(after: plays ? PulseOutput.timingPeriod : PulseOutput.startingPeriod) }
        self.timing = timing
        if let timing {
            promptness.note(timing.time - timingAskedAt)
            reading.note(readIndex: timing.readIndex, latency: timing.latency, at: timing.time)
        }
        if plays { tellState() }
        delegate?.deviceTimed()
    }

    // MARK: Volume

    func setVolume(_ volume: Double) {
        // What was meant for a device that is gone must not reach the next one.
        guard isPresent, let connection, let sink else { return }
        connection.setVolume(sink.volumes(scaledTo: volume), ofSink: sink.index)
    }

    private func sinksChanged() {
        if let connection, connection.state == PA_CONTEXT_READY { learnOfServer(from: connection) }
        if isPresent {
            readSink()
        } else if let connection, connection.state == PA_CONTEXT_READY, stream == nil {
            // The sink we wait for may just have come.
            retryTimer?.set(after: 0)
        }
    }

    private func readSink() {
        guard let connection, let stream else { return }
        connection.readSink(stream.sinkIndex) { [weak self] sink in
            guard let self, let sink, isPresent else { return }
            if let before = self.sink, sink.hasLostPlug(since: before), isRunning { return losePlug(of: sink) }
            self.sink = sink
            tellState()
        }
    }

    func losePlug(of sink: PulseSink) {
        self.sink = sink
        lose(reason: "\(sink.description): the plug was pulled", reconnect: false)
    }

    /// Another stream takes the place of the present one, on the sink that is wanted.
    func reopen() {
        guard let connection, let wantedSink else { return }
        isPresent = false
        delegate?.deviceReopens()
        openStream(connection, on: wantedSink)
    }

    /// Tells the sink's state where it is not what was told last; a latency counts as changed by 10 ms.
    private func tellState() {
        guard let sink else {
            // Nothing has ever been there.
            if toldState == nil { delegate?.deviceChanged(OutputState(name: sinkName ?? "none", isPresent: false)) }
            return toldState = OutputState(name: sinkName ?? "none", isPresent: false)
        }
        if let latency = timing?.latency, abs(latency - (toldState?.latency ?? -1)) >= 0.01 { knownLatency = latency }
        let state = OutputState(
            name: sink.description, latency: isPresent ? knownLatency : nil, isPresent: isPresent,
            volume: isPresent ? sink.volume : nil, isMuted: isPresent ? sink.isMuted : nil)
        if state != toldState { delegate?.deviceChanged(state) }
        toldState = state
    }
}
