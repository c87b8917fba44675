internal import CCurses
internal import TextScreen

/// Each role as curses has it: attributes, and the number of a pair of colours.
struct RoleStyles {
    struct Style {
        var attributes: attr_t = 0
        /// 0 is the terminal's own colours.
        var pair: Int32 = 0
    }

    private var styles = [Style](repeating: Style(), count: Role.allCases.count)

    /// Tells the present screen of curses the colours, and `rewriter` what becomes of the numbers it writes.
    init(_ depth: ColourDepth, _ rewriter: inout SequenceRewriter) {
        var numbers: [Int: Int] = [:]
        for role in Role.allCases {
            let look = Palette.appearance(of: role, at: depth)
            var style = Style(attributes: look.attributes.rawValue)
            if look.hasColour {
                style.pair = Int32(role.rawValue) + 1
                let colours = [look.foreground, look.background].map { Self.number($0, depth, &numbers, &rewriter) }
                init_extended_pair(style.pair, colours[0], colours[1])
            }
            styles[Int(role.rawValue)] = style
        }
    }

    subscript(_ role: Role) -> Style { styles[Int(role.rawValue)] }

    /// A colour's number for curses.
    private static func number(
        _ colour: Int?, _ depth: ColourDepth, _ numbers: inout [Int: Int], _ rewriter: inout SequenceRewriter
    ) -> Int32 {
        guard let colour else { return -1 }
        guard depth == .rewritten else { return Int32(colour) }
        if let number = numbers[colour] { return Int32(number) }
        // Behind the sixteen that have codes of their own.
        let number = 16 + numbers.count
        numbers[colour] = number
        let exact = "\(colour >> 16);\(colour >> 8 & 0xFF);\(colour & 0xFF)m"
        for place in ["38", "48"] {
            rewriter.replace("\u{1B}[\(place);5;\(number)m", with: "\u{1B}[\(place);2;\(exact)")
        }
        return Int32(number)
    }
}
