internal import CCurses

/// What a role looks like.
struct Appearance: Equatable, Sendable {
    struct Attributes: OptionSet, Sendable {
        let rawValue: UInt32

        static let bold = Attributes(rawValue: UInt32(ALLSPEAK_A_BOLD))
        static let dim = Attributes(rawValue: UInt32(ALLSPEAK_A_DIM))
        static let reverse = Attributes(rawValue: UInt32(ALLSPEAK_A_REVERSE))
        static let underline = Attributes(rawValue: UInt32(ALLSPEAK_A_UNDERLINE))
    }

    /// A palette's number, or 0xRRGGBB; `nil` is the terminal's own.
    var foreground: Int?
    var background: Int?
    var attributes: Attributes

    init(_ foreground: Int? = nil, on background: Int? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    var hasColour: Bool { foreground != nil || background != nil }
}
