internal import TextScreen

/// What the roles look like in a dark room: warm, of little light, on the terminal's own background; nothing is white.
///
/// On black, what is read has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3), and nothing gives more than a third of
/// white's light.
enum Palette {
    static func appearance(of role: Role, at depth: ColourDepth) -> Appearance {
        switch depth {
        case .none: attributes(role)
        case .eight: few(role, grey: nil)
        case .sixteen: few(role, grey: 8)
        case .indexed: indexed(role)
        case .direct, .rewritten: exact(role)
        }
    }

    /// 0xRRGGBB.
    private static func exact(_ role: Role) -> Appearance {
        switch role {
        case .text: Appearance(0x9C_7A4E)
        case .quiet: Appearance(0x75_5A36)
        case .strong: Appearance(0xB0_8852, .bold)
        case .current: Appearance(0xC4_8A34, .bold)
        case .selected: Appearance(0xB0_8852, on: 0x35_2510)
        case .pending: Appearance(0xB8_702C, .underline)
        case .warning: Appearance(0xBE_6450, .bold)
        case .filled: Appearance(0x9C_7A4E)
        case .unfilled: Appearance(0x46_3722)
        case .button: Appearance(0x9C_7A4E, .underline)
        }
    }

    /// Numbers of xterm's cube of 6 by 6 by 6 and its greys.
    private static func indexed(_ role: Role) -> Appearance {
        switch role {
        case .text: Appearance(137)
        case .quiet: Appearance(94)
        case .strong: Appearance(137, .bold)
        case .current: Appearance(172, .bold)
        case .selected: Appearance(137, on: 52)
        case .pending: Appearance(136, .underline)
        case .warning: Appearance(167, .bold)
        case .filled: Appearance(137)
        case .unfilled: Appearance(238)
        case .button: Appearance(137, .underline)
        }
    }

    /// Brown or yellow (3) and red (1) of the first eight.
    ///
    /// Not bold, which many terminals show as a bright colour; dim where they can (the Linux console cannot, and its
    /// colour 3 is a brown).
    private static func few(_ role: Role, grey: Int?) -> Appearance {
        switch role {
        case .text, .filled: Appearance(3, .dim)
        case .quiet, .unfilled: grey.map { Appearance($0) } ?? Appearance(1, .dim)
        case .strong, .current: Appearance(3)
        case .selected: Appearance(0, on: 1)
        case .pending, .button: Appearance(3, [.dim, .underline])
        case .warning: Appearance(1)
        }
    }

    private static func attributes(_ role: Role) -> Appearance {
        switch role {
        case .text, .quiet, .filled, .unfilled: Appearance(nil, .dim)
        case .strong: Appearance()
        case .current: Appearance(nil, .bold)
        case .selected: Appearance(nil, [.dim, .reverse])
        case .pending, .button: Appearance(nil, [.dim, .underline])
        case .warning: Appearance(nil, [.bold, .underline])
        }
    }
}
