/// A bar that grows by halves of a cell.
struct ProgressBar {
    /// Shortest time between two steps in seconds: more is not seen, and costs.
    private static let shortestStep = 0.1

    let cells: Int
    /// Seconds of film; above 0.
    let duration: Double

    /// Seconds of film for a step.
    private var step: Double { max(Self.shortestStep, duration / Double(2 * cells)) }

    /// `nil` where there is no room or no length.
    init?(cells: Int, duration: Double) {
        guard cells >= 4, duration > 0 else { return nil }
        self.cells = cells
        self.duration = duration
    }

    private func steps(at position: Double) -> Double { ((position + RemoteScreen.tick) / step).rounded(.down) }

    /// What is done and what is not, as text; together as wide as the bar.
    func text(at position: Double) -> (filled: String, unfilled: String) {
        let part = min(1, max(0, steps(at: position) * step / duration))
        // A step that falls on a half but for its rounding has reached it.
        let halves = Int(part * Double(2 * cells) + 1e-6)
        let filled = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
        return (filled, String(repeating: "─", count: cells - (halves + 1) / 2))
    }

    /// The position at which it next grows.
    func next(after position: Double) -> Double { (steps(at: position) + 1) * step }
}
