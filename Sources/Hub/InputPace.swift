internal import WireProtocol

/// How fast a peer is listened to: what it says beyond a burst waits on its own side.
///
/// Frames that come together cost a fixed part beside their bytes, since reading and answering a short one is no cheaper.
struct InputPace: Sendable {
    /// What has been said and not yet made up for, at `at`.
    private var level = 0.0
    private var at: SteadyTime

    init(now: SteadyTime) {
        at = now
    }

    /// So much has come in one piece.
    mutating func took(bytes: Int, frames: Int, now: SteadyTime) {
        level = max(0, level - max(0, now - at) * Double(Limits.inputBytesPerSecond))
        level += Double(bytes + max(0, frames - 1) * Limits.inputBytesOfFrame)
        at = now
    }

    /// When to listen again; `nil` at once.
    var restsUntil: SteadyTime? {
        let excess = level - Double(Limits.inputBurstBytes)
        return excess > 0 ? at + excess / Double(Limits.inputBytesPerSecond) : nil
    }
}
