package import WireProtocol

/// What the host's clock says at a moment of ours, learnt from ping and pong; our own wall clock is never asked.
///
/// A pong bounds the offset from both sides: the host stamped it after the ping left and before the pong came. The
/// sample with the tightest bounds gives the estimate, moved into what all other samples allow.
package struct ClockOffset: Sendable {
    /// Half of the millisecond that `serverDate` is cut to: what a date lacks on average.
    private static let meanCut = 0.000_5
    private static let millisecond = 0.001
    /// Seconds that two clocks may part per second: 100 ppm, twice a poor quartz.
    private static let drift = 100e-6
    /// Samples kept, and seconds after which one is forgotten.
    package static let maximumSamples = 16
    package static let maximumAge = 120.0

    /// Bounds and estimate of (host seconds since 1970) − (steady seconds), as of `time`.
    private struct Sample {
        var time: SteadyTime
        var low: Double
        var high: Double
        var middle: Double
    }

    private var samples: [Sample] = []
    private var provisional: Sample?
    /// Steady time that offsets count from, so that doubles keep their microseconds.
    private var origin = SteadyTime(nanoseconds: 0)
    private var estimate: (offset: Double, low: Double, high: Double)?
    /// How often a pong contradicted all before it: the host's clock was set, or ours slept.
    package private(set) var steps = 0

    package init() {}

    package var isKnown: Bool { estimate != nil }

    /// Whether a pong has been measured, as opposed to the hello's rough date alone.
    package var isMeasured: Bool { !samples.isEmpty }

    /// Largest error of the estimate in seconds, half a round trip plus the date's millisecond at most.
    package var errorBound: Double? {
        estimate.map { max($0.high - $0.offset, $0.offset - $0.low) }
    }

    /// Starts anew with a connection's hello: its date lies between `opened` and `received`.
    package mutating func hello(serverDate: WireDate, opened: SteadyTime, received: SteadyTime) {
        samples = []
        origin = received
        provisional = sample(sent: opened, serverDate: serverDate, received: received)
        recompute(at: received)
    }

    /// Takes one ping that left at `sent` and whose pong came at `received`.
    package mutating func pong(sent: SteadyTime, serverDate: WireDate, received: SteadyTime) {
        guard sent <= received else { return }
        if estimate == nil { origin = received }
        let new = sample(sent: sent, serverDate: serverDate, received: received)
        provisional = nil
        if contradicts(new) {
            samples = []
            steps += 1
        }
        samples.append(new)
        samples.removeAll { received - $0.time > Self.maximumAge }
        if samples.count > Self.maximumSamples { samples.removeFirst(samples.count - Self.maximumSamples) }
        recompute(at: received)
    }

    /// The host's wall clock in seconds since 1970, to the microsecond; `nil` before the first hello.
    package func hostDate(at time: SteadyTime) -> Double? {
        estimate.map { $0.offset + (time - origin) }
    }

    /// Seconds by the host's clock from an anchor's `date` to `time`, negative when `date` is still to come.
    ///
    /// Unlike the date of a pong, an anchor's is exact: its position was computed for that whole millisecond.
    package func seconds(since date: WireDate, at time: SteadyTime) -> Double? {
        hostDate(at: time).map { $0 - Self.seconds(date) }
    }

    private static func seconds(_ date: WireDate) -> Double {
        Double(date.milliseconds) / 1000
    }

    private func sample(sent: SteadyTime, serverDate: WireDate, received: SteadyTime) -> Sample {
        let date = Self.seconds(serverDate)
        let (from, to) = (sent - origin, received - origin)
        return Sample(
            time: received, low: date - to, high: date + Self.millisecond - from,
            middle: date + Self.meanCut - (from + to) / 2)
    }

    /// Bounds of `sample` widened by what the clocks may have drifted since.
    private func bounds(_ sample: Sample, at time: SteadyTime) -> (low: Double, high: Double) {
        let slack = max(0, time - sample.time) * Self.drift
        return (sample.low - slack, sample.high + slack)
    }

    private func contradicts(_ new: Sample) -> Bool {
        samples.contains { old in
            let old = bounds(old, at: new.time)
            return new.low > old.high || new.high < old.low
        }
    }

    private mutating func recompute(at now: SteadyTime) {
        let usable = samples.isEmpty ? provisional.map { [$0] } ?? [] : samples
        func width(_ sample: Sample) -> Double {
            let (low, high) = bounds(sample, at: now)
            return high - low
        }
        guard let best = usable.min(by: { width($0) < width($1) }) else { return }
        var (low, high) = bounds(best, at: now)
        for sample in usable {
            let other = bounds(sample, at: now)
            // Two old samples may just miss each other after long drift; the best one stands alone then.
            guard max(low, other.low) <= min(high, other.high) else { continue }
            (low, high) = (max(low, other.low), min(high, other.high))
        }
        estimate = (min(high, max(low, best.middle)), low, high)
    }
}
