/// What of a peer's text may reach a terminal, log, page or file name.
package enum SafeText {
    /// Unicode scalars of the largest character kept; a family of four in four skin tones has 11.
    private static let maximumScalars = 16

    /// One line: control, line-break and direction-override characters become a space, runs collapse, the rest is cut.
    ///
    /// Directional overrides and isolates (Unicode TR 36 §3.1) are removed because they can rewrite what stands
    /// beside them; right-to-left letters themselves stay. So do the marks U+200E, U+200F and U+061C and the joiners
    /// U+200C and U+200D: Arabic, Hebrew, Persian and Hindi subtitles and joined emoji need them, and a mark is only an
    /// invisible letter of its direction, with no power over what follows.
    /// A letter under a pile of marks becomes U+FFFD whole: one cut off in the middle could join what follows. What is
    /// safe stays the same when made safe again.
    package static func line(_ text: String, maximumCharacters: Int = 256) -> String {
        var result = ""
        var count = 0
        var lastWasSpace = true
        for character in withoutHostile(text) {
            let isSpace = character == " "
            if isSpace && lastWasSpace { continue }
            result.append(character.unicodeScalars.count <= maximumScalars ? character : "\u{FFFD}")
            lastWasSpace = isSpace
            count += 1
            if count == maximumCharacters { break }
        }
        if result.last == " " { result.removeLast() }
        return result
    }

    /// Scalars go before characters are counted, since what stood around them may join into one.
    private static func withoutHostile(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHostile) else { return text }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isHostile(scalar) {
                kept.append(scalar)
            } else if !isTag(scalar) {
                kept.append(" ")
            }
        }
        return String(kept)
    }

    /// Part of a flag's character, so no space takes its place.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        (0xE0000...0xE007F).contains(scalar.value)
    }

    /// Several lines, each made safe by `line`.
    package static func lines(_ text: String, maximumCharacters: Int = 4_096) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line(String($0), maximumCharacters: maximumCharacters) }.joined(separator: "\n")
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: break
        }
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: return true
        default: return isTag(scalar)
        }
    }
}
