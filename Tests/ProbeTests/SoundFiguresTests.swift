import Probe
import Testing
import WireProtocol

@Suite("Figures from a log and a tape")
struct SoundFiguresTests {
    /// What an engine might have got wrong, in milliseconds.
    struct Faults {
        /// The position shown runs ahead of the one heard.
        var reported = 0.0
        /// A seek lands behind its goal.
        var landing = 0.0
        /// A switch jumps on.
        var slip = 0.0
        /// Silence in the switch.
        var gap = 0.0
        /// The position told after a pause is behind the end of the sound.
        var pause = 0.0
        /// Going on skips.
        var resume = 0.0
        var foreign: Float = 0
    }

    /// A trial of one round in which all is right but the faults: each act is heard 20 ms after it was asked for.
    private func trial(_ faults: Faults) -> (TrialLog, Tape) {
        func samples(_ milliseconds: Double) -> Int { Int((milliseconds * 48).rounded()) }
        let delay = 960
        // When each is asked for, in samples.
        let (play, seek, change, pause, resume, end) = (48_000, 144_000, 192_000, 240_000, 264_000, 312_000)
        let played = play + delay
        let sought = seek + delay
        let goal = 960_000
        let landed = goal + samples(faults.landing)
        let changed = change + delay
        let other = landed + changed - sought + samples(faults.slip)
        let paused = pause + delay
        let stopped = other + paused - changed + Performance.fade
        let resumed = resume + delay
        let again = stopped + samples(faults.resume)
        var performance = Performance(
            stretches: [
                .init(start: 0), .init(start: played, track: 0, film: 240_000),
                .init(start: sought, track: 0, film: landed), .init(start: changed, track: 1, film: other),
                .init(start: paused), .init(start: resumed, track: 1, film: again),
            ], length: end, foreign: faults.foreign)
        performance.stretches.sort { $0.start < $1.start }
        var tape = Tape()
        tape.samples = performance.samples
        if faults.gap > 0 {
            for index in changed..<(changed + samples(faults.gap)) { tape.samples[index] = 0 }
        }
        tape.readings = (0..<140).map { .init(index: Double($0) * 2_400, time: .seconds(Double($0) * 0.05)) }

        var log = TrialLog()
        let times = [seek, change, pause, resume, end].map { SteadyTime.seconds(Double($0) / 48_000) }
        let acts: [(TrialLog.Act, Int, asked: Int, heard: Int, film: Int)] = [
            (.play, 0, play, played, 240_000), (.seek(20), 0, seek, sought, landed),
            (.switchTrack, 1, change, changed, other), (.pause, 1, pause, paused, stopped),
            (.resume, 1, resume, resumed, again),
        ]
        for (number, act) in acts.enumerated() {
            var position = Double(act.film) / 48_000 + faults.reported / 1_000
            if act.0 == .pause { position = Double(act.film) / 48_000 + faults.pause / 1_000 }
            let heard = SteadyTime.seconds(Double(act.heard) / 48_000)
            log.steps.append(
                .init(
                    act: act.0, track: act.1, asked: .seconds(Double(act.asked) / 48_000), position: position,
                    answered: heard, ended: times[number]))
            log.anchors.append(.init(position: position, at: heard, isRunning: act.0 != .pause, told: heard))
        }
        return (log, tape)
    }

    private func figures(_ faults: Faults) -> SoundFigures {
        let (log, tape) = trial(faults)
        return SoundFigures(log, tape, fade: Performance.fade)
    }

    private func isNear(_ values: [Double], _ expected: Double, within slack: Double = 0.05) -> Bool {
        !values.isEmpty && values.allSatisfy { abs($0 - expected) < slack }
    }

    @Test("where all is right, all errors are nothing, and a seek is heard when it is")
    func right() {
        let figures = figures(Faults())
        #expect(figures.acts == 5 && figures.missed == 0)
        #expect(figures.likeness > 0.99)
        #expect(figures.reported.count > 20)
        #expect(isNear(figures.reported, 0))
        #expect(isNear(figures.seekToSound, 20))
        #expect(isNear(figures.landing, 0))
        #expect(isNear(figures.silence, 0))
        #expect(isNear(figures.slip, 0))
        #expect(isNear(figures.pause, 0))
        #expect(isNear(figures.resume, 0))
    }

    @Test("a position that runs ahead, as one that leaves out the latency does, is told for what it is")
    func reported() {
        #expect(isNear(figures(Faults(reported: 12)).reported, 12))
        #expect(isNear(figures(Faults(reported: -200)).reported, -200))
    }

    @Test("each other fault shows in its own figure, and in no other")
    func faults() {
        let landing = figures(Faults(landing: 3))
        #expect(isNear(landing.landing, 3) && isNear(landing.slip, 0) && isNear(landing.resume, 0))
        let slip = figures(Faults(slip: -22))
        #expect(isNear(slip.slip, -22) && isNear(slip.landing, 0) && isNear(slip.pause, 0))
        let gap = figures(Faults(gap: 15))
        #expect(isNear(gap.silence, 15, within: 1) && isNear(gap.landing, 0))
        let pause = figures(Faults(pause: 40))
        #expect(isNear(pause.pause, 40) && isNear(pause.landing, 0))
        let resume = figures(Faults(resume: 25))
        #expect(isNear(resume.resume, 25) && isNear(resume.pause, 0))
    }

    @Test("other sound three times as loud is noticed; positions are still known, silence is not")
    func foreign() {
        let figures = figures(Faults(foreign: 0.6))
        #expect(figures.missed == 0)
        #expect(figures.likeness < SoundFigures.pure)
        #expect(isNear(figures.reported, 0, within: 0.1))
        #expect(isNear(figures.slip, 0, within: 0.1))
        #expect(figures.silence.isEmpty)
    }

    @Test("where nothing of the probe is heard, every act is missed")
    func silence() {
        let (log, tape) = trial(Faults())
        var silent = tape
        silent.samples = [Float](repeating: 0, count: tape.samples.count)
        let figures = SoundFigures(log, silent, fade: Performance.fade)
        #expect(figures.missed == 5)
        #expect(figures.reported.isEmpty)
        #expect(!SoundFigures.isHeard(log, silent, fade: Performance.fade))
        #expect(!SoundFigures.isHeard(log, Tape(), fade: Performance.fade))
        #expect(SoundFigures.isHeard(log, tape, fade: Performance.fade))
        silent.samples = Noise.samples(track: 9, from: 0, count: tape.samples.count)
        #expect(!SoundFigures.isHeard(log, silent, fade: Performance.fade), "another sound is not the probe")
    }
}
