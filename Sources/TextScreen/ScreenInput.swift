/// What a hand does at a terminal.
package enum ScreenInput: Equatable, Sendable {
    case key(Key)
    /// A tap or a click; row and column from 0.
    case tapped(row: Int, column: Int)
    /// A turn of the wheel over a place, by one notch.
    case scrolled(up: Bool, row: Int, column: Int)
    case resized(ScreenSize)
    /// What was drawn may be gone: after `fg`, or on Ctrl-L.
    case exposed

    package enum Key: Equatable, Sendable {
        /// One that can be seen, or a space.
        case character(Character)
        case enter
        case escape
        case tab
        case backTab
        case backspace
        /// Ctrl-U: the whole input line is taken back.
        case clear
        case up
        case down
        case left
        case right
        case pageUp
        case pageDown
        case home
        case end
        /// Ctrl-C, or Ctrl-D.
        case interrupt
        /// Ctrl-Z.
        case suspend
    }
}
