internal import WireProtocol

/// The one line that says what just happened; it stays until another takes its place, or for some seconds.
struct Notice: Equatable {
    /// Long enough to be read by someone who first has to find the screen.
    static let seconds = 6.0

    var text: String
    /// Something did not work.
    var isWarning: Bool
    var until: SteadyTime
    /// Grows with each, so that the same sentence twice is two.
    var number: Int

    func isShown(at now: SteadyTime) -> Bool { now < until }
}

extension RemoteScreen {
    mutating func tell(_ text: String, isWarning: Bool = false, now: SteadyTime) {
        let number = (notice?.number ?? 0) + 1
        notice = Notice(text: text, isWarning: isWarning, until: now + Notice.seconds, number: number)
    }

    func shownNotice(at now: SteadyTime) -> Notice? {
        notice.flatMap { $0.isShown(at: now) ? $0 : nil }
    }
}
