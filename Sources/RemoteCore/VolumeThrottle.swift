package import WireProtocol

/// Thins out the turns of a volume knob and decides whose value is shown, the hand's or the host's.
///
/// A turn opens a window of 100 ms that later turns do not restart: a long turn is heard while it lasts, ten steps a
/// second, and its last value always goes out.
package struct VolumeThrottle: Sendable {
    /// What a closed window hands out.
    package enum Release: Equatable, Sendable {
        /// 0 to 1.
        case send(Double)
        /// The value is the one last sent.
        case nothing
    }

    /// Seconds from the first unsent turn to sending the latest value (upstream's figure).
    package static let window = 0.1
    /// Seconds after the last turn during which the host's reports do not move the knob (upstream's figure).
    package static let settling = 1.2

    private var pending: Double?
    private var windowEnd: SteadyTime?
    private var lastTurn: SteadyTime?
    private var turned: Double?
    private var lastSent: Double?
    private var reported: Double?
    /// False while `reported` is of a connection that broke.
    private var isReportCurrent = false

    package init() {}

    package var isPending: Bool { pending != nil }

    /// The value to show, 0 to 1; `nil` until a turn or a report gave one.
    package func shown(at now: SteadyTime) -> Double? {
        isSettling(at: now) ? turned : reported ?? turned
    }

    /// When `release(at:)` has something to hand out, or else when `shown` may fall back to the host's value.
    package var nextDeadline: SteadyTime? {
        windowEnd ?? lastTurn.map { $0 + Self.settling }
    }

    /// Takes a turn to `value`, clamped to 0…1.
    package mutating func turn(to value: Double, now: SteadyTime) {
        // What somebody else set meanwhile is what the new turn starts from, so going back to it must be sent.
        if !isSettling(at: now) { lastSent = isReportCurrent ? reported : nil }
        let value = min(1, max(0, value))
        turned = value
        lastTurn = now
        pending = value
        if windowEnd == nil { windowEnd = now + Self.window }
    }

    /// The latest value once its window has closed, `nil` before and without turns.
    package mutating func release(at now: SteadyTime) -> Release? {
        guard let windowEnd, windowEnd <= now else { return nil }
        return flush()
    }

    /// The latest value at once, `nil` without unsent turns.
    package mutating func flush() -> Release? {
        guard let value = pending else { return nil }
        pending = nil
        windowEnd = nil
        guard value != lastSent else { return .nothing }
        lastSent = value
        return .send(value)
    }

    /// Ends the settling time once it has passed; true when the host's value is shown from now on.
    package mutating func settle(at now: SteadyTime) -> Bool {
        guard lastTurn != nil, pending == nil, !isSettling(at: now) else { return false }
        lastTurn = nil
        return true
    }

    /// Takes the volume a snapshot reports; `nil` when the host has none to tell.
    /// - Returns: whether it is another than before.
    @discardableResult
    package mutating func hostReported(_ value: Double?) -> Bool {
        defer {
            reported = value
            isReportCurrent = true
        }
        return reported != value
    }

    /// Notes a value that is sent without a window; it takes the place of an unsent turn.
    package mutating func set(_ value: Double, now: SteadyTime) {
        cancel()
        turned = value
        lastTurn = now
        lastSent = value
    }

    /// Forgets the unsent turn; the host's value is shown again.
    package mutating func cancel() {
        if pending != nil { lastTurn = nil }
        pending = nil
        windowEnd = nil
    }

    /// The connection broke: forgets the unsent turn, and takes nothing for known of what the host has.
    package mutating func disconnected() {
        cancel()
        lastSent = nil
        isReportCurrent = false
    }

    /// Forgets what was sent after it did not arrive, so that the same value goes out again.
    package mutating func sendingFailed() {
        lastSent = nil
    }

    private func isSettling(at now: SteadyTime) -> Bool {
        if pending != nil { return true }
        guard let lastTurn else { return false }
        return now - lastTurn < Self.settling
    }
}
