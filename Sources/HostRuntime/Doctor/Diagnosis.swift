internal import AudioEngine
internal import TerminalUI
internal import WireProtocol

/// Makes lines of findings: what each means for a film, and what to do.
enum Diagnosis {
    /// FFmpeg's decoders of what films' sound comes in.
    static let decoders = ["aac", "mp3", "flac", "alac", "opus", "vorbis", "ac3", "eac3", "dca", "pcm_s16le"]
    /// Those without which hardly a film plays.
    private static let essential: Set = ["aac", "mp3"]

    /// Bytes below which positions may soon be lost, and those that the sound of a film in some languages takes.
    private static let fewest: Int = 16 << 20
    private static let comfortable: Int = 1 << 30
    /// The name that PulseAudio gives a sink that it makes because there is no other.
    private static let standIn = "auto_null"

    static func checks(_ findings: Findings) -> [Check] {
        var checks = [server(findings.sound)]
        if case .found(let survey) = findings.sound { checks.append(device(survey)) }
        return checks + [
            discovery(findings.discovery), folder(findings), library(findings.library), disk(findings.freeBytes),
            port(findings.port), decoders(findings.missingDecoders),
        ]
    }

    // MARK: Sound

    static func server(_ outcome: PulseSurvey.Outcome) -> Check {
        var check = Check(key: "soundServer", subject: "Sound server", verdict: .problem, meaning: "")
        switch outcome {
        case .noServer(let reason):
            check.meaning =
                "none answers (\(SafeText.line(reason).lowercased())), so films play on a clock, without sound"
            check.advice = "Start PulseAudio or PipeWire: pulseaudio --start, or systemctl --user start pipewire-pulse"
        case .hanging:
            check.meaning = "there is one, but it does not answer"
            check.advice = "Restart it: pulseaudio --kill, or systemctl --user restart pipewire-pulse"
        case .found(let survey):
            check.verdict = .ok
            check.meaning = name(of: survey)
        }
        return check
    }

    private static func name(of survey: SoundSurvey) -> String {
        let server = SafeText.line(survey.server)
        // “PulseAudio (on PipeWire 0.3.65)”
        if server.contains("PipeWire") { return server }
        return (server == "pulseaudio" ? "PulseAudio" : server) + " \(SafeText.line(survey.version))"
    }

    private static func device(_ survey: SoundSurvey) -> Check {
        var check = Check(key: "soundDevice", subject: "Sound device", verdict: .problem, meaning: "")
        guard let sink = survey.sink(nil) else {
            check.meaning = "the sound server has none to play on"
            check.advice = "Plug in or pair headphones; pactl list short sinks shows what is there"
            return check
        }
        let name = SafeText.line(sink.description)
        let volume = "volume \(Int((sink.volume * 100).rounded())) %"
        if sink.name == standIn {
            check.verdict = .warning
            check.meaning = "\(name) is only a stand-in, which nobody hears"
            check.advice = "Plug in or pair headphones; pactl list short sinks shows what is there"
        } else if sink.isMuted {
            check.verdict = .warning
            check.meaning = "\(name) is muted (\(volume))"
            check.advice = "When nobody is disturbed: pactl set-sink-mute @DEFAULT_SINK@ 0"
        } else if sink.volume == 0 {
            check.verdict = .warning
            check.meaning = "\(name) is turned down to nothing"
            check.advice = "When nobody is disturbed: pactl set-sink-volume @DEFAULT_SINK@ 30%"
        } else {
            check.verdict = .ok
            let latency = sink.latency.map { ", latency \(Int(($0 * 1000).rounded())) ms, which positions allow for" }
            check.meaning = "\(name), \(volume)\(latency ?? "")"
        }
        return check
    }

    static func decoders(_ missing: [String]) -> Check {
        var check = Check(key: "decoders", subject: "Decoders", verdict: .ok, meaning: "")
        check.meaning = "FFmpeg here has all of \(decoders.joined(separator: " "))"
        guard !missing.isEmpty else { return check }
        check.verdict = missing.contains(where: essential.contains) ? .problem : .warning
        check.meaning = "FFmpeg here is built without \(missing.joined(separator: " "))"
        check.advice = "Install your system's full FFmpeg libraries (Debian: sudo apt install libavcodec59)"
        return check
    }

    // MARK: Remotes

    static func discovery(_ discovery: Findings.Discovery) -> Check {
        var check = Check(key: "discovery", subject: "Finding by mDNS", verdict: .warning, meaning: "")
        let advice =
            "Start it: sudo systemctl start avahi-daemon (in a container: avahi-daemon --daemonize); or name the host: allspeak-remote --host 127.0.0.1"
        switch discovery {
        case .ready:
            check.verdict = .ok
            check.meaning = "the Avahi daemon answers, so remotes find the host by themselves"
        case .unavailable(let reason):
            check.meaning = "remotes do not find the host by themselves (\(SafeText.line(reason)))"
            check.advice = advice
        case .silent:
            check.meaning = "remotes do not find the host by themselves (the Avahi daemon does not answer)"
            check.advice = advice
        }
        return check
    }

    static func port(_ port: Findings.Port) -> Check {
        let number = PlayOptions.defaultPort
        var check = Check(key: "port", subject: "Port \(number)", verdict: .ok, meaning: "")
        switch port {
        case .free: check.meaning = "it is free for remotes"
        case .host(let name):
            check.verdict = .warning
            check.meaning = "an allspeak-host, “\(SafeText.line(name))”, has it already"
            check.advice = "That one plays on; for a second one add --port 0"
        case .taken:
            check.verdict = .problem
            check.meaning = "another program has it"
            check.advice = "See which, as root: ss -ltnp 'sport = :\(number)'; or add --port 0"
        case .refused(let reason):
            check.verdict = .problem
            check.meaning = "remotes cannot be served there (\(SafeText.line(reason)))"
            check.advice = "Choose another with --port"
        }
        return check
    }

    // MARK: Files

    private static func folder(_ findings: Findings) -> Check {
        let path = SafeText.line(findings.folder)
        guard let reason = findings.folderRefusal else {
            return Check(
                key: "folder", subject: "Data folder", verdict: .ok,
                meaning: "\(path) keeps what you play and where you were")
        }
        return Check(
            key: "folder", subject: "Data folder", verdict: .problem,
            meaning: "\(path) cannot be written (\(SafeText.line(reason)))",
            advice: "Choose another with --data DIR or $ALLSPEAK_DATA")
    }

    private static func library(_ library: Findings.Library) -> Check {
        var check = Check(key: "library", subject: "Library", verdict: .ok, meaning: "")
        switch library {
        case .none: check.meaning = "there is none yet; the first film that is played makes it"
        case .readable(let films): check.meaning = films == 1 ? "it holds one film" : "it holds \(films) films"
        case .unreadable(let failure):
            check.verdict = .problem
            check.meaning = SafeText.line(
                failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message)
            check.code = failure.code
        }
        return check
    }

    private static func disk(_ free: Int?) -> Check {
        var check = Check(key: "disk", subject: "Free disk", verdict: .ok, meaning: "")
        guard let free else {
            check.verdict = .warning
            check.meaning = "the system does not tell how much there is"
            return check
        }
        check.meaning = free >= 10 << 30 ? "\(free >> 30) GiB" : "\(free >> 20) MiB"
        if free < comfortable {
            check.verdict = free < fewest ? .problem : .warning
            check.meaning += free < fewest ? ", too little to keep positions" : ", the sound of a film or two"
            check.advice = "Free some, or choose a folder on another disk with --data DIR"
        }
        return check
    }
}
