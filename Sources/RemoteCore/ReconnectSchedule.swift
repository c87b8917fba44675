package import WireProtocol

/// When to try the host again, and whether its last address is still worth trying.
package struct ReconnectSchedule: Sendable {
    /// Where the next attempt should go.
    package enum Target: Equatable, Sendable {
        /// The address that was given or that worked last.
        case lastAddress
        /// Look the host up again, by its id; the last address may be out of date.
        case discovery
    }

    package struct Attempt: Equatable, Sendable {
        package var time: SteadyTime
        package var target: Target
    }

    /// Seconds before the second retry; doubled for each further one.
    package static let firstDelay = 0.25
    package static let longestDelay = 5.0
    /// Failures in a row after which the address is looked up again.
    package static let failuresBeforeDiscovery = 3
    /// Seconds a greeted connection must last for its loss to be retried at once again.
    ///
    /// Without it a host that greets and closes would be called in a tight loop.
    package static let provenSeconds = 1.0

    private var failures = 0
    private var provenAt: SteadyTime?
    private var looksAgain = false

    package init() {}

    /// The host's hello came.
    package mutating func connectionProven(now: SteadyTime) {
        provenAt = now
        looksAgain = false
    }

    /// The host has left its address, by its own word or since another one answers there: no retry at once, and by discovery.
    package mutating func hostLeft() {
        failures = max(failures, 1)
        provenAt = nil
        looksAgain = true
    }

    /// We slept, or the user asks: the next attempt is the first again.
    package mutating func woken() {
        failures = 0
    }

    /// When and where to try after an attempt failed or a connection broke.
    ///
    /// `random`, 0 up to 1, takes up to a quarter off the delay, so that remotes do not return in step.
    package mutating func nextAttempt(now: SteadyTime, random: Double) -> Attempt {
        if let provenAt, now - provenAt >= Self.provenSeconds { failures = 0 }
        provenAt = nil
        let target: Target = looksAgain || failures >= Self.failuresBeforeDiscovery ? .discovery : .lastAddress
        defer { failures += 1 }
        guard failures > 0 else { return Attempt(time: now, target: target) }
        // 2^10 is past the longest delay; the bound keeps the power from overflowing.
        let doubled = Self.firstDelay * Double(1 << min(failures - 1, 10))
        let delay = min(Self.longestDelay, doubled) * (1 - 0.25 * random)
        return Attempt(time: now + delay, target: target)
    }
}
