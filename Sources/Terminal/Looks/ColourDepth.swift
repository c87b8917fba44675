/// How many colours may be used, and how they are named.
enum ColourDepth: Equatable, Sendable {
    /// Only bold, dim, underlined and reversed.
    case none
    case eight
    case sixteen
    /// The 256 colours of xterm.
    case indexed
    /// 24 bits a colour: terminfo knows of them.
    case direct
    /// 24 bits a colour, of which terminfo knows nothing: curses is given numbers of the 256, and what it writes is rewritten.
    case rewritten

    /// - Parameters:
    ///   - colours: as terminfo has it; 0 or less where there are none.
    ///   - isDirect: terminfo's flag RGB (user_caps(5)).
    ///   - numbering: what terminfo writes for colour 200.
    ///   - term: the terminal's kind, as in TERM.
    ///   - environment: where NO_COLOR and COLORTERM come from.
    init(
        colours: Int, isDirect: Bool, numbering: String?, term: String, environment: (String) -> String?
    ) {
        // https://no-color.org: whatever its value is.
        if environment("NO_COLOR") != nil || colours < 8 {
            self = .none
        } else if colours < 16 {
            self = .eight
        } else if colours < 256 {
            self = .sixteen
        } else if isDirect {
            self = .direct
        } else if ["truecolor", "24bit"].contains(environment("COLORTERM")), numbering == "\u{1B}[38;5;200m",
            // GNU screen inherits the variable of the terminal around it, and cannot do it.
            !term.hasPrefix("screen")
        {
            self = .rewritten
        } else {
            self = .indexed
        }
    }
}
