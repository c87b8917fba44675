/// A time as it stands on a time line.
struct ScannedTime {
    /// Microseconds, not negative.
    var microseconds: Int64
    /// Hours, minutes, seconds and a fraction, all there.
    var isFull: Bool
    var wasNegative: Bool
    /// Minutes or seconds above 59.
    var isOversized: Bool
}

/// Reads numbers and times off a plain line.
struct TimeScanner {
    /// A run of digits.
    struct Part {
        var value: Int64
        var digits: Int
    }

    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpaces() {
        while next == 0x20 { place += 1 }
    }

    /// The digits here; none past 12 are taken in, so that nothing overflows.
    mutating func number() -> Part? {
        let start = place
        var value: Int64 = 0
        while let byte = next, (0x30...0x39).contains(byte) {
            if place - start < 12 { value = value * 10 + Int64(byte - 0x30) }
            place += 1
        }
        return place == start ? nil : Part(value: value, digits: place - start)
    }

    /// Hours:minutes:seconds,fraction: a comma, dot, semicolon or colon before the fraction, spaces around any of them,
    /// any number of digits in each part; hours and fraction may be missing.
    ///
    /// A fraction is decimal however many digits it has: `,5` is half a second. Where nothing fits, `place` stays.
    mutating func time() -> ScannedTime? {
        let start = place
        skipSpaces()
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        // Hours to milliseconds, and one more to see that there are too many.
        var parts = InlineArray<5, Part>(repeating: Part(value: 0, digits: 0))
        var count = 0
        var fraction: Part?
        // Some write 00.00.01.000.
        var isDotted = false
        while count < parts.count, let part = number() {
            parts[count] = part
            count += 1
            let afterPart = place
            skipSpaces()
            guard let separator = next else { break }
            place += 1
            skipSpaces()
            if let digit = next, (0x30...0x39).contains(digit) {
                if separator == UInt8(ascii: ".") && (count == 1 || isDotted && count < 4) {
                    isDotted = true
                    continue
                }
                if separator == UInt8(ascii: ":"), !isDotted { continue }
            }
            if separator == UInt8(ascii: ",") || separator == UInt8(ascii: ".") || separator == UInt8(ascii: ";"),
                count >= 2, let found = number()
            {
                fraction = found
            } else {
                // Settings may follow the time, or a comma that belongs to nothing.
                place = afterPart
            }
            break
        }
        if count == 4, fraction == nil {
            fraction = parts[3]
            count = 3
        }
        if isDotted, count != 3 || fraction == nil {
            place = start
            return nil
        }
        if count == 2 || count == 3, next != UInt8(ascii: ":") {
            let hours = count == 3 ? parts[0].value : nil
            let clock = (hours: hours, minutes: parts[count - 2].value, seconds: parts[count - 1].value)
            if let time = Self.time(clock, fraction: fraction, isNegative: isNegative) { return time }
        }
        place = start
        return nil
    }

    private static func time(
        _ clock: (hours: Int64?, minutes: Int64, seconds: Int64), fraction: Part?, isNegative: Bool
    ) -> ScannedTime? {
        let hours = clock.hours ?? 0
        // A million hours, and three-digit minutes where there are no hours, bound what a slip of the finger can make.
        guard hours < 1_000_000, clock.minutes < 1_000, clock.seconds < 100 else { return nil }
        var micros: Int64 = 0
        if let fraction {
            micros = fraction.value
            for _ in min(fraction.digits, 12)..<12 { micros *= 10 }
            micros /= 1_000_000
        }
        let total = ((hours * 60 + clock.minutes) * 60 + clock.seconds) * 1_000_000 + micros
        return ScannedTime(
            microseconds: isNegative ? 0 : total, isFull: clock.hours != nil && fraction != nil,
            wasNegative: isNegative && total > 0,
            isOversized: clock.seconds > 59 || clock.hours != nil && clock.minutes > 59)
    }

    /// `-->` and what people and programs make of it; `nil` where there is no arrow.
    ///
    /// SubViewer and YouTube put a comma there, which counts as one without a head.
    /// - Returns: Whether it has a head: two dashes alone may stand in ordinary text.
    mutating func arrow() -> Bool? {
        skipSpaces()
        let start = place
        var (dashes, hasHead) = (0, false)
        if next == UInt8(ascii: ",") {
            place += 1
            skipSpaces()
            if let digit = next, (0x30...0x39).contains(digit) { return false }
        }
        scan: while let byte = next {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "="):
                // A dash after the head is the sign of a negative end.
                if hasHead { break scan }
                dashes += 1
            case UInt8(ascii: ">"): hasHead = true
            case UInt8(ascii: "&") where bytes[place...].starts(with: "&gt;".utf8):
                hasHead = true
                place += 3
            case 0x20: break
            default: break scan
            }
            place += 1
        }
        guard dashes + (hasHead ? 1 : 0) > 0 else {
            place = start
            return nil
        }
        return hasHead
    }
}
