/// A file's bytes as UTF-8, whatever Unicode encoding it came in.
///
/// Bytes that are no UTF-8 stay as they are; `String(decoding:as:)` makes one U+FFFD of each later, so a bad byte costs
/// one character and nothing around it.
struct SourceText {
    let utf8: [UInt8]
    /// Offset in `utf8`.
    let firstInvalidByte: Int?

    init(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            utf8 = Array(bytes.dropFirst(3))
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            utf8 = Self.utf8(ofUTF16: bytes, from: 2, isBigEndian: false)
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            utf8 = Self.utf8(ofUTF16: bytes, from: 2, isBigEndian: true)
        } else if let isBigEndian = Self.looksLikeUTF16(bytes) {
            utf8 = Self.utf8(ofUTF16: bytes, from: 0, isBigEndian: isBigEndian)
        } else {
            utf8 = bytes
        }
        firstInvalidByte = UTF8Check.firstInvalidByte(in: utf8)
    }

    /// Counted from 1; CR, LF and CRLF each end a line.
    func lineNumber(at offset: Int) -> Int {
        SourceLines.ranges(of: Array(utf8.prefix(offset))).count
    }

    /// UTF-16 without a byte-order mark: every other byte of digits, arrows and Latin letters is zero.
    ///
    /// Time lines alone make up a quarter of any subtitle file; text in UTF-8 holds no zeros at all.
    private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool? {
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

    private static func utf8(ofUTF16 bytes: [UInt8], from offset: Int, isBigEndian: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var place = offset
        while place + 1 < bytes.count {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            place += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

/// Whether bytes are UTF-8 as RFC 3629 has it.
enum UTF8Check {
    static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        var place = 0
        while place < bytes.count {
            let lead = bytes[place]
            if lead < 0x80 {
                place += 1
                continue
            }
            guard let length = sequenceLength(in: bytes, at: place) else { return place }
            place += length
        }
        return nil
    }

    /// Bytes of the well-formed sequence of several bytes at `place` (Unicode 15, table 3-7).
    private static func sequenceLength(in bytes: [UInt8], at place: Int) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[place] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard place + length <= bytes.count, second.contains(bytes[place + 1]) else { return nil }
        for further in place + 1..<place + length where bytes[further] & 0xC0 != 0x80 { return nil }
        return length
    }
}
