/// What of a peer's text may reach a terminal, log, page or file name.
package enum SafeText {
    /// Unicode scalars of the largest character kept; a family of four in four skin tones has 11.
    private static let maximumScalars = 16

    /// One line: control, line-break and direction-override characters become a space, runs collapse, the rest is cut.
    ///
    /// Directional overrides and isolates (Unicode TR 36 §3.1) are removed because they can rewrite what stands
    /// beside them; right-to-left letters themselves stay. So do the marks U+200E, U+200F and U+061C and the joiners
    /// U+200C and U+200D: Arabic, Hebrew, Persian and Hindi subtitles and joined emoji need them, and a mark is only an
    /// invisible letter of its direction, with no power over what follows. A letter under a pile of marks becomes U+FFFD whole: one cut off in the middle could join what follows. What is
    /// safe stays the same when made safe again.
    package static func line(_ text: String, maximumCharacters: Int = 256) -> String {
        if isSafeAsItIs(text, maximumCharacters, acrossLines: false) { return text }
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
        if isSafeAsItIs(text, maximumCharacters, acrossLines: true) { return text }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line(String($0), maximumCharacters: maximumCharacters) }.joined(separator: "\n")
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls, and what separates lines and paragraphs.
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: isTag(scalar)
        }
    }

    /// Whether nothing would be changed, seen without taking the text apart; false where that is not certain.
    ///
    /// A film has thousands of lines, and breaking them into characters takes forty times as long.
    private static func isSafeAsItIs(_ text: String, _ maximumCharacters: Int, acrossLines: Bool) -> Bool {
        // No text has more characters than bytes.
        guard text.utf8.count <= maximumCharacters else { return false }
        var lastWasSpace = true
        var isASCII = true
        for byte in text.utf8 {
            // Also an empty line is left to the long way.
            let isSpace = byte == 0x20 || byte == 0x0A && acrossLines
            if isSpace ? lastWasSpace : byte < 0x20 || byte == 0x7F { return false }
            if byte >= 0x80 { isASCII = false }
            lastWasSpace = isSpace
        }
        if lastWasSpace && !text.isEmpty { return false }
        return isASCII || text.unicodeScalars.allSatisfy { $0.value < 0x80 || standsAlone($0) }
    }

    /// Letters, digits and signs that are neither hostile nor ever part of a larger character: those of most subtitles.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0...0x2FF: true
        // Greek, Cyrillic, Armenian; Hebrew and Arabic letters without points.
        case 0x370...0x482, 0x48A...0x590, 0x5D0...0x5F4, 0x620...0x64A: true
        // Latin with accents, Greek with accents, dashes and quotation marks.
        case 0x1E00...0x1FFF, 0x2010...0x2027: true
        // Japanese, Chinese and Korean letters, and their signs in full width.
        case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FE, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF60: true
        default: false
        }
    }
}
