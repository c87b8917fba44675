internal import WireProtocol

/// Whether the cue list follows the film, or the hand that leafs through it.
struct CueBrowsing: Equatable {
    /// Seconds without a key after which the list follows the film again.
    static let idle = 5.0

    /// Place of the chosen cue while the hand leafs.
    private(set) var chosen: Int?
    private var until = SteadyTime(nanoseconds: 0)

    mutating func choose(_ place: Int, of count: Int, now: SteadyTime) {
        guard count > 0 else { return follow() }
        chosen = min(max(0, place), count - 1)
        until = now + Self.idle
    }

    mutating func follow() {
        chosen = nil
    }

    /// `nil` while the list follows the film.
    func chosen(at now: SteadyTime) -> Int? {
        now < until ? chosen : nil
    }

    func nextDeadline(after now: SteadyTime) -> SteadyTime? {
        chosen != nil && now < until ? until : nil
    }
}
