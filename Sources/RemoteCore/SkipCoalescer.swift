package import WireProtocol

/// Sums up skip taps so that a flurry becomes one command.
package struct SkipCoalescer: Sendable {
    /// What a closed window hands out.
    package enum Release: Equatable, Sendable {
        /// Seconds for one `skip`; never 0.
        case send(Double)
        /// The taps cancelled each other out.
        case nothing
    }

    /// Seconds after the latest tap at which the sum goes out (upstream's figure).
    package static let window = 0.25
    /// Seconds after the first tap at which the sum goes out even if the tapping never stops.
    package static let longestWait = 1.0
    /// Seconds below which a sum counts as 0: fractions like +0.1 +0.2 −0.3 leave a rest of 1e-17.
    private static let negligible = 1e-6

    /// Seconds tapped and not yet released; 0 without taps.
    package private(set) var pendingSum = 0.0
    private var firstTap: SteadyTime?
    private var lastTap: SteadyTime?

    package init() {}

    package var isPending: Bool { firstTap != nil }

    /// When `release(at:)` has something to hand out.
    package var nextDeadline: SteadyTime? {
        guard let firstTap, let lastTap else { return nil }
        return min(lastTap + Self.window, firstTap + Self.longestWait)
    }

    /// Adds a tap of `seconds` (negative goes back) and restarts the window.
    package mutating func tap(_ seconds: Double, now: SteadyTime) {
        pendingSum += seconds
        if firstTap == nil { firstTap = now }
        lastTap = now
    }

    /// The sum once its window has closed, `nil` before and without taps.
    package mutating func release(at now: SteadyTime) -> Release? {
        guard let nextDeadline, nextDeadline <= now else { return nil }
        return flush()
    }

    /// The sum at once, `nil` without taps.
    package mutating func flush() -> Release? {
        guard isPending else { return nil }
        defer { cancel() }
        return abs(pendingSum) < Self.negligible ? .nothing : .send(pendingSum)
    }

    /// Forgets the pending taps.
    package mutating func cancel() {
        pendingSum = 0
        firstTap = nil
        lastTap = nil
    }
}
