internal import AudioEngine
internal import Glibc
internal import LinuxSystem
internal import Playback
internal import TerminalUI
internal import WireProtocol

/// The audio engine on the output that was asked for, or on the clock where there is none.
struct Sound {
    /// Milliseconds for a sound server to answer; one on the same machine takes a few.
    private static let patience: Int32 = 1_000

    let engine: StreamingAudioEngine
    /// What the output is, once it is known.
    let output: OutputState?
    /// For a person, where something is not as usual.
    let sentence: String?
    /// What the engine told while its output was waited for; still to be handled.
    let earlyEvents: [EngineEvent]

    var durations: [String: Double] { engine.durations }

    /// Opens every track; events come to `mailbox`.
    ///
    /// - Throws: `Failure`: `badData` for a track that cannot be played, `unavailable` without the sound server asked for.
    init(_ wanted: PlayOptions.Output, _ opened: OpenedSession, _ mailbox: Mailbox<EngineEvent>) throws(Failure) {
        switch wanted {
        case .clock:
            engine = try Self.makeEngine(.clock, opened, mailbox)
            (output, sentence, earlyEvents) = (Self.clock, "This plays on a clock, without sound (--output null).", [])
        case .pulse(let sink):
            engine = try Self.makeEngine(.pulse(sink: sink), opened, mailbox)
            earlyEvents = Self.firstEvents(mailbox)
            output = Self.output(in: earlyEvents)
            if output?.isPresent == true {
                sentence = Self.destination(output)
            } else if let sink {
                sentence =
                    "The sound device \(SafeText.line(sink)) is not there; playing waits for it (pactl list short sinks)."
            } else {
                engine.shutDown()
                throw Failure(
                    .unavailable, "No sound server answers. Start PulseAudio or PipeWire, or use --output null.")
            }
        case .automatic:
            guard PulseProbe.isAvailable(within: Double(Self.patience) / 1e3) else {
                engine = try Self.makeEngine(.clock, opened, mailbox)
                (output, earlyEvents) = (Self.clock, [])
                sentence =
                    "No sound server was found, so this plays on a clock, without sound. Start PulseAudio or PipeWire to hear it."
                return
            }
            engine = try Self.makeEngine(.pulse(sink: nil), opened, mailbox)
            earlyEvents = Self.firstEvents(mailbox)
            output = Self.output(in: earlyEvents)
            sentence = Self.destination(output)
        }
    }

    private static func destination(_ output: OutputState?) -> String {
        guard let output, output.isPresent else { return "There is no sound device; playing waits for one." }
        return "Sound goes to \(SafeText.line(output.name))."
    }

    private static let clock = OutputState(name: "clock", isPresent: true)

    private static func makeEngine(
        _ choice: OutputChoice, _ opened: OpenedSession, _ mailbox: Mailbox<EngineEvent>
    ) throws(Failure) -> StreamingAudioEngine {
        do throws(EngineError) {
            return try StreamingAudioEngine(
                tracks: opened.stored.tracks.map { TrackFile(id: $0.id, path: $0.path) },
                active: opened.activeTrackID, position: opened.position, output: choice
            ) { mailbox.post($0) }
        } catch {
            throw Failure(
                .badData, "A track cannot be played: \(SafeText.line(error.sentence)). \(opened.adviceOnTracks)")
        }
    }

    /// Waits for the first word about the output.
    private static func firstEvents(_ mailbox: Mailbox<EngineEvent>) -> [EngineEvent] {
        var events: [EngineEvent] = []
        let deadline = MonotonicClock.now() + Double(patience) / 1e3
        while output(in: events) == nil, MonotonicClock.now() < deadline {
            var descriptor = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, Int32(max(1, (deadline - MonotonicClock.now()) * 1e3)))
            events += mailbox.drain()
        }
        return events
    }

    private static func output(in events: [EngineEvent]) -> OutputState? {
        events.reduce(nil) { known, event in
            if case .output(let state) = event { state } else { known }
        }
    }
}
