package import WireProtocol

/// Tells in lines what happens on a `RemoteScreen`, for a screen reader: each thing once, without control codes.
package struct PlainReader: Sendable {
    package init() {}

    /// What is to be said now, after an event or at a deadline; one line each.
    package mutating func say(_ screen: RemoteScreen, now: SteadyTime) -> [String] {
        []
    }

    /// When there may be more to say, beside after each event; `nil` while nothing moves.
    package func nextDeadline(_ screen: RemoteScreen, after now: SteadyTime) -> SteadyTime? {
        nil
    }
}
