/// The beginning of a line in plain ASCII, so that times and numbers are read in one alphabet.
///
/// Full-width digits and punctuation, typographic dashes and arrows become their ASCII kin, invisible characters go.
/// The first character without such kin ends it, as `x`.
struct PlainLine {
    /// No time line with its settings is longer.
    private static let limit = 128

    private(set) var bytes: [UInt8] = []
    /// Where in the file each of `bytes` stands, and after them where the line goes on.
    private(set) var offsets: [Int] = []

    /// Nothing but spaces, of whatever width, and invisible characters.
    var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 } }

    init() {
        bytes.reserveCapacity(Self.limit + 2)
        offsets.reserveCapacity(Self.limit + 3)
    }

    mutating func fill(from line: Range<Int>, of source: [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        var place = line.lowerBound
        scan: while place < line.upperBound, bytes.count < Self.limit {
            let byte = source[place]
            if byte < 0x80 {
                if (0x09...0x0C).contains(byte) {
                    append(0x20, at: place)
                } else if byte >= 0x20 && byte != 0x7F {
                    append(byte, at: place)
                }
                place += 1
                continue
            }
            let next = place + 1 < line.upperBound ? source[place + 1] : 0
            let third = place + 2 < line.upperBound ? source[place + 2] : 0
            switch (byte, next, third) {
            case (0xC2, 0xA0, _): append(0x20, at: place)
            case (0xE3, 0x80, 0x80): append(0x20, at: place)
            case (0xEF, 0xBB, 0xBF): break
            // Zero-width and directional marks: U+200B…200F, U+202A…202E, U+2060…206F.
            case (0xE2, 0x80, 0x8B...0x8F), (0xE2, 0x80, 0xAA...0xAE), (0xE2, 0x81, 0xA0...0xAF): break
            case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF): append(0x20, at: place)
            // Hyphens and dashes U+2010…2015, the minus sign U+2212, box drawing U+2500.
            case (0xE2, 0x80, 0x90...0x95), (0xE2, 0x88, 0x92), (0xE2, 0x94, 0x80):
                append(UInt8(ascii: "-"), at: place)
            // Arrows U+2192, U+21D2, U+27F6.
            case (0xE2, 0x86, 0x92), (0xE2, 0x87, 0x92), (0xE2, 0x9F, 0xB6): append(UInt8(ascii: ">"), at: place)
            // Full-width forms U+FF01…FF3F stand 0xFEE0 above ASCII.
            case (0xEF, 0xBC, 0x81...0xBF): append(third - 0x60, at: place)
            default:
                append(UInt8(ascii: "x"), at: place)
                break scan
            }
            place += byte < 0xE0 ? 2 : 3
        }
        offsets.append(min(place, line.upperBound))
    }

    private mutating func append(_ byte: UInt8, at offset: Int) {
        bytes.append(byte)
        offsets.append(offset)
    }
}
