internal import Playback
internal import WireProtocol

/// Decides when a position is worth telling: when it is not what the last anchor leads one to expect, and now and then.
struct AnchorPolicy {
    /// Seconds by which a position may differ from what was told.
    private static let tolerance = 0.001
    /// Seconds between two anchors at the least, unless sound begins, stops or jumps.
    private static let pause = 0.1
    /// Seconds after which an anchor is told anew.
    private static let lifetime = 10.0

    private struct Anchor {
        var epoch: Epoch
        var position: Double
        var time: SteadyTime
        var isRunning: Bool
    }

    private var last: Anchor?

    /// Whether the anchor is to be told; it then counts as told.
    ///
    /// `isNews` has it told whatever was before.
    mutating func admits(
        epoch: Epoch, position: Double, at time: SteadyTime, isRunning: Bool, isNews: Bool = false
    ) -> Bool {
        if !isNews, let last, last.epoch == epoch, last.isRunning == isRunning {
            let age = time - last.time
            let expected = last.position + (isRunning ? age : 0)
            if age < AnchorPolicy.pause { return false }
            if abs(position - expected) <= AnchorPolicy.tolerance && (age < AnchorPolicy.lifetime || !isRunning) {
                return false
            }
        }
        last = Anchor(epoch: epoch, position: position, time: time, isRunning: isRunning)
        return true
    }
}
