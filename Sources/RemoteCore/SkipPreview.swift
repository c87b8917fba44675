internal import WireProtocol

/// Where skips that left but are not yet answered will have taken the position.
///
/// From sending to reply the anchor stands still: a push that already contains the skip would count it twice, and the
/// shown position would jump there and back.
struct SkipPreview: Sendable {
    private var inFlight: [(id: Int, seconds: Double)] = []
    private var base: Anchor?

    /// Seconds to add to `anchor(over:)`.
    var seconds: Double { inFlight.reduce(0) { $0 + $1.seconds } }

    func anchor(over current: Anchor?) -> Anchor? {
        inFlight.isEmpty ? current : base ?? current
    }

    mutating func sent(id: Int, seconds: Double, from current: Anchor?) {
        if inFlight.isEmpty { base = current }
        inFlight.append((id, seconds))
    }

    /// The reply's position holds this skip and none sent after it.
    mutating func ended(id: Int, at anchor: Anchor?) {
        inFlight.removeAll { $0.id == id }
        base = inFlight.isEmpty ? nil : anchor
    }

    mutating func clear() {
        self = SkipPreview()
    }
}
