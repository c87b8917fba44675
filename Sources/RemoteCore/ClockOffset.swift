package import WireProtocol

/// What the host's clock says at a moment of ours, learnt from ping and pong; our own wall clock is never asked.
///
/// A pong bounds the offset from both sides: the host stamped it after the ping left and before the pong came. Each way has
/// its luckiest packet, seldom both in one round trip, so the highest lower bound and the lowest upper one of all samples
/// are taken, and the middle between them (the intersection of Marzullo's thesis, 1984, as NTP uses it: RFC 5905 §11.2.1).
package struct ClockOffset: Sendable {
    private static let millisecond = 0.001
    /// Seconds that two clocks may part per second: 100 ppm, twice a poor quartz.
    private static let drift = 100e-6
    /// Seconds after which a sample is forgotten, and how many are kept: what `LinkWatch` gathers in that time.
    package static let maximumAge = 60.0
    package static let maximumSamples = 320
    /// Bounds that have to agree, and to how many seconds, before the last word is believed to be about it.
    ///
    /// Where delays are even over 0.1 s, eight within 0.01 s take some eighty samples, and the luckiest is then a millisecond late.
    package static let agreeing = 8
    package static let agreement = 0.010

    /// Bounds of (host seconds since 1970) − (steady seconds), as of `time`.
    private struct Sample {
        var time: SteadyTime
        var low: Double
        var high: Double
    }

    private var samples: [Sample] = []
    private var provisional: Sample?
    /// Steady time that offsets count from, so that doubles keep their microseconds.
    private var origin = SteadyTime(nanoseconds: 0)
    private var estimate: (low: Double, high: Double)?
    /// Whether enough samples agree on both bounds, so that more would tell little: false while the network is unsteady.
    package private(set) var isSettled = false
    /// How often a pong contradicted all before it: the host's clock was set, or ours slept.
    package private(set) var steps = 0

    package init() {}

    package var isKnown: Bool { estimate != nil }

    /// Whether a pong has been measured, as opposed to the hello's rough date alone.
    package var isMeasured: Bool { !samples.isEmpty }

    /// Largest error of the estimate in seconds, half a round trip plus the date's millisecond at most.
    package var errorBound: Double? {
        estimate.map { ($0.high - $0.low) / 2 }
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
        estimate.map { ($0.low + $0.high) / 2 + (time - origin) }
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
        // The date was cut, so the host's clock showed up to a millisecond more.
        return Sample(
            time: received, low: date - (received - origin), high: date + Self.millisecond - (sent - origin))
    }

    /// Bounds of `sample` widened by what the clocks may have drifted since.
    private func bounds(_ sample: Sample, at time: SteadyTime) -> (low: Double, high: Double) {
        let slack = max(0, time - sample.time) * Self.drift
        return (sample.low - slack, sample.high + slack)
    }

    private func contradicts(_ new: Sample) -> Bool {
        for old in samples {
            let old = bounds(old, at: new.time)
            if new.low > old.high || new.high < old.low { return true }
        }
        return false
    }

    /// Samples that do not contradict each other have a stretch in common, and time only widens it.
    private mutating func recompute(at now: SteadyTime) {
        guard let first = samples.first ?? provisional else { return }
        var (low, high) = bounds(first, at: now)
        for sample in samples {
            let bounds = bounds(sample, at: now)
            (low, high) = (max(low, bounds.low), min(high, bounds.high))
        }
        var (lows, highs) = (0, 0)
        for sample in samples {
            let bounds = bounds(sample, at: now)
            if bounds.low >= low - Self.agreement { lows += 1 }
            if bounds.high <= high + Self.agreement { highs += 1 }
        }
        estimate = (low, high)
        isSettled = min(lows, highs) >= Self.agreeing
    }
}
