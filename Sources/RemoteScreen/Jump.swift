internal import RemoteCore
internal import WireProtocol

/// A leap of the film, by whomever; times in seconds.
struct Jump: Equatable {
    /// Kept, the latest of all.
    static let kept = 10
    /// Seconds below which a difference is a correction of the clock and none of the film.
    static let least = 0.3

    var from: Double
    var to: Double
    /// Who made it, where it was another remote; this one otherwise.
    var by: String?

    var seconds: Double { to - from }

    /// What parts `new` from where `old` would have come to by then; `nil` where it is no leap.
    init?(from old: Anchor, to new: Anchor) {
        let passed = Double(new.serverDate.milliseconds - old.serverDate.milliseconds) / 1000
        var expected = old.currentTime + (old.isMoving ? max(0, passed) : 0)
        if old.duration > 0 { expected = min(expected, old.duration) }
        guard abs(new.currentTime - expected) > Self.least else { return nil }
        from = expected
        to = new.currentTime
    }
}

extension RemoteView {
    /// Position and date last told by the host, without taps on their way.
    var confirmed: Anchor? {
        guard let metadata else { return snapshot.map { Anchor($0) } }
        var anchor = Anchor(metadata)
        // The one of the active track, which another track's switch tells by snapshot first.
        anchor.duration = duration
        return anchor
    }

    var isConnected: Bool { status == .connected }
}
