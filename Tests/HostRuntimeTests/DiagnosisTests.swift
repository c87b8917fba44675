import AudioEngine
import TerminalUI
import Testing

@testable import HostRuntime

@Suite("What the doctor makes of what was found") struct DiagnosisTests {
    private static func sink(
        _ name: String = "cinema", muted: Bool = false, volume: Double = 0.4, latency: Double? = nil
    ) -> SoundSurvey.Sink {
        SoundSurvey.Sink(
            name: name, description: "Cinema", monitor: "\(name).monitor", isMuted: muted, volume: volume,
            latency: latency)
    }

    private static func survey(_ sinks: SoundSurvey.Sink...) -> PulseSurvey.Outcome {
        .found(
            SoundSurvey(server: "pulseaudio", version: "16.1", defaultSink: sinks.first?.name, sinks: sinks))
    }

    /// A machine on which all is well, but for what `change` does.
    private static func findings(_ change: (inout Findings) -> Void = { _ in }) -> Findings {
        var findings = Findings(
            sound: survey(sink()), discovery: .ready, folder: "/home/a/.local/share/allspeak", library: .none,
            freeBytes: 20 << 30, port: .free, missingDecoders: [])
        change(&findings)
        return findings
    }

    @Test("where all is well every line is ok, asks for nothing, and the exit code is 0") func well() {
        let checks = Diagnosis.checks(Self.findings())
        #expect(checks.count == 8)
        #expect(checks.allSatisfy { $0.verdict == .ok && $0.advice == nil })
        #expect(checks.exitCode == .success)
        #expect(checks.summary == "Nothing is missing.")
        #expect(Set(checks.map(\.key)).count == 8)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var key: String
        var findings: Findings
        var verdict: Check.Verdict
        /// What the line says, and what it advises.
        var words: [String]
        var code = ExitCode.success
        var testDescription: String { "\(key): \(words[0])" }

        init(
            _ key: String, _ verdict: Check.Verdict, _ words: [String], _ code: ExitCode = .success,
            _ change: (inout Findings) -> Void
        ) {
            self.key = key
            findings = DiagnosisTests.findings(change)
            self.verdict = verdict
            self.words = words
            self.code = code
        }
    }

    // Computed: the address sanitizer cannot see what a static enumeration with payloads points to.
    private static var cases: [Case] {
        [
            Case("soundServer", .problem, ["connection refused", "pulseaudio --start"], .unavailable) {
                $0.sound = .noServer(reason: "Connection refused")
            },
            Case("soundServer", .problem, ["does not answer", "pulseaudio --kill"], .unavailable) {
                $0.sound = .hanging
            },
            Case("soundServer", .ok, ["PulseAudio (on PipeWire 0.3.65)."]) {
                $0.sound = .found(
                    SoundSurvey(
                        server: "PulseAudio (on PipeWire 0.3.65)", version: "15.0.0", defaultSink: "cinema",
                        sinks: [sink()]))
            },
            Case("soundDevice", .ok, ["Cinema, volume 40 %."]) { _ in },
            Case("soundDevice", .ok, ["Cinema, volume 40 %, latency 213 ms, which positions allow for."]) {
                $0.sound = survey(sink(latency: 0.213))
            },
            Case("soundDevice", .problem, ["has none to play on", "Plug in or pair"], .unavailable) {
                $0.sound = survey()
            },
            Case("soundDevice", .warning, ["stand-in"]) { $0.sound = survey(sink("auto_null")) },
            Case("soundDevice", .warning, ["is muted (volume 40 %)", "pactl set-sink-mute @DEFAULT_SINK@ 0"]) {
                $0.sound = survey(sink(muted: true))
            },
            Case("soundDevice", .warning, ["turned down to nothing", "pactl set-sink-volume @DEFAULT_SINK@ 30%"]) {
                $0.sound = survey(sink(volume: 0))
            },
            Case("discovery", .warning, ["no daemon here", "systemctl start avahi-daemon", "--host 127.0.0.1"]) {
                $0.discovery = .unavailable(reason: "no daemon here")
            },
            Case("discovery", .warning, ["does not answer"]) { $0.discovery = .silent },
            Case("folder", .problem, ["cannot be written (Permission denied)", "--data DIR"], .unavailable) {
                $0.folderRefusal = "Permission denied"
            },
            Case("library", .ok, ["none yet"]) { _ in },
            Case("library", .ok, ["it holds one film."]) { $0.library = .readable(films: 1) },
            Case("library", .ok, ["it holds 3 films."]) { $0.library = .readable(films: 3) },
            Case("library", .problem, ["library.sqlite is damaged; move it away."], .badData) {
                $0.library = .unreadable(Failure(.badData, "library.sqlite is damaged; move it away."))
            },
            Case("library", .problem, ["locked"], .unavailable) {
                $0.library = .unreadable(Failure(.unavailable, "It is locked."))
            },
            Case("disk", .ok, ["20 GiB"]) { _ in },
            Case("disk", .warning, ["300 MiB, the sound of a film or two", "--data DIR"]) { $0.freeBytes = 300 << 20 },
            Case("disk", .problem, ["3 MiB, too little to keep positions"], .unavailable) { $0.freeBytes = 3 << 20 },
            Case("disk", .warning, ["does not tell"]) { $0.freeBytes = nil },
            Case("port", .ok, ["free for remotes"]) { _ in },
            Case("port", .warning, ["an allspeak-host, “Living room”, has it", "--port 0"]) {
                $0.port = .host(name: "Living room")
            },
            Case("port", .problem, ["another program has it", "ss -ltnp 'sport = :42557'"], .unavailable) {
                $0.port = .taken
            },
            Case("port", .problem, ["Permission denied", "--port"], .unavailable) {
                $0.port = .refused(reason: "Permission denied")
            },
            Case("decoders", .warning, ["built without opus dca", "apt install"]) {
                $0.missingDecoders = ["opus", "dca"]
            },
            Case("decoders", .problem, ["built without aac"], .unavailable) { $0.missingDecoders = ["aac"] },
        ]
    }

    @Test("one line tells what it is, what it means and what to do", arguments: cases) func lines(each: Case) throws {
        let checks = Diagnosis.checks(each.findings)
        let check = try #require(checks.first { $0.key == each.key })
        #expect(check.verdict == each.verdict)
        for word in each.words { #expect(check.line.contains(word), "\(check.line)") }
        #expect(check.line.hasPrefix(each.verdict.rawValue))
        #expect(!check.line.contains("\n") && !check.line.contains(".."))
        #expect(checks.exitCode == each.code)
        // Whatever is amiss says what to do, unless its own sentence does.
        if each.verdict != .ok, each.key != "library", each.findings.freeBytes != nil { #expect(check.advice != nil) }
    }

    @Test("without a server no device is asked for, and the first problem gives the exit code") func several() {
        let checks = Diagnosis.checks(
            Self.findings {
                $0.sound = .noServer(reason: "Connection refused")
                $0.library = .unreadable(Failure(.badData, "It is damaged."))
                $0.discovery = .silent
            })
        #expect(!checks.contains { $0.key == "soundDevice" })
        #expect(checks.exitCode == .unavailable)
        #expect(checks.summary == "2 problems, 1 warning.")
    }

    @Test("what others named cannot write into the terminal") func foreign() {
        let check = Diagnosis.checks(
            Self.findings {
                var sink = Self.sink()
                sink.description = "Evil\u{1B}[2J\nname"
                $0.sound = Self.survey(sink)
                $0.port = .host(name: "\u{1B}]0;gone\u{7}")
            })
        #expect(check.allSatisfy { !$0.line.contains("\u{1B}") && !$0.line.contains("\n") })
    }
}
