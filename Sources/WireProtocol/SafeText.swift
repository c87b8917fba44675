/// What of a peer's text may reach a terminal, log, page or file name.
package enum SafeText {
    /// One line: control, line-break and direction-override characters become a space, runs collapse, the rest is cut.
    ///
    /// Directional overrides and isolates (Unicode TR 36 §3.1) are removed because they can rewrite what stands
    /// beside them; right-to-left letters themselves stay. So do the marks U+200E, U+200F and U+061C and the joiners
    /// U+200C and U+200D: Arabic, Hebrew, Persian and Hindi subtitles and joined emoji need them, and a mark is only an
    /// invisible letter of its direction, with no power over what follows.
    package static func line(_ text: String, maximumCharacters: Int = 256) -> String {
        var result = ""
        var count = 0
        var lastWasSpace = true
        for character in text {
            let kept = String(String.UnicodeScalarView(character.unicodeScalars.filter { !isHostile($0) }.prefix(16)))
            let isSpace = kept.isEmpty || kept == " "
            if isSpace && lastWasSpace { continue }
            result += isSpace ? " " : kept
            lastWasSpace = isSpace
            count += 1
            if count == maximumCharacters { break }
        }
        if result.last == " " { result.removeLast() }
        return result
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
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: return true
        default: return false
        }
    }
}
