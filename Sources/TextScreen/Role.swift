/// What a piece of text on a screen is for; what it looks like is the terminal's affair.
///
/// A screen must be understood without colours as well, so a role never is the only sign of anything.
package enum Role: UInt8, CaseIterable, Sendable {
    /// What is read.
    case text
    /// What is there for orientation: times, hints, lines far from the present one.
    case quiet
    /// Titles and the play state.
    case strong
    /// The line being spoken, and the active track.
    case current
    /// What Enter would take.
    case selected
    /// Taps that are on their way.
    case pending
    /// What goes wrong.
    case warning
    /// The part of a bar that is done.
    case filled
    /// The part of a bar that is not.
    case unfilled
    /// What can be tapped.
    case button
}
