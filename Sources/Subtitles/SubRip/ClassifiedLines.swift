/// What a line of an SRT file looks like by itself.
enum LineKind: UInt8 {
    case blank, text
    /// A number that may be a cue's; with a value where it is one that can be kept.
    case number
    case timing
    /// Has an arrow, or is where a time line should be, but no two times can be read off it.
    case brokenTiming
}

/// One line of a text, or several that lie too far from any time line for it to matter which is which.
struct ClassifiedLine {
    // Files are smaller than 4 GiB (`SubtitleReader.maximumBytes`), and there may be millions of lines.
    private var lowerBound: UInt32
    private var upperBound: UInt32
    private var lineNumber: UInt32
    fileprivate var storedValue: Int32
    fileprivate(set) var kind: LineKind
    /// Stands for several lines, blank ones among them.
    fileprivate(set) var isMerged = false

    fileprivate init(_ kind: LineKind, _ value: Int, range: Range<Int>, number: Int) {
        self.kind = kind
        storedValue = Int32(value)
        lowerBound = UInt32(range.lowerBound)
        upperBound = UInt32(range.upperBound)
        lineNumber = UInt32(number)
    }

    var range: Range<Int> { Int(lowerBound)..<Int(upperBound) }
    /// Counted from 1.
    var number: Int { Int(lineNumber) }
    /// Of a number its value (-1: none that can be kept), of a time line its place in `timings`.
    var value: Int { Int(storedValue) }

    fileprivate mutating func merge(_ next: ClassifiedLine) {
        upperBound = next.upperBound
        kind = .text
        isMerged = true
    }
}

/// The lines of a text, each with what it looks like.
///
/// Several blank lines in a row are one, and of a long text all but its first and last lines are one, so that there
/// are never many more lines than time lines.
struct ClassifiedLines {
    /// Lines kept one by one after a time line and before the next: rules look at no others.
    private static let (keptAfter, keptBefore) = (2, 8)

    private(set) var lines: [ClassifiedLine] = []
    private(set) var timings: [TimingLine] = []
    /// Their places in `lines`.
    private(set) var timingLines: [Int] = []
    private var sinceTimeLine = 0

    var count: Int { lines.count }

    subscript(line: Int) -> ClassifiedLine { lines[line] }

    init(_ bytes: [UInt8]) throws(SubtitleError) {
        lines.reserveCapacity(bytes.count / 24)
        var plain = PlainLine()
        var number = 0
        for range in SourceLines(bytes) {
            number += 1
            // Most of what a file can be blown up with.
            if range.isEmpty, lines.last?.kind == .blank { continue }
            classify(range, number: number, of: bytes, plain: &plain)
            if timings.count > SubtitleReader.maximumCues { throw .tooManyCues }
        }
    }

    func kind(_ line: Int) -> LineKind {
        line >= 0 && line < lines.count ? lines[line].kind : .blank
    }

    /// Whether the line is what is left of a time line at the end of a cut file: digits, colons, commas and dashes.
    func isHalfTime(_ line: Int, of bytes: [UInt8]) -> Bool {
        let range = lines[line].range
        return range.count < 32 && bytes[range].allSatisfy { (0x2B...0x3A).contains($0) || $0 == 0x20 || $0 == 0x3E }
    }

    private mutating func classify(_ range: Range<Int>, number: Int, of bytes: [UInt8], plain: inout PlainLine) {
        var kind = LineKind.text
        var value = 0
        var first = range.lowerBound
        while first < range.upperBound, bytes[first] <= 0x20 { first += 1 }
        if first == range.upperBound {
            kind = .blank
        } else {
            switch bytes[first] {
            case 0x30...0x39 where isUsual(first..<range.upperBound, of: bytes, &kind, &value): break
            case 0x30...0x39, UInt8(ascii: "#"), UInt8(ascii: "-"), UInt8(ascii: "+"), 0x7F...0xFF:
                plain.fill(from: first..<range.upperBound, of: bytes)
                (kind, value) = recognise(plain)
            default: break
            }
            if kind == .text, Self.hasArrow(bytes, in: first..<range.upperBound) { kind = .brokenTiming }
        }
        append(ClassifiedLine(kind, value, range: range, number: number))
    }

    /// Numbers and time lines as programs write them need no closer look; nearly all lines that begin with a digit are one.
    private mutating func isUsual(
        _ line: Range<Int>, of bytes: [UInt8], _ kind: inout LineKind, _ value: inout Int
    ) -> Bool {
        if let number = Self.usualNumber(bytes[line]) {
            (kind, value) = (.number, number)
            return true
        }
        guard let timing = TimingLine(usual: line, of: bytes) else { return false }
        (kind, value) = take(timing)
        return true
    }

    private mutating func take(_ timing: TimingLine) -> (LineKind, value: Int) {
        timings.append(timing)
        timingLines.append(lines.count)
        return (.timing, timings.count - 1)
    }

    private static func usualNumber(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.count <= 9 else { return nil }
        var number = 0
        for byte in line {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    private mutating func recognise(_ plain: PlainLine) -> (LineKind, value: Int) {
        if plain.bytes.first == UInt8(ascii: "x") { return (.text, 0) }
        if plain.isBlank { return (.blank, 0) }
        if let value = Self.number(plain.bytes) { return (.number, value) }
        if let timing = TimingLine(plain) { return take(timing) }
        // A full time at the start of a line is a time line that lacks its arrow or its end.
        var scanner = TimeScanner(plain.bytes)
        return (scanner.time()?.isFull == true ? .brokenTiming : .text, 0)
    }

    private mutating func append(_ line: ClassifiedLine) {
        if line.kind == .blank, lines.last?.kind == .blank { return }
        lines.append(line)
        guard line.kind != .timing, line.kind != .brokenTiming else {
            sinceTimeLine = 0
            return
        }
        sinceTimeLine += 1
        guard sinceTimeLine > Self.keptAfter + 1 + Self.keptBefore else { return }
        sinceTimeLine -= 1
        let merged = lines.count - Self.keptBefore - 2
        lines[merged].merge(lines[merged + 1])
        lines.remove(at: merged + 1)
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
        bytes.withUnsafeBufferPointer { buffer in
            var place = range.lowerBound + 2
            while place < range.upperBound {
                if buffer[place] == UInt8(ascii: ">"), buffer[place - 1] == UInt8(ascii: "-"),
                    buffer[place - 2] == UInt8(ascii: "-")
                {
                    return true
                }
                place += 1
            }
            return false
        }
    }
}
