internal import WireProtocol

/// When to ping, and when a silent connection is dead.
struct LinkWatch: Sendable {
    /// Pings at the start, for the clock, and seconds between them.
    static let burst = 8
    static let burstSpacing = 0.02
    /// Seconds between pings after that.
    static let interval = 5.0
    /// The same while the clock is unsettled and pongs come: at an even 0.1 s of jitter some fifteen seconds' worth settles it.
    static let unsettledInterval = 0.2
    /// Seconds without a byte after which the connection is dead.
    static let deadAfter = 12.0
    /// Seconds a connection has to answer a ping after we slept.
    static let wakePatience = 1.0
    /// Pings without a pong that are remembered.
    private static let maximumUnanswered = 32

    private(set) var lastHeard: SteadyTime
    private var burstLeft: Int
    private var nextPing: SteadyTime
    private var lastPing: SteadyTime
    private var wakeDeadline: SteadyTime?
    private var sent: [(number: Int, time: SteadyTime)] = []
    private var nextNumber = 1

    init(now: SteadyTime) {
        lastHeard = now
        burstLeft = Self.burst
        nextPing = now
        lastPing = now
    }

    var deadDeadline: SteadyTime {
        let deadline = lastHeard + Self.deadAfter
        return wakeDeadline.map { min($0, deadline) } ?? deadline
    }

    var nextDeadline: SteadyTime { min(nextPing, deadDeadline) }

    mutating func heard(now: SteadyTime) {
        lastHeard = now
        wakeDeadline = nil
    }

    /// We slept: the connection has to prove itself, and the clock is measured anew.
    mutating func woken(now: SteadyTime) {
        wakeDeadline = now + Self.wakePatience
        burstLeft = Self.burst
        nextPing = now
    }

    /// The payload of a ping, if one is due.
    mutating func ping(now: SteadyTime) -> JSONValue? {
        guard nextPing <= now else { return nil }
        burstLeft = max(0, burstLeft - 1)
        lastPing = now
        nextPing = now + (burstLeft > 0 ? Self.burstSpacing : Self.interval)
        sent.append((nextNumber, now))
        if sent.count > Self.maximumUnanswered { sent.removeFirst() }
        defer { nextNumber += 1 }
        return .object([.init("ping", .integer(nextNumber))])
    }

    /// When the ping that `payload` answers left; each is answered once.
    mutating func answered(_ payload: JSONValue) -> SteadyTime? {
        guard let number = payload["ping"]?.integerValue, let place = sent.firstIndex(where: { $0.number == number })
        else { return nil }
        return sent.remove(at: place).time
    }

    /// A pong has been measured: whether the clock is as good as it gets decides how soon the next ping leaves.
    ///
    /// A host that does not answer is not asked more often.
    mutating func measured(isSettled: Bool) {
        guard burstLeft == 0 else { return }
        nextPing = lastPing + (isSettled ? Self.interval : Self.unsettledInterval)
    }
}
