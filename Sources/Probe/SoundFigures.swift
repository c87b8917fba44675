internal import WireProtocol

/// What a trial came to, in milliseconds: what was told beside what was heard.
package struct SoundFigures: Equatable, Sendable {
    /// The position told minus the one heard, at moments a tenth of a second apart.
    package var reported: [Double] = []
    /// From asking for another position to hearing it.
    package var seekToSound: [Double] = []
    /// The position first heard after a seek minus the one asked for.
    package var landing: [Double] = []
    /// The longest silence around a switch of track; none is told where other sound was heard.
    package var silence: [Double] = []
    /// By how much the film jumped in a switch.
    package var slip: [Double] = []
    /// The position told after a pause minus the one at which the sound ended.
    package var pause: [Double] = []
    /// The position heard first after going on minus the one told before.
    package var resume: [Double] = []
    /// Acts after which the probe was not found in the recording.
    package var missed = 0
    /// The acts looked at.
    package var acts = 0
    /// How much of what was recorded was the probe, in the middle: 1 is all of it.
    package var likeness = 1.0

    package init() {}

    /// Below this likeness something else was in the recording, at a third of the probe's loudness or more.
    package static let pure = 0.95

    /// Looks at each step of the log where the tape has it; the engine fades within `fade` samples.
    package init(_ log: TrialLog, _ tape: Tape, fade: Int) {
        var likenesses: [Double] = []
        for (number, step) in log.steps.enumerated() {
            acts += 1
            let before = number > 0 ? log.steps[number - 1] : nil
            guard let heard = Heard(step, after: before, log: log, tape: tape, fade: fade) else {
                missed += 1
                continue
            }
            likenesses.append(heard.likeness)
            take(heard, step, before)
        }
        likeness = likenesses.sorted().dropFirst(likenesses.count / 2).first ?? 0
    }

    private mutating func take(_ heard: Heard, _ step: TrialLog.Step, _ before: TrialLog.Step?) {
        reported += heard.reportedErrors
        switch step.act {
        case .play: break
        case .seek(let target):
            seekToSound.append((heard.changed - step.asked) * 1e3)
            landing.append((heard.first - target) * 1e3)
        case .switchTrack:
            slip.append(heard.jump * 1e3)
            if let silence = heard.silence { self.silence.append(silence * 1e3) }
        case .pause: pause.append((step.position - heard.last) * 1e3)
        case .resume:
            if let before { resume.append((heard.first - before.position) * 1e3) }
        }
    }

    /// Whether the tape holds anything of the probe.
    package static func isHeard(_ log: TrialLog, _ tape: Tape, fade: Int) -> Bool {
        let figures = SoundFigures(log, tape, fade: fade)
        return figures.missed < figures.acts
    }
}

/// What the recording has of one step.
private struct Heard {
    /// The position first heard of the new sound, the last one of the old, in seconds.
    var first = 0.0
    var last = 0.0
    /// When the new sound began, or the old one to end.
    var changed: SteadyTime
    /// Seconds of film between the two, where they are a switch's.
    var jump = 0.0
    var silence: Double?
    var reportedErrors: [Double] = []
    var likeness: Double

    /// Samples of silence that noise, which crosses zero all the time, never makes.
    private static let leastSilence = 48
    /// Samples by which a course is known.
    private static let span = 9_600
    /// Seconds by which what is told may differ from what is heard: looked for nearby first, which is ten times as fast.
    private static let reaches = [0.03, 0.35]

    init?(_ step: TrialLog.Step, after before: TrialLog.Step?, log: TrialLog, tape: Tape, fade: Int) {
        let slack = max(0.3, step.answered - step.asked)
        // What comes before the first sound, while the device wakes up, is of no use, and dated by another clock.
        let start = before == nil ? step.answered + -0.05 : step.asked + -0.6
        guard let recording = tape.cut(from: start, to: max(step.ended, step.answered + slack)) else { return nil }
        let old = before.flatMap { Heard.course(of: $0, until: step.asked, in: recording, log) }
        let new = step.act == .pause ? nil : Heard.course(of: step, from: step.answered, in: recording)
        guard let known = new ?? old, step.act == .pause || new != nil, Heard.isExpected(old, before) else {
            return nil
        }
        likeness = known.likeness
        let (first, last) = (min(step.asked, step.answered) + -0.1, max(step.asked, step.answered) + 0.15)
        guard
            let place = recording.fade(
                from: old, to: new, from: recording.index(at: first), to: recording.index(at: last), length: fade)
        else { return nil }
        changed = recording.time(of: place)
        let rate = Double(Noise.rate)
        if let new { self.first = Double(new.offset + place) / rate }
        if let old { self.last = Double(old.offset + place + fade) / rate }
        if let old, let new { jump = Double(new.offset - old.offset) / rate }
        if case .switchTrack = step.act, known.likeness > SoundFigures.pure {
            let level = Float(known.loudness * 0.16 / 100)
            let samples = recording.longestSilence(from: changed + -0.1, to: changed + 0.1, level: level)
            silence = samples < Heard.leastSilence ? 0 : Double(samples) / rate
        }
        if let new { reportedErrors = Heard.errors(step, new, recording, log) }
    }

    /// A step that follows sound has to have it before; the first one and going on follow silence.
    private static func isExpected(_ old: Course?, _ before: TrialLog.Step?) -> Bool {
        guard let before, before.act != .pause else { return true }
        return old != nil
    }

    private static func course(of step: TrialLog.Step, from time: SteadyTime, in recording: Recording) -> Course? {
        // The fade, and what the recording may miss by, are over by then.
        find(in: recording, step.track, at: time + 0.15, near: step.position + 0.15)
    }

    private static func course(
        of step: TrialLog.Step, until time: SteadyTime, in recording: Recording, _ log: TrialLog
    ) -> Course? {
        let start = time + -(0.05 + Double(span) / Double(Noise.rate))
        guard step.act != .pause, let position = log.reported(at: start) else { return nil }
        return find(in: recording, step.track, at: start, near: position)
    }

    private static func find(in recording: Recording, _ track: Int, at time: SteadyTime, near: Double) -> Course? {
        let start = recording.index(at: time)
        for reach in reaches {
            let found = recording.course(at: start, track: track, near: near, reach: reach, span: span)
            if let found, isCertain(found, span: span) { return found }
        }
        return nil
    }

    /// Chance alone makes a likeness of some 4.6 standard deviations among that many places; a band of 3 kHz lets one
    /// sample in eight vary freely.
    private static func isCertain(_ course: Course, span: Int) -> Bool {
        course.likeness * (Double(span) / 8).squareRoot() > 6
    }

    private static func errors(
        _ step: TrialLog.Step, _ course: Course, _ recording: Recording, _ log: TrialLog
    ) -> [Double] {
        let (piece, rate) = (4_800, Double(Noise.rate))
        var errors: [Double] = []
        var time = step.answered + 0.1
        while time + Double(piece) / rate < step.ended {
            let start = recording.index(at: time)
            let near = Double(course.offset + start) / rate
            if let told = log.reported(at: time),
                let heard = recording.course(at: start, track: course.track, near: near, reach: 0.02, span: piece),
                isCertain(heard, span: piece)
            {
                // The exact moment of that sample, which is rounded to.
                let moment = recording.time(of: start)
                errors.append((told + (moment - time) - Double(heard.offset + start) / rate) * 1e3)
            }
            time = time + 0.1
        }
        return errors
    }
}
