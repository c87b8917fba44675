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
        guard hasSome(now: now) else { return false }
        spend(1)
        return true
    }

    /// Whether there is a whole token: for what is known to cost something before it is known how much.
    package mutating func hasSome(now: SteadyTime) -> Bool {
        tokens = min(burst, tokens + max(0, now - filledAt) * perSecond)
        filledAt = now
        return tokens >= 1
    }

    /// Takes `count` tokens, also ones that are not there yet: the rate has to bring them first.
    package mutating func spend(_ count: Int) {
        tokens -= Double(count)
    }
}
