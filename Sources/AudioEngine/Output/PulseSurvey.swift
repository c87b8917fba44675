internal import CPulse
internal import WireProtocol

/// What a sound server has: its sinks, and what plays on them.
package struct SoundSurvey: Equatable, Sendable {
    /// A program's sound.
    package struct Stream: Equatable, Sendable {
        /// The program's name, as it told the server.
        package var program: String
        /// It is halted at the moment.
        package var isPaused: Bool

        package init(program: String, isPaused: Bool) {
            self.program = program
            self.isPaused = isPaused
        }

        /// Whether it is an allspeak-host's.
        package var isAllspeak: Bool { program == "Allspeak" }
    }

    /// A device to play on.
    package struct Sink: Equatable, Sendable {
        package var name: String
        /// For people.
        package var description: String
        /// Where what it plays can be recorded; `nil` where it cannot.
        package var monitor: String?
        package var isMuted: Bool
        /// 0 to 1.
        package var volume: Double
        /// Seconds from handing over a sample to hearing it, while the sink is at work.
        package var latency: Double?
        package var streams: [Stream] = []

        package init(
            name: String, description: String, monitor: String?, isMuted: Bool, volume: Double, latency: Double?,
            streams: [Stream] = []
        ) {
            self.name = name
            self.description = description
            self.monitor = monitor
            self.isMuted = isMuted
            self.volume = volume
            self.latency = latency
            self.streams = streams
        }
    }

    /// As the server calls itself, such as `pulseaudio` or `PulseAudio (on PipeWire 0.3.65)`.
    package var server: String
    package var version: String
    package var defaultSink: String?
    package var sinks: [Sink]

    package init(server: String, version: String, defaultSink: String?, sinks: [Sink]) {
        self.server = server
        self.version = version
        self.defaultSink = defaultSink
        self.sinks = sinks
    }

    /// The sink of that name, or the default one.
    package func sink(_ name: String?) -> Sink? {
        sinks.first { $0.name == name ?? defaultSink }
    }
}

/// Asks the sound server what it has.
package enum PulseSurvey {
    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        /// Nobody answers; `reason` is libpulse's own word.
        case noServer(reason: String)
        /// Somebody is there, and does not answer in time.
        case hanging
        case found(SoundSurvey)
    }

    /// Takes some milliseconds where there is a server, at most `seconds` where one hangs.
    package static func take(within seconds: Double = 2) -> Outcome {
        let loop = SoundLoop()
        var outcome = Outcome.hanging
        let timer = loop.makeTimer { [unowned loop] in loop.stop() }
        timer.set(after: seconds)
        guard let connection = PulseConnection(loop: loop) else { return .noServer(reason: "it cannot be reached") }
        var inquiry: Inquiry?
        connection.onState = { [unowned loop, unowned connection] state in
            switch state {
            case PA_CONTEXT_READY:
                inquiry = Inquiry(connection) { survey in
                    outcome = survey.map { .found($0) } ?? .noServer(reason: connection.reason)
                    loop.stop()
                }
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
                outcome = .noServer(reason: connection.reason)
                loop.stop()
            default: break
            }
        }
        loop.run()
        return withExtendedLifetime((connection, inquiry)) { outcome }
    }
}

/// The three questions, and their answers put together.
private final class Inquiry {
    private typealias Numbered<Part> = (sink: UInt32, part: Part)

    private let questions = PulseQuestions()
    private var survey: SoundSurvey?
    private var sinks: [Numbered<SoundSurvey.Sink>]?

    /// Calls `done` once, with `nil` where a question was refused.
    init(_ connection: PulseConnection, _ done: @escaping (SoundSurvey?) -> Void) {
        let context = connection.handle
        // Answered in this order.
        questions.ask(orElse: nil, { [unowned self] in survey = $0 }) {
            pa_context_get_server_info(context, serverTold, $0)
        }
        questions.ask(orElse: nil, { [unowned self] in sinks = $0 }) {
            pa_context_get_sink_info_list(context, sinkTold, $0)
        }
        let finish: ([Numbered<SoundSurvey.Stream>]?) -> Void = { [unowned self] streams in
            done(streams.flatMap { merged($0) })
        }
        questions.ask(orElse: nil, finish) { pa_context_get_sink_input_info_list(context, streamTold, $0) }
    }

    private func merged(_ streams: [Numbered<SoundSurvey.Stream>]) -> SoundSurvey? {
        guard var survey, let sinks else { return nil }
        survey.sinks = sinks.map { sink in
            var whole = sink.part
            whole.streams = streams.filter { $0.sink == sink.sink }.map(\.part)
            return whole
        }
        return survey
    }
}

private func text(_ value: UnsafePointer<CChar>?) -> String {
    value.map { String(cString: $0) } ?? ""
}

private func serverTold(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ data: UnsafeMutableRawPointer?
) {
    PulseQuestion<SoundSurvey?>.of(data)?.settle(
        info.map { info in
            SoundSurvey(
                server: text(info.pointee.server_name), version: text(info.pointee.server_version),
                defaultSink: info.pointee.default_sink_name.map { String(cString: $0) }, sinks: [])
        })
}

/// Collects a list's items, of which the end is told after the last, or an error instead.
private func collect<Info, Part>(
    _ info: UnsafePointer<Info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?, _ part: (Info) -> Part
) {
    guard let question = PulseQuestion<[Part]?>.of(data) else { return }
    let known = question.part.flatMap { $0 } ?? []
    if end < 0 { return question.settle(nil) }
    guard end == 0, let info else { return question.settle(known) }
    question.part = known + [part(info.pointee)]
}

private func sinkTold(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
    collect(info, end, data) { info -> (sink: UInt32, part: SoundSurvey.Sink) in
        let known = PulseSink(info)
        return (
            info.index,
            SoundSurvey.Sink(
                name: text(info.name), description: known.description,
                monitor: info.monitor_source_name.map { String(cString: $0) }, isMuted: known.isMuted,
                volume: known.volume, latency: info.state == PA_SINK_RUNNING ? Double(info.latency) / 1e6 : nil)
        )
    }
}

private func streamTold(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _ end: Int32,
    _ data: UnsafeMutableRawPointer?
) {
    collect(info, end, data) { info -> (sink: UInt32, part: SoundSurvey.Stream) in
        let program = info.proplist.flatMap { pa_proplist_gets($0, PA_PROP_APPLICATION_NAME) }
        return (info.sink, .init(program: text(program ?? info.name), isPaused: info.corked != 0))
    }
}
