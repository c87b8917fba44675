package import WireProtocol

/// A rate limit that allows bursts: `burst` at once, `perSecond` for ever.
package struct TokenBucket: Equatable, Sendable {
    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var filledAt: SteadyTime

    package init(burst: Int, perSecond: Int, now: SteadyTime) {
        self.burst = Double(burst)
        self.perSecond = Double(perSecond)
        tokens = Double(burst)
        filledAt = now
    }

    /// Takes one token; false when there is none.
    package mutating func take(now: SteadyTime) -> Bool {
        tokens = min(burst, tokens + max(0, now - filledAt) * perSecond)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
