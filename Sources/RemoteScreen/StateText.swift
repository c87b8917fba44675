internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// Play state and time in as much room as there is.
extension RemoteScreen {
    /// Seconds before a boundary at which it counts as reached: the tolerance of the current cue, and of the rounding
    /// of a deadline.
    static let tick = 0.000_5

    /// Position at the last whole minute.
    static func minute(_ position: Double) -> Double { ((position + tick) / 60).rounded(.down) * 60 }

    var playSign: String { isPlaying ? "▶" : "⏸" }

    var stateRole: Role { pending.isPlaying == nil ? .strong : .pending }

    /// Elapsed and remaining; both change at once, and only every minute while the remote sleeps.
    ///
    /// Remaining is empty where the length is not known.
    func times(_ position: Double, _ now: SteadyTime) -> (elapsed: String, remaining: String) {
        if isAwake(at: now) {
            let elapsed = (position + Self.tick).rounded(.down)
            let remaining = duration > 0 ? TimeText.remaining(elapsed, of: duration.rounded(.down)) : ""
            return (TimeText.elapsed(elapsed), remaining)
        }
        let minutes = Int(min(1e9, Self.minute(position) / 60))
        let all = Int(min(1e9, (duration / 60).rounded(.up)))
        return ("\(minutes) min", duration > 0 ? "-\(max(0, all - minutes)) min" : "")
    }

    /// The longest of some texts that fits.
    func shortState(columns: Int, _ now: SteadyTime) -> String {
        guard let position = position(at: now) else { return measure.cut(measure.shown(playSign), to: columns) }
        let (elapsed, remaining) = times(position, now)
        let hasSkip = abs(pendingSkip) > 1e-6
        let mark = hasSkip ? " " + Wording.signed(pendingSkip) : pending.isEmpty ? "" : " …"
        let texts = [
            "\(playSign) \(playState)  \(elapsed) \(remaining)\(mark)", "\(playSign) \(playState)  \(elapsed)\(mark)",
            "\(playSign) \(elapsed)\(mark)", "\(playSign) \(elapsed)", "\(playSign)\(elapsed)",
        ]
        return texts.first { measure.columns(measure.shown($0)) <= columns } ?? playSign
    }

    var loading: String {
        guard case .loading(let received, let total)? = view?.cues else { return "" }
        guard let total, total > 0 else { return "Loading subtitles …" }
        return "Loading subtitles … \(received) of \(total)"
    }
}
