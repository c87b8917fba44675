/// Tells formatting codes from words in angle brackets and braces.
enum FormattingCode {
    /// Names of HTML tags that formatting or mischief puts into subtitles; any other word in angle brackets is text.
    private static let tags = Set<UInt64>(
        [
            "i", "b", "u", "s", "em", "strong", "small", "big", "font", "span", "div", "p", "br", "center", "sub",
            "sup",
            "tt",
            "a", "img", "script", "style", "iframe", "object", "embed", "svg", "video", "audio", "link", "meta", "base",
            "form", "c", "pre",
            "input", "button", "html", "head", "body", "ruby", "rt",
        ].map(packed))
    /// WebVTT §3.5: language and voice spans besides c, i, b, u, ruby and rt.
    private static let webVTTTags = Set<UInt64>(["v", "lang"].map(packed))
    private static let lineBreak = packed("br")
    private static let attributeBytes = 256
    /// Of `00:00:01.500`.
    private static let wordTimeBytes = 12

    /// Whether `inside`, what stands between `<` and `>`, makes a tag.
    static func isTag(_ inside: ArraySlice<UInt8>, isWebVTT: Bool) -> Bool {
        if let first = inside.first, (0x30...0x39).contains(first) {
            // The time of a word, which converted files keep; whole where nothing else says that this is one.
            return (isWebVTT || inside.count >= wordTimeBytes) && inside.allSatisfy(isTimeByte)
        }
        let name = name(inside)
        if tags.contains(name) { return name > 0xFF || isShortTag(inside) }
        return isWebVTT && (webVTTTags.contains(name) || inside.elementsEqual("/".utf8))
    }

    /// Whether a name of one letter makes a tag: `<b>`, `</b >`, `<a href=…>`, `<c.loud>`, not `i<b and b>a`.
    private static func isShortTag(_ inside: ArraySlice<UInt8>) -> Bool {
        let rest = inside.drop { $0 == UInt8(ascii: "/") || $0 == 0x20 }.dropFirst()
        // No further than attributes reach, so that many unclosed ones stay linear.
        return rest.allSatisfy { $0 == 0x20 || $0 == UInt8(ascii: "/") }
            || rest.prefix(attributeBytes).contains(UInt8(ascii: "="))
            || rest.first == UInt8(ascii: ".")
    }

    static func isLineBreak(_ inside: ArraySlice<UInt8>) -> Bool {
        name(inside) == lineBreak
    }

    /// Whether `inside`, what stands between `{` and `}`, is an ASS override (`\an8`) or a MicroDVD one (`y:i`).
    static func isBraceCode(_ inside: ArraySlice<UInt8>) -> Bool {
        let code = inside.drop { $0 == 0x20 }
        guard let first = code.first else { return false }
        if first == UInt8(ascii: "\\") { return code.count > 1 }
        return code.count > 2 && "cCfFoOpPsSyY".utf8.contains(first) && code[code.startIndex + 1] == UInt8(ascii: ":")
    }

    /// The tag's name in lower case, packed; 0 where what follows the letters shows that this is no tag.
    private static func name(_ inside: ArraySlice<UInt8>) -> UInt64 {
        // A space after the `<` of an opening tag makes it a comparison: keeping a tag is better than losing a word.
        var rest = inside
        if rest.first == UInt8(ascii: "/") { rest = rest.dropFirst().drop { $0 == 0x20 } }
        var name: UInt64 = 0
        while let byte = rest.first, isLetter(byte) {
            if name >> 56 != 0 { return 0 }
            name = name << 8 | UInt64(byte | 0x20)
            rest = rest.dropFirst()
        }
        switch rest.first {
        case nil, 0x20, UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "."): return name
        default: return 0
        }
    }

    /// Up to eight letters in one integer, which compares faster than a string.
    private static func packed(_ name: String) -> UInt64 {
        name.utf8.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF)
    }

    private static func isTimeByte(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
    }
}

/// The character references WebVTT knows (§6.4), and those that programs write into other files; no numeric ones.
enum CharacterReference {
    private static let known: [(name: [UInt8], character: String)] = [
        (Array("&amp;".utf8), "&"), (Array("&lt;".utf8), "<"), (Array("&gt;".utf8), ">"),
        (Array("&nbsp;".utf8), "\u{A0}"),
        (Array("&lrm;".utf8), "\u{200E}"), (Array("&rlm;".utf8), "\u{200F}"),
    ]

    /// XML's other two, which WebVTT does not name and SRT files have all the same.
    private static let foreign: [(name: [UInt8], character: String)] =
        known.prefix(4) + [(Array("&quot;".utf8), "\""), (Array("&apos;".utf8), "'")]

    static func match(_ bytes: ArraySlice<UInt8>, isWebVTT: Bool) -> (utf8: String.UTF8View, length: Int)? {
        (isWebVTT ? known : foreign).first { bytes.starts(with: $0.name) }.map { ($0.character.utf8, $0.name.count) }
    }
}

/// Terminal control sequences (ECMA-48), which must not act on a remote's terminal.
enum EscapeSequence {
    /// Bytes of the sequence that the ESC at `place` begins; 1 where none does.
    static func length(in bytes: [UInt8], at place: Int, end: Int) -> Int {
        guard place + 1 < end else { return 1 }
        var next = place + 2
        switch bytes[place + 1] {
        case UInt8(ascii: "["):
            while next < end, (0x20...0x3F).contains(bytes[next]) { next += 1 }
            return next < end && (0x40...0x7E).contains(bytes[next]) ? next + 1 - place : next - place
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
            // A string ends at BEL or ST; 256 bytes bound the search, so that many unended ones stay linear.
            let limit = min(end, place + 256)
            while next < limit {
                if bytes[next] == 0x07 { return next + 1 - place }
                if bytes[next] == 0x1B, next + 1 < end, bytes[next + 1] == UInt8(ascii: "\\") {
                    return next + 2 - place
                }
                next += 1
            }
            return 2
        default:
            return 1
        }
    }
}
