/// What a line of an SRT file looks like by itself.
enum LineKind: UInt8 {
    case blank, text
    /// A number that may be a cue's; with a value where it is one that can be kept.
    case number
    case timing
    /// Has an arrow, or is where a time line should be, but no two times can be read off it.
    case brokenTiming
}

/// The lines of a text, each with what it looks like.
struct ClassifiedLines {
    private(set) var ranges: [Range<Int>]
    private(set) var kinds: [LineKind] = []
    /// Of a number its value (-1: none that can be kept), of a time line its place in `timings`.
    private(set) var values: [Int] = []
    private(set) var timings: [TimingLine] = []
    /// The lines of `timings`.
    private(set) var timingLines: [Int] = []

    var count: Int { ranges.count }

    /// Whether the line is what is left of a time line at the end of a cut file: digits, colons, commas and dashes.
    func isHalfTime(_ line: Int, of bytes: [UInt8]) -> Bool {
        let range = ranges[line]
        return range.count < 32 && bytes[range].allSatisfy { (0x2B...0x3A).contains($0) || $0 == 0x20 || $0 == 0x3E }
    }

    init(_ bytes: [UInt8]) {
        ranges = SourceLines.ranges(of: bytes)
        kinds.reserveCapacity(ranges.count)
        values.reserveCapacity(ranges.count)
        var plain = PlainLine()
        for (place, range) in ranges.enumerated() {
            classify(range, place: place, of: bytes, plain: &plain)
        }
    }

    func kind(_ line: Int) -> LineKind {
        line >= 0 && line < kinds.count ? kinds[line] : .blank
    }

    private mutating func classify(_ range: Range<Int>, place: Int, of bytes: [UInt8], plain: inout PlainLine) {
        var first = range.lowerBound
        while first < range.upperBound, bytes[first] <= 0x20 { first += 1 }
        guard first < range.upperBound else { return append(.blank, 0) }
        switch bytes[first] {
        case 0x30...0x39, UInt8(ascii: "#"), UInt8(ascii: "-"), UInt8(ascii: "+"), 0x7F...0xFF:
            plain.fill(from: first..<range.upperBound, of: bytes)
            if plain.bytes.allSatisfy({ $0 == 0x20 }) { return append(.blank, 0) }
            if let value = Self.number(plain.bytes) { return append(.number, value) }
            if let timing = TimingLine(plain) {
                timings.append(timing)
                timingLines.append(place)
                return append(.timing, timings.count - 1)
            }
            // A full time at the start of a line is a time line that lacks its arrow or its end.
            var scanner = TimeScanner(plain.bytes)
            if scanner.time()?.isFull == true { return append(.brokenTiming, 0) }
        default: break
        }
        append(Self.hasArrow(bytes, in: first..<range.upperBound) ? .brokenTiming : .text, 0)
    }

    private mutating func append(_ kind: LineKind, _ value: Int) {
        kinds.append(kind)
        values.append(value)
    }

    /// `12`, ` 12 `, `#12`, `12.`, `12:`, `12)`, `-12`, `12a`; -1 for those whose value cannot be a cue's number.
    private static func number(_ bytes: [UInt8]) -> Int? {
        var scanner = TimeScanner(bytes)
        scanner.skipSpaces()
        var isPlain = true
        if let sign = scanner.next, "#+-".utf8.contains(sign) {
            isPlain = sign != UInt8(ascii: "-")
            scanner.place += 1
        }
        guard let number = scanner.number() else { return nil }
        if let byte = scanner.next, ".:)".utf8.contains(byte) {
            scanner.place += 1
        } else if let byte = scanner.next, (0x61...0x7A).contains(byte | 0x20), byte != UInt8(ascii: "x") {
            isPlain = false
            scanner.place += 1
        }
        scanner.skipSpaces()
        guard scanner.next == nil else { return nil }
        // Nine digits fit every reader's integer.
        return isPlain && number.digits <= 9 ? Int(number.value) : -1
    }

    private static func hasArrow(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        var dashes = 0
        for place in range {
            switch bytes[place] {
            case UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: ">") where dashes >= 2: return true
            default: dashes = 0
            }
        }
        return false
    }
}
