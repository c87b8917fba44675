/// A line that says from when to when a cue is shown.
struct TimingLine {
    var start: ScannedTime
    /// `nil` where it cannot be read.
    var end: ScannedTime?
    /// A number that stands before the start time.
    var ownIndex: Int?
    /// Both times in full and an arrow between: nothing but a time line looks like this.
    var isFull: Bool
    /// A start without an arrow, which only a number and a blank line above tell from text.
    var isBare = false
    /// Where in the file text after the times begins, if there is any.
    var textOffset: Int?

    /// Reads `00:00:01,000 --> 00:00:02,000` and nothing else; `nil` where it is written otherwise.
    init?(usual line: Range<Int>, of bytes: [UInt8]) {
        guard line.count == 29, bytes[line].dropFirst(12).prefix(5).elementsEqual(" --> ".utf8) else { return nil }
        guard let start = Self.usualTime(bytes[line].prefix(12)), let end = Self.usualTime(bytes[line].suffix(12))
        else {
            return nil
        }
        (self.start, self.end, isFull) = (start, end, true)
    }

    /// Of `00:00:01,000`, with minutes and seconds below 60.
    private static func usualTime(_ bytes: ArraySlice<UInt8>) -> ScannedTime? {
        var milliseconds: Int64 = 0
        var part: Int64 = 0
        for (place, byte) in bytes.enumerated() {
            switch place {
            case 2, 5:
                guard byte == UInt8(ascii: ":"), place == 2 || part < 60 else { return nil }
                milliseconds = (milliseconds + part) * 60
                part = 0
            case 8:
                guard byte == UInt8(ascii: ","), part < 60 else { return nil }
                milliseconds = (milliseconds + part) * 1_000
                part = 0
            default:
                guard (0x30...0x39).contains(byte) else { return nil }
                part = part * 10 + Int64(byte - 0x30)
            }
        }
        return ScannedTime(
            microseconds: (milliseconds + part) * 1_000, isFull: true, wasNegative: false, isOversized: false)
    }

    /// Reads `line`; `nil` where it is no time line.
    init?(_ line: PlainLine) {
        var scanner = TimeScanner(line.bytes)
        var index: Int?
        if let time = scanner.time() {
            start = time
        } else {
            index = scanner.indexBeforeTime()
            guard index != nil, let time = scanner.time() else { return nil }
            start = time
        }
        ownIndex = index
        guard let hasHead = scanner.arrow() else {
            // A start alone, in full and with nothing behind it, as the last line of a cut file has it.
            scanner.skipSpaces()
            guard start.isFull, scanner.next == nil else { return nil }
            (isFull, isBare) = (false, true)
            return
        }
        end = scanner.time()
        // Without an arrow's head, or an end, only the whole form is certain not to be text.
        guard hasHead ? end != nil || start.isFull : start.isFull && end?.isFull == true else { return nil }
        isFull = start.isFull && end?.isFull == true && hasHead
        if end == nil { return }
        textOffset = scanner.offsetOfText(in: line)
    }
}

extension TimeScanner {
    /// The number in `12 00:00:01,000`, `12. 00:…` or `#12: 00:…`, and moves past it.
    fileprivate mutating func indexBeforeTime() -> Int? {
        skipSpaces()
        if next == UInt8(ascii: "#") { place += 1 }
        guard let number = number(), number.digits <= 9 else { return nil }
        while let byte = next, ".:)-".utf8.contains(byte) { place += 1 }
        guard next == 0x20 else { return nil }
        return Int(number.value)
    }

    /// Past coordinates (`X1:100`) and settings (`align:start`) to the first word that is neither.
    fileprivate mutating func offsetOfText(in line: PlainLine) -> Int? {
        while true {
            skipSpaces()
            guard let first = next else { break }
            let wordStart = place
            var hasColon = false
            var hasWordCharacter = false
            while let byte = next, byte != 0x20 {
                if byte == UInt8(ascii: ":"), place > wordStart { hasColon = true }
                if byte > 0x3F || (0x30...0x39).contains(byte) { hasWordCharacter = true }
                place += 1
            }
            let isSetting = hasColon && (0x41...0x5A).contains(first & 0xDF)
            if hasWordCharacter && !isSetting { return line.offsets[wordStart] }
        }
        // What the plain line did not reach is text unless it is nothing but the end of the settings.
        return nil
    }
}
