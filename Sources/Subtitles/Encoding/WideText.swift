/// Text in units of two or four bytes.
enum WideText {
    enum Form: String {
        case utf16LittleEndian = "UTF-16LE"
        case utf16BigEndian = "UTF-16BE"
        case utf32LittleEndian = "UTF-32LE"
        case utf32BigEndian = "UTF-32BE"
    }

    /// By the byte-order mark, with its length; without one by the zeros, of which text in UTF-8 holds none.
    static func form(of bytes: [UInt8]) -> (form: Form, mark: Int)? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return isBigEndianWithoutMark(bytes).map { ($0 ? .utf16BigEndian : .utf16LittleEndian, 0) }
    }

    static func utf8(of bytes: [UInt8], _ form: Form, from offset: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2 + bytes.count / 8)
        switch form {
        case .utf16LittleEndian, .utf16BigEndian:
            var units = UTF16Units(bytes: bytes, place: offset, isBigEndian: form == .utf16BigEndian)
            while let unit = units.next() {
                if unit < 0x80 {
                    text.append(UInt8(unit))
                } else if let scalar = units.scalar(of: unit), let encoded = UTF8.encode(scalar) {
                    text.append(contentsOf: encoded)
                } else {
                    text += replacement
                }
            }
        case .utf32LittleEndian, .utf32BigEndian:
            for place in stride(from: offset, to: bytes.count - 3, by: 4) {
                let four = bytes[place..<place + 4]
                let value = (form == .utf32BigEndian ? Array(four) : four.reversed()).reduce(0 as UInt32) {
                    $0 << 8 | UInt32($1)
                }
                if let encoded = Unicode.Scalar(value).flatMap(UTF8.encode) {
                    text.append(contentsOf: encoded)
                } else {
                    text += replacement
                }
            }
        }
        return text
    }

    /// U+FFFD.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// UTF-16 without a byte-order mark: every other byte of digits, arrows and Latin letters is zero.
    ///
    /// Time lines alone make up a quarter of any subtitle file.
    private static func isBigEndianWithoutMark(_ bytes: [UInt8]) -> Bool? {
        let pairs = min(bytes.count, 4_096) / 2
        guard pairs >= 8 else { return nil }
        var (evenZeros, oddZeros) = (0, 0)
        for pair in 0..<pairs {
            if bytes[2 * pair] == 0 { evenZeros += 1 }
            if bytes[2 * pair + 1] == 0 { oddZeros += 1 }
        }
        if oddZeros * 4 >= pairs, evenZeros * 50 <= pairs { return false }
        if evenZeros * 4 >= pairs, oddZeros * 50 <= pairs { return true }
        return nil
    }

    /// One unit after the other, so that there is no second copy of a large file.
    private struct UTF16Units: IteratorProtocol {
        let bytes: [UInt8]
        var place: Int
        let isBigEndian: Bool

        mutating func next() -> UInt16? {
            guard place + 1 < bytes.count else { return nil }
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            place += 2
            return isBigEndian ? first << 8 | second : second << 8 | first
        }

        /// With the unit after it where both make one letter; `nil` for half a pair.
        mutating func scalar(of unit: UInt16) -> Unicode.Scalar? {
            guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
            let before = place
            guard let low = next(), low & 0xFC00 == 0xDC00 else {
                place = before
                return nil
            }
            return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
        }
    }
}
