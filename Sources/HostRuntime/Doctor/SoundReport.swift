internal import Probe
internal import WireProtocol

/// What the figures of a measurement mean.
struct SoundReport {
    /// One figure, in milliseconds, beside what it should be.
    struct Line: Equatable {
        var key: String
        /// For people.
        var subject: String
        /// The values that are told, by name.
        var values: [(name: String, value: Double)]
        /// What it should be, for people.
        var limit: String
        /// `nil` where it could not be measured.
        var isFine: Bool?
        /// What to make of one that is more than it should be, or why there is none.
        var hint: String

        static func == (left: Line, right: Line) -> Bool {
            left.key == right.key && left.isFine == right.isFine && left.values.elementsEqual(right.values, by: ==)
        }
    }

    let figures: SoundFigures
    /// Milliseconds of the device's latency; `nil` where the server does not tell.
    let latency: Double?
    /// Milliseconds to which the server's own word on its time is good.
    let doubt: Double
    let underruns: Int

    var isDisturbed: Bool { figures.likeness < SoundFigures.pure }
    var isFine: Bool { lines.allSatisfy { $0.isFine != false } }

    // MARK: Lines

    private static let busy = "The machine may be busy: end what else runs, and try again"

    var lines: [Line] {
        [reported, seekToSound, landing, silence, slip, pause, resume].map { line in
            // Beside other sound it is hard to tell where a fade of some milliseconds begins.
            let isUncertain = isDisturbed && line.isFine == false && Self.ofFades.contains(line.key)
            guard line.values.isEmpty || isUncertain else { return line }
            var unmeasured = line
            unmeasured.isFine = nil
            unmeasured.hint =
                isDisturbed ? "other sound was in the recording" : "the probe was not found where it should be"
            return unmeasured
        } + troubles
    }

    /// The figures that need a fade's beginning to the millisecond.
    private static let ofFades: Set = ["seekLanding", "pauseError", "resumeError"]

    private var reported: Line {
        let values = figures.reported
        // What the server itself does not know better is nobody's error.
        let slack = doubt >= 1 ? doubt : 0
        let isFine = abs(median(values)) <= 2 + slack && values.allSatisfy { abs($0) <= 5 + slack }
        let precision = slack > 0 ? ", give or take the \(Self.text(slack)) ms to which this server tells its time" : ""
        return Line(
            key: "reportedMinusAudible", subject: "Position shown minus heard", values: spread(values),
            limit: "median within 2 ms, all within 5 ms\(precision)", isFine: isFine,
            hint: "This is no Bluetooth delay, which positions allow for. \(Self.busy)")
    }

    private var seekToSound: Line {
        let limit = (latency ?? 0) + 100
        return Line(
            key: "seekToSound", subject: "Seek until it is heard", values: spread(figures.seekToSound),
            limit: "median at most \(Self.text(limit)) ms: the device's latency, and a moment",
            isFine: median(figures.seekToSound) <= limit,
            hint: "Bluetooth takes its time, and that is fine; else: \(Self.busy)")
    }

    private var landing: Line {
        let sizes = figures.landing.map { abs($0) }
        return Line(
            key: "seekLanding", subject: "Seek lands beside its goal by",
            values: sizes.isEmpty ? [] : [("p50", median(sizes)), ("p95", quantile(sizes, 0.95))],
            limit: "half of them at most 0.5 ms, 95 % at most 1 ms",
            isFine: median(sizes) <= 0.5 && quantile(sizes, 0.95) <= 1, hint: Self.busy)
    }

    private var silence: Line {
        worst("switchSilence", "Track switch, silence", figures.silence, limit: 0)
    }

    private var slip: Line {
        worst("switchSlip", "Track switch, slip of the film", figures.slip, limit: 0.5)
    }

    private var pause: Line {
        worst("pauseError", "Pause, position shown beside heard", figures.pause, limit: 5)
    }

    private var resume: Line {
        worst("resumeError", "Going on, lost or heard again", figures.resume, limit: 5)
    }

    private func worst(_ key: String, _ subject: String, _ values: [Double], limit: Double) -> Line {
        let sizes = values.map { abs($0) }
        let most = sizes.max() ?? 0
        return Line(
            key: key, subject: subject, values: sizes.isEmpty ? [] : [("median", median(sizes)), ("worst", most)],
            limit: "at most \(Self.text(limit)) ms", isFine: most <= limit, hint: Self.busy)
    }

    private var troubles: [Line] {
        var lines: [Line] = []
        if figures.missed > 0 {
            lines.append(
                Line(
                    key: "missed", subject: "Acts not found in the recording",
                    values: [("count", Double(figures.missed)), ("of", Double(figures.acts))], limit: "0",
                    isFine: false,
                    hint: isDisturbed ? "Other sound was much louder than the probe: end it, and try again" : Self.busy)
            )
        }
        if underruns > 0 {
            lines.append(
                Line(
                    key: "underruns", subject: "Gaps, as the device ran dry", values: [("count", Double(underruns))],
                    limit: "0", isFine: false, hint: Self.busy))
        }
        return lines
    }

    // MARK: Numbers

    private func spread(_ values: [Double]) -> [(name: String, value: Double)] {
        guard let least = values.min(), let most = values.max() else { return [] }
        return [("median", median(values)), ("least", least), ("most", most)]
    }

    private func median(_ values: [Double]) -> Double { quantile(values, 0.5) }

    /// The value that `part` of the others do not pass; of two in the middle, the larger.
    private func quantile(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    /// To a hundredth, without a minus before nothing.
    static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest < 10 ? "0" : "")\(rest)"
        return (hundredths < 0 ? "-" : "") + "\(whole)" + digits
    }
}

extension SoundReport.Line {
    /// One line for a person.
    var text: String {
        let unit = key == "missed" || key == "underruns" ? "" : " ms"
        let told = values.map { "\($0.name) \(SoundReport.text($0.value))" }.joined(separator: ", ") + unit
        switch isFine {
        case true?: return "ok    \(subject): \(told)."
        case false?: return "more  \(subject): \(told); it should be \(limit). \(hint)."
        case nil: return "?     \(subject): \(values.isEmpty ? "not measured" : told + ", not certain"); \(hint)."
        }
    }

    var json: JSONValue {
        let verdict = isFine.map { $0 ? "ok" : "more" }
        return .object(
            [.init("figure", .string(key)), .init("verdict", verdict.map { .string($0) } ?? .null)]
                + values.map { .init($0.name, .number(($0.value * 1_000).rounded() / 1_000)) })
    }
}
