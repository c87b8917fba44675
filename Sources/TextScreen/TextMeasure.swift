/// How many columns a terminal gives to text.
///
/// Terminals agree on single scalars (`wcwidth` of the C library), and not on sequences that join several into one
/// picture. So measure and terminal are only ever given what they agree on: joiners and picture selectors go, and a
/// family of four is shown as the four people who are in it.
package struct TextMeasure: Sendable {
    /// Columns of one scalar: 0 for a mark that joins the letter before it, 2 for a wide one; below 0 if it cannot be shown.
    private let width: @Sendable (Unicode.Scalar) -> Int

    package init(width: @escaping @Sendable (Unicode.Scalar) -> Int) {
        self.width = width
    }

    /// The same text as it can be shown and measured.
    package func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var scalars = String.UnicodeScalarView()
        var hasLetter = false
        for scalar in text.unicodeScalars where !Self.joins(scalar) {
            let columns = width(scalar)
            if columns < 0 {
                scalars.append("\u{FFFD}")
                hasLetter = true
            } else if columns > 0 || hasLetter {
                scalars.append(scalar)
                hasLetter = true
            }
        }
        return String(scalars)
    }

    /// Columns of a text that `shown` has made.
    package func columns(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// Columns of one character of such a text.
    func columns(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    private func columns(_ scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : max(0, width(scalar))
    }

    /// The zero-width joiner, and the two that choose between a letter's and a picture's looks (UTS 51).
    ///
    /// Persian and Indian scripts also use the joiner and the non-joiner: the latter stays.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        [0x200D, 0xFE0E, 0xFE0F].contains(scalar.value)
    }
}
