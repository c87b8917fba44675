/// How much of a file is UTF-8 as RFC 3629 has it.
struct UTF8Check {
    /// Well-formed sequences of several bytes.
    private(set) var sequences = 0
    private(set) var badBytes = 0
    private(set) var firstBad: Int?
    /// More bad bytes than sequences by so many, and the rest of the file no longer matters.
    private static let certainty = 4_096

    /// Bytes of a character that the end of the file cuts off; counted as bad.
    private(set) var cutBytes = 0

    /// `isBrief`: only to tell what the file is, without a count of all its bad bytes.
    init(_ bytes: [UInt8], isBrief: Bool = false) {
        bytes.withUnsafeBytes { survey($0, isBrief: isBrief) }
        if badBytes > 0 { cutBytes = Self.cutBytes(of: bytes) }
    }

    private mutating func survey(_ bytes: UnsafeRawBufferPointer, isBrief: Bool) {
        var place = 0
        while place < bytes.count {
            // Eight letters at once, as long as all are ASCII.
            while place + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                place += 8
            }
            guard place < bytes.count else { return }
            if bytes[place] < 0x80 {
                place += 1
            } else if let length = Self.sequenceLength(in: bytes, at: place) {
                sequences += 1
                place += length
            } else if Self.isSurrogate(in: bytes, at: place) {
                if firstBad == nil { firstBad = place }
                sequences += 3
                badBytes += 3
                place += 3
            } else {
                if firstBad == nil { firstBad = place }
                badBytes += 1
                place += 1
                if isBrief, badBytes > sequences + Self.certainty { return }
            }
        }
    }

    /// UTF-8 with damage rather than an old code page: those seldom hold what looks like UTF-8, and UTF-8 that was cut
    /// or joined with other text holds little else.
    var isMostlyUTF8: Bool {
        sequences >= badBytes || badBytes == cutBytes && cutBytes > 1
    }

    private static func cutBytes(of bytes: [UInt8]) -> Int {
        for length in 1...min(3, bytes.count) {
            let lead = bytes[bytes.count - length]
            if lead & 0xC0 == 0x80 { continue }
            let whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1
            return lead <= 0xF4 && whole > length ? length : 0
        }
        return 0
    }

    /// Half of a pair of UTF-16 that a careless program made UTF-8 of (CESU-8): an error, but of UTF-8 all the same.
    private static func isSurrogate(in bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        place + 3 <= bytes.count && bytes[place] == 0xED && bytes[place + 1] >= 0xA0 && bytes[place + 1] < 0xC0
            && bytes[place + 2] & 0xC0 == 0x80
    }

    /// Bytes of the well-formed sequence of several bytes at `place` (Unicode 15, table 3-7).
    private static func sequenceLength(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
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
