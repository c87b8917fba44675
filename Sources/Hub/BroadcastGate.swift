package import WireProtocol

/// When the snapshot is pushed: at once on a change, otherwise once a second while playing, never while paused.
package struct BroadcastGate: Equatable, Sendable {
    /// Seconds between two pushes that no change has caused.
    package static let interval = 1.0

    private var lastPush: SteadyTime?
    private var isPlaying = false

    package init() {}

    /// Something changed and is being pushed now; the next periodic push waits a whole interval.
    package mutating func changed(isPlaying: Bool, now: SteadyTime) {
        self.isPlaying = isPlaying
        lastPush = now
    }

    package var nextDeadline: SteadyTime? {
        guard isPlaying, let lastPush else { return nil }
        return lastPush + Self.interval
    }

    /// Whether a periodic push is due; it then counts as made.
    package mutating func tick(now: SteadyTime) -> Bool {
        guard let deadline = nextDeadline, now >= deadline else { return false }
        lastPush = now
        return true
    }
}
