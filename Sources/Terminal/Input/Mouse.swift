internal import TextScreen

/// Reports of the mouse, or of a finger (ctlseqs of xterm, "Mouse Tracking").
enum Mouse {
    /// Has the terminal report presses and the wheel, in decimal numbers.
    static let begin = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
    static let end = Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)

    /// `ESC [ < button ; column ; row M` for a press, with `m` for its end, which has no meaning here.
    static func report(_ numbers: [Int], final: UInt8) -> [ScreenInput] {
        guard final == UInt8(ascii: "M"), numbers.count == 3 else { return [] }
        return event(button: numbers[0], column: numbers[1] - 1, row: numbers[2] - 1)
    }

    /// Each byte is 32 more than its number, and no byte tells more than 223.
    static func old(_ bytes: [UInt8]) -> [ScreenInput] {
        let numbers = bytes.map { Int($0) - 32 }
        return event(button: numbers[0], column: numbers[1] - 1, row: numbers[2] - 1)
    }

    private static func event(button: Int, column: Int, row: Int) -> [ScreenInput] {
        guard row >= 0, column >= 0, button >= 0 else { return [] }
        // Shift, Alt and Ctrl are 4, 8 and 16.
        return switch button & ~28 {
        case 0: [.tapped(row: row, column: column)]
        case 64: [.scrolled(up: true, row: row, column: column)]
        case 65: [.scrolled(up: false, row: row, column: column)]
        default: []
        }
    }
}
