import AudioEngine
import Probe
import TerminalUI
import Testing

@testable import HostRuntime

@Suite("What the doctor makes of what was heard") struct SoundReportTests {
    private static func figures(_ change: (inout SoundFigures) -> Void = { _ in }) -> SoundFigures {
        var figures = SoundFigures()
        figures.reported = [-0.2, 0, 0.1, 0.3]
        figures.seekToSound = [8, 12, 30]
        figures.landing = [0, -0.1, 0.2]
        figures.silence = [0, 0]
        figures.slip = [0, 0.02]
        figures.pause = [0, 1]
        figures.resume = [0, -2]
        figures.acts = 9
        change(&figures)
        return figures
    }

    private func report(
        latency: Double? = 5, doubt: Double = 0, underruns: Int = 0, _ change: (inout SoundFigures) -> Void = { _ in }
    ) -> SoundReport {
        SoundReport(figures: Self.figures(change), latency: latency, doubt: doubt, underruns: underruns)
    }

    @Test("good figures are ok, each in one line") func good() {
        let report = report()
        #expect(report.isFine && !report.isDisturbed)
        #expect(report.lines.count == 7)
        #expect(report.lines.allSatisfy { $0.isFine == true && $0.text.hasPrefix("ok    ") })
        #expect(report.lines[0].text == "ok    Position shown minus heard: median 0.1, least -0.2, most 0.3 ms.")
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var key: String
        var isFine: Bool
        var latency = 5.0
        var doubt = 0.0
        var change: @Sendable (inout SoundFigures) -> Void
        var testDescription: String { "\(key), \(isFine)" }

        init(
            _ key: String, _ isFine: Bool, latency: Double = 5, doubt: Double = 0,
            _ change: @escaping @Sendable (inout SoundFigures) -> Void
        ) {
            (self.key, self.isFine, self.latency, self.doubt, self.change) = (key, isFine, latency, doubt, change)
        }
    }

    @Test(
        "each figure has its limit",
        arguments: [
            Case("reportedMinusAudible", true) { $0.reported = [1.9, 2, 2, 5] },
            Case("reportedMinusAudible", false) { $0.reported = [2.1, 2.1, 2.1] },
            Case("reportedMinusAudible", false) { $0.reported = [0, 0, -5.1] },
            Case("reportedMinusAudible", true, doubt: 20) { $0.reported = [12, 21, 24] },
            Case("reportedMinusAudible", false, doubt: 20) { $0.reported = [12, 21, 26] },
            Case("seekToSound", true) { $0.seekToSound = [90, 105, 400] },
            Case("seekToSound", false) { $0.seekToSound = [106, 106, 106] },
            Case("seekToSound", true, latency: 250) { $0.seekToSound = [300, 340, 350] },
            Case("seekLanding", true) { $0.landing = [0.5, -0.5, 1] },
            Case("seekLanding", false) { $0.landing = [0, 0, -1.1] },
            Case("seekLanding", false) { $0.landing = [0.6, -0.6, 0.1] },
            Case("switchSilence", false) { $0.silence = [0, 5] },
            Case("switchSlip", false) { $0.slip = [0, -0.6] },
            Case("pauseError", false) { $0.pause = [0, -5.1] },
            Case("resumeError", false) { $0.resume = [0, 6] },
        ]) func limits(each: Case) throws
    {
        let report = report(latency: each.latency, doubt: each.doubt, each.change)
        let line = try #require(report.lines.first { $0.key == each.key })
        #expect(line.isFine == each.isFine)
        #expect(report.isFine == each.isFine)
        #expect(line.text.hasPrefix(each.isFine ? "ok    " : "more  "))
        if !each.isFine { #expect(line.text.contains("it should be") && line.text.hasSuffix(".")) }
    }

    @Test("what could not be measured is not called good or bad") func unmeasured() throws {
        let report = report {
            $0.silence = []
            $0.likeness = 0.4
        }
        let line = try #require(report.lines.first { $0.key == "switchSilence" })
        #expect(line.isFine == nil)
        #expect(line.text == "?     Track switch, silence: not measured; other sound was in the recording.")
        #expect(report.isFine && report.isDisturbed)
    }

    @Test("beside other sound a fade that seems late is no verdict, a film position that is wrong is one")
    func uncertain() throws {
        let report = report {
            $0.landing = [2, 2]
            $0.pause = [12]
            $0.likeness = 0.5
        }
        let line = try #require(report.lines.first { $0.key == "pauseError" })
        #expect(
            line.text
                == "?     Pause, position shown beside heard: median 12, worst 12 ms, not certain; other sound was in the recording."
        )
        #expect(report.isFine)
        let wrong = self.report {
            $0.slip = [20]
            $0.likeness = 0.5
        }
        #expect(!wrong.isFine)
    }

    @Test("acts that were not found, and gaps, are told") func troubles() {
        let report = report(underruns: 2) { $0.missed = 3 }
        #expect(!report.isFine)
        #expect(report.lines.map(\.text).contains { $0.contains("count 3, of 9") })
        #expect(report.lines.map(\.text).contains { $0.contains("Gaps") && $0.contains("count 2;") })
    }

    @Test(
        "numbers",
        arguments: [(0, "0"), (-0.001, "0"), (1.5, "1.5"), (-12.345, "-12.35"), (0.05, "0.05"), (212, "212")])
    func numbers(value: Double, text: String) {
        #expect(SoundReport.text(value) == text)
    }
}

@Suite("The device the doctor listens to") struct SoundChoiceTests {
    private func sink(
        _ name: String, monitor: Bool = true, muted: Bool = false, volume: Double = 0.5,
        _ streams: SoundSurvey.Stream...
    ) -> SoundSurvey.Sink {
        SoundSurvey.Sink(
            name: name, description: name.uppercased(), monitor: monitor ? name + ".monitor" : nil, isMuted: muted,
            volume: volume, latency: nil, streams: streams)
    }

    private func choice(_ sinks: SoundSurvey.Sink..., sink: String? = nil, isForced: Bool = false) throws -> SoundChoice
    {
        try SoundChoice(
            SoundSurvey(server: "pulseaudio", version: "16.1", defaultSink: sinks.first?.name, sinks: sinks),
            .init(sink: sink, isForced: isForced))
    }

    private func failure(_ body: () throws -> SoundChoice) -> Failure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? Failure
        }
    }

    @Test("the default one, or the one that is named") func named() throws {
        #expect(try choice(sink("a"), sink("b")).sink == "a")
        #expect(try choice(sink("a"), sink("b"), sink: "b").monitor == "b.monitor")
    }

    @Test("a name that is not there, and no device at all, are told apart") func missing() {
        let wrong = failure { try choice(sink("a"), sink("b"), sink: "c") }
        #expect(wrong == Failure(.usage, "There is no sound device c. There are: a, b"))
        #expect(failure { try choice() }?.code == .unavailable)
        #expect(failure { try choice(sink("a", monitor: false)) }?.message.contains("it has no monitor") == true)
    }

    @Test("a film that plays there is not disturbed unless forced; a paused one is none") func busy() throws {
        let playing = SoundSurvey.Stream(program: "Allspeak", isPaused: false)
        let paused = SoundSurvey.Stream(program: "Allspeak", isPaused: true)
        #expect(failure { try choice(sink("a", playing)) }?.message.contains("A film is playing on A") == true)
        _ = try choice(sink("a", playing), isForced: true)
        _ = try choice(sink("a", paused))
        _ = try choice(sink("a"), sink("b", playing))
    }

    @Test("before the noise it is said where, how long, how loud and how to stop; and what else sounds") func before()
        throws
    {
        let lines = try choice(
            sink("a", .init(program: "mpv\u{1B}", isPaused: false), .init(program: "idle", isPaused: true))
        ).announcements(seconds: 11.2)
        #expect(
            lines.first
                == "Soft noise will be heard on A for 12 s; its volume, 50 %, stays as it is. Ctrl-C ends it.")
        #expect(lines.count == 2)
        #expect(lines.last?.contains("(mpv)") == true)
        #expect(try choice(sink("a", muted: true)).announcements(seconds: 9)[0].contains("nothing will be heard"))
    }

    @Test("where the noise is not in the recording, the reason is told") func unheard() throws {
        #expect(try choice(sink("a", muted: true)).unheard.message.contains("pactl set-sink-mute a 0"))
        #expect(try choice(sink("a", volume: 0.01)).unheard.message.contains("pactl set-sink-volume a 30%"))
        #expect(try choice(sink("a")).unheard.message.contains("not found in the recording"))
        let loud = sink("a", .init(program: "mpv", isPaused: false))
        #expect(try choice(loud).unheard.message.contains("Other sound"))
    }
}

@Suite("Options of doctor") struct DoctorOptionsTests {
    private func options(_ arguments: String...) throws -> DoctorOptions {
        try DoctorOptions(HostSyntax.program.parse(["doctor"] + arguments))
    }

    @Test("it only looks unless it is asked to make sound") func plain() throws {
        #expect(try options().sound == nil)
        #expect(try options("--json", "--data", "/d").isJSON)
        let sound = try #require(try options("--sound", "--sink", "a", "--seconds", "60", "--force").sound)
        #expect(sound == .init(sink: "a", rounds: SoundTrial.rounds(within: 60), isForced: true))
        #expect(try options("--sound").sound?.rounds == 4)
    }

    @Test(
        "what makes no sense is refused",
        arguments: [
            ["--sink", "a"], ["--seconds", "9"], ["--force"], ["now"], ["--sound", "--seconds", "4"],
            ["--sound", "--seconds", "121"], ["--sound", "--seconds", "x"], ["--sound", "--sink", ""],
        ]) func refused(arguments: [String]) throws
    {
        #expect {
            _ = try DoctorOptions(HostSyntax.program.parse(["doctor"] + arguments))
        } throws: {
            ($0 as? Failure)?.code == .usage
        }
    }
}
