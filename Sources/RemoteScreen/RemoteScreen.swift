package import TextScreen
package import WireProtocol

/// The full-screen remote, without a terminal, a socket or a clock: events in, intents out, and a picture of its state.
///
/// After every event perform the intents in order, then draw, and hand in `tick` at `nextDeadline`. `now` must never go
/// back.
package struct RemoteScreen: Sendable {
    let options: Options
    let measure: TextMeasure
    var size: ScreenSize

    package init(options: Options, size: ScreenSize, measure: TextMeasure, now: SteadyTime) {
        self.options = options
        self.size = size
        self.measure = measure
    }

    package mutating func handle(_ event: Event, now: SteadyTime) -> [Intent] {
        []
    }

    /// What is to be seen at `now`.
    package func canvas(at now: SteadyTime) -> Canvas {
        Canvas(size, measure: measure)
    }

    /// When `canvas` is another or `tick` is wanted next; `nil` while nothing moves.
    package func nextDeadline(after now: SteadyTime) -> SteadyTime? {
        nil
    }
}
