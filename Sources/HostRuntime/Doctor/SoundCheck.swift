internal import AudioEngine
internal import LinuxSystem
internal import Playback
internal import Probe
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-host doctor --sound`: plays the probe through a real device, and listens to the device's monitor.
enum SoundCheck {
    /// The probe's loudness: -30 dB below full scale, of what the device's volume then makes less.
    private static let gain: Float = 0.2
    /// Seconds between the announcement and the noise, where somebody reads the one.
    private static let grace = 3.0

    static func run(_ options: DoctorOptions.Sound, isJSON: Bool) throws(Failure) -> ExitCode {
        let console = Console.standard
        let (loop, signals) = try makeBasics()
        var isInterrupted = false
        signals.onSignal = { _ in isInterrupted = true }
        let survey = try SoundChoice.survey(PulseSurvey.take())
        let choice = try SoundChoice(survey, options)
        // What a program reads is one JSON object.
        let announce: (String) -> Void = { isJSON ? console.warn($0) : console.say($0) }
        choice.announcements(seconds: SoundTrial.length(rounds: options.rounds)).forEach(announce)
        if console.showsProgress {
            _ = loop.run(until: MonotonicClock.now() + grace) { isInterrupted }
        }
        let listening = try Listening(choice, rounds: options.rounds, loop: loop, isInterrupted: { isInterrupted })
        let (log, tape) = try listening.run()
        let report = SoundReport(
            figures: SoundFigures(log, tape, fade: StreamingAudioEngine.fadeFrames),
            latency: log.latency.map { $0 * 1e3 }, doubt: tape.doubt * 1e3,
            underruns: log.underruns)
        if isJSON { console.say(json: choice.json(report)) } else { choice.lines(report).forEach(console.say) }
        return report.isFine ? .success : .checkFailed
    }

    /// The loop, with termination signals blocked before any other thread exists.
    private static func makeBasics() throws(Failure) -> (EventLoop, Signals) {
        do throws(SystemError) {
            let loop = try EventLoop()
            return (loop, try Signals(loop))
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
    }

    /// The two tracks of noise, in memory.
    fileprivate static func track(_ number: Int) throws(Failure) -> MemoryFile {
        do throws(SystemError) {
            return try MemoryFile(
                "probe", bytes: Noise.wave(track: number, seconds: SoundTrial.film, gain: gain))
        } catch {
            throw Failure(.unavailable, "There is no memory for the probe: \(error.reason).")
        }
    }
}

/// Engine, recording and loop, from the first noise to the last.
private final class Listening {
    private enum Note: Sendable {
        case engine(EngineEvent, at: SteadyTime)
        case recording(MonitorRecording.Event)
    }

    private let choice: SoundChoice
    private let rounds: Int
    private let loop: EventLoop
    private let isInterrupted: () -> Bool
    private let mailbox = Mailbox<Note>()
    private let console = Console.standard
    private var isRecording = false
    private var recordingFault: String?
    private var trial: SoundTrial?
    private var engine: StreamingAudioEngine?

    /// Seconds for a recording to begin.
    private static let patience = 4.0
    /// Seconds that the last of the sound takes into the recording.
    private static let afterglow = 0.3

    init(
        _ choice: SoundChoice, rounds: Int, loop: EventLoop, isInterrupted: @escaping () -> Bool
    ) throws(Failure) {
        self.choice = choice
        self.rounds = rounds
        self.loop = loop
        self.isInterrupted = isInterrupted
    }

    func run() throws(Failure) -> (TrialLog, Tape) {
        let watch: EventLoop.Watch
        let recording: MonitorRecording
        let mailbox = mailbox
        do throws(SystemError) {
            watch = try loop.watch(mailbox.descriptor) { [unowned self] _ in takeNotes() }
            recording = try MonitorRecording(source: choice.monitor) { mailbox.post(.recording($0)) }
        } catch {
            throw Failure(.bug, "The recording cannot start: \(error.sentence)")
        }
        defer {
            loop.unwatch(watch, of: mailbox.descriptor)
            mailbox.close()
            recording.stop()
            console.progress(nil)
        }
        try wait(Self.patience) { isRecording }
        guard isRecording else { throw choice.unrecorded("nothing comes") }
        let tracks = [try SoundCheck.track(0), try SoundCheck.track(1)]
        try play(tracks.map(\.path), recording)
        // They are opened anew when the track changes.
        withExtendedLifetime(tracks) {}
        try wait(Self.afterglow) { false }
        return (trial?.log ?? TrialLog(), recording.tape)
    }

    private func play(_ paths: [String], _ recording: MonitorRecording) throws(Failure) {
        let engine: StreamingAudioEngine
        let mailbox = mailbox
        do throws(EngineError) {
            engine = try StreamingAudioEngine(
                tracks: zip(SoundTrial.trackIDs, paths).map { TrackFile(id: $0, path: $1) },
                active: SoundTrial.trackIDs[0], position: SoundTrial.start, output: .pulse(sink: choice.sink)
            ) { mailbox.post(.engine($0, at: MonotonicClock.now())) }
        } catch {
            throw Failure(.bug, "The probe cannot be played: \(error.sentence)")
        }
        self.engine = engine
        // However this ends, the noise ends first.
        defer {
            engine.shutDown()
            self.engine = nil
        }
        trial = SoundTrial(rounds: rounds, now: MonotonicClock.now())
        var isHeard = false
        while let deadline = trial?.deadline {
            try wait(until: min(deadline, MonotonicClock.now() + 0.5)) { trial?.deadline != deadline }
            // Between two acts, as it takes a moment.
            if !isHeard, let log = trial?.log, let first = log.steps.first, first.ended <= MonotonicClock.now() {
                isHeard = SoundFigures.isHeard(log, recording.tape, fade: StreamingAudioEngine.fadeFrames)
                if !isHeard { throw choice.unheard }
            }
            perform(trial?.tick(now: MonotonicClock.now()) ?? [])
            if let progress = trial?.progress { console.progress("Listening: \(Int(progress * 100)) %") }
        }
        if let failure = trial?.failure { throw choice.failure(failure) }
    }

    private func perform(_ requests: [EngineRequest]) {
        for request in requests { engine?.perform(request) }
    }

    private func takeNotes() {
        for note in mailbox.drain() {
            switch note {
            case .engine(let event, let at): perform(trial?.note(event, now: at) ?? [])
            case .recording(.started): isRecording = true
            case .recording(.failed(let reason)): recordingFault = reason
            }
        }
    }

    private func wait(_ seconds: Double, _ isDone: () -> Bool) throws(Failure) {
        try wait(until: MonotonicClock.now() + seconds, isDone)
    }

    /// - Throws: `Failure` where the recording ends, or the user wants no more.
    private func wait(until deadline: SteadyTime, _ isDone: () -> Bool) throws(Failure) {
        _ = loop.run(until: deadline) { isInterrupted() || recordingFault != nil || isDone() }
        if isInterrupted() { throw Failure(.checkFailed, "Stopped before the end: nothing was measured.") }
        if let recordingFault { throw choice.unrecorded(recordingFault) }
    }
}
