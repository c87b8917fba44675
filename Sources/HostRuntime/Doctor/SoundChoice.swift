internal import AudioEngine
internal import Probe
internal import TerminalUI
internal import WireProtocol

/// The device to be measured, what is to be said about it, and why it may not be.
struct SoundChoice: Equatable {
    private let device: SoundSurvey.Sink
    private let server: String
    /// Where what it plays is recorded.
    let monitor: String

    /// The device's name at the server.
    var sink: String { device.name }
    private var name: String { SafeText.line(device.description) }
    /// What else has sound open there; it may be silent at the moment.
    private var others: [String] {
        device.streams.filter { !$0.isPaused }.map { SafeText.line($0.program, maximumCharacters: 40) }
    }

    /// - Throws: `Failure` where there is no server to ask.
    static func survey(_ outcome: PulseSurvey.Outcome) throws(Failure) -> SoundSurvey {
        if case .found(let survey) = outcome { return survey }
        let check = Diagnosis.server(outcome)
        throw Failure(check.code, "\(check.subject): \(check.meaning). \(check.advice ?? "").")
    }

    /// Chooses the sink that was asked for, or the default one.
    ///
    /// One on which a film is playing is left alone, unless forced: the noise would be in somebody's ears. A paused film
    /// does not mind.
    /// - Throws: `Failure`: `usage` for a name that is not there, else `unavailable`.
    init(_ survey: SoundSurvey, _ options: DoctorOptions.Sound) throws(Failure) {
        guard let device = survey.sink(options.sink) else {
            let names = survey.sinks.map { SafeText.line($0.name) }.joined(separator: ", ")
            if let wanted = options.sink, !names.isEmpty {
                throw Failure(.usage, "There is no sound device \(SafeText.line(wanted)). There are: \(names)")
            }
            throw Failure(
                .unavailable, "The sound server has no device to play on. Plug in or pair headphones, and try again.")
        }
        self.device = device
        server = survey.server
        guard let monitor = device.monitor else {
            throw Failure(
                .unavailable,
                "What \(SafeText.line(device.description)) plays cannot be recorded: it has no monitor. Try another --sink."
            )
        }
        self.monitor = monitor
        guard options.isForced || !device.streams.contains(where: { $0.isAllspeak && !$0.isPaused }) else {
            throw Failure(
                .unavailable,
                "A film is playing on \(name): pause it first, or add --force to have the noise played into it.")
        }
    }

    // MARK: Before

    /// What is about to happen, for a person.
    func announcements(seconds: Double) -> [String] {
        let length = Int(seconds.rounded(.up))
        let heard =
            device.isMuted
            ? "\(name) is muted, so nothing will be heard" : "Soft noise will be heard on \(name) for \(length) s"
        var lines = [
            "\(heard); its volume, \(Int((device.volume * 100).rounded())) %, stays as it is. Ctrl-C ends it."
        ]
        if !others.isEmpty {
            lines.append(
                "Something else may sound there (\(others.joined(separator: ", "))); for exact figures, end it first.")
        }
        return lines
    }

    // MARK: Failures

    func unrecorded(_ reason: String) -> Failure {
        Failure(
            .unavailable,
            "What \(name) plays cannot be recorded from \(SafeText.line(monitor)) (\(SafeText.line(reason).lowercased())). Try another --sink."
        )
    }

    /// The probe was played, and nothing of it came out.
    var unheard: Failure {
        let name = SafeText.line(device.name)
        if device.isMuted {
            return Failure(
                .unavailable,
                "\(self.name) is muted, and what is recorded of it, too. When nobody is disturbed: pactl set-sink-mute \(name) 0"
            )
        }
        if device.volume < 0.05 {
            return Failure(
                .unavailable,
                "\(self.name) is turned down so far that nothing can be recorded. When nobody is disturbed: pactl set-sink-volume \(name) 30%"
            )
        }
        let reason =
            others.isEmpty ? "Its monitor does not give what it plays" : "Other sound may be far louder: end it"
        return Failure(
            .unavailable,
            "The probe was played on \(self.name) and not found in the recording. \(reason); or try another --sink.")
    }

    func failure(_ failure: SoundTrial.Failure) -> Failure {
        switch failure {
        case .noDevice: Failure(.unavailable, "\(name) does not open. Try another --sink.")
        case .deviceLost(let reason):
            Failure(.unavailable, "Stopped, as the sound did: \(SafeText.line(reason)). Try again.")
        case .noAnswer:
            Failure(.unavailable, "\(name) does not begin to play. Try again, or another --sink.")
        }
    }

    // MARK: After

    /// The report for a person.
    func lines(_ report: SoundReport) -> [String] {
        let latency = report.latency.map { ", latency \(SoundReport.text($0)) ms" } ?? ""
        var lines = ["On this machine, on \(name)\(latency):"] + report.lines.map(\.text)
        if report.isDisturbed { lines.append("Other sound was in the recording, so the figures may be less exact.") }
        lines.append(
            report.isFine
                ? "What remotes show is what this device is given to play, as far as its latency is told truly."
                : "Not all is as it should be here.")
        return lines
    }

    /// The report for a program; times in milliseconds.
    func json(_ report: SoundReport) -> JSONValue {
        .object([
            .init("sink", .string(device.name)), .init("description", .string(device.description)),
            .init("server", .string(server)), .init("latency", report.latency.map { .number($0) } ?? .null),
            .init("timePrecision", .number((report.doubt * 1_000).rounded() / 1_000)),
            .init("otherSound", .bool(report.isDisturbed)), .init("fine", .bool(report.isFine)),
            .init("figures", .array(report.lines.map(\.json))),
        ])
    }
}
