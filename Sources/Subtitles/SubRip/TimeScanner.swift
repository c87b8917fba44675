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
    mutating func number() -> (value: Int64, digits: Int)? {
        let start = place
        var value: Int64 = 0
        while let byte = next, (0x30...0x39).contains(byte) {
            if place - start < 12 { value = value * 10 + Int64(byte - 0x30) }
            place += 1
        }
        return place == start ? nil : (value, place - start)
    }

    /// Hours:minutes:seconds,fraction with a comma, dot, semicolon or colon before the fraction, spaces around any of them,
    /// any number of digits in each part; hours and fraction may be missing.
    ///
    /// A fraction is decimal however many digits it has: `,5` is half a second. Where nothing fits, `place` stays.
    mutating func time() -> ScannedTime? {
        let start = place
        skipSpaces()
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var parts: [(value: Int64, digits: Int)] = []
        var fraction: (value: Int64, digits: Int)?
        while let part = number() {
            parts.append(part)
            let afterPart = place
            skipSpaces()
            guard let separator = next, parts.count <= 4 else { break }
            place += 1
            skipSpaces()
            if separator == UInt8(ascii: ":"), let digit = next, (0x30...0x39).contains(digit) { continue }
            if [UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ";")].contains(separator), parts.count >= 2,
                let found = number()
            {
                fraction = found
                break
            }
            // Settings may follow the time, or a comma that belongs to nothing.
            place = afterPart
            break
        }
        if parts.count == 4, fraction == nil { fraction = parts.removeLast() }
        if let time = Self.time(parts: parts, fraction: fraction, isNegative: isNegative) {
            if next != UInt8(ascii: ":") { return time }
        }
        place = start
        return nil
    }

    private static func time(
        parts: [(value: Int64, digits: Int)], fraction: (value: Int64, digits: Int)?, isNegative: Bool
    ) -> ScannedTime? {
        guard (2...3).contains(parts.count) else { return nil }
        let hours = parts.count == 3 ? parts[0].value : 0
        let minutes = parts[parts.count - 2].value
        let seconds = parts[parts.count - 1].value
        // A million hours, and three-digit minutes where there are no hours, bound what a slip of the finger can make.
        guard hours < 1_000_000, minutes < 1_000, seconds < 100 else { return nil }
        var micros: Int64 = 0
        if let fraction {
            micros = fraction.value
            for _ in min(fraction.digits, 12)..<12 { micros *= 10 }
            micros /= 1_000_000
        }
        let total = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros
        return ScannedTime(
            microseconds: isNegative ? 0 : total, isFull: parts.count == 3 && fraction != nil,
            wasNegative: isNegative && total > 0, isOversized: seconds > 59 || parts.count == 3 && minutes > 59)
    }

    /// `-->` and what people and programs make of it; `nil` where there is no arrow.
    ///
    /// - Returns: Whether it has a head: two dashes alone may stand in ordinary text.
    mutating func arrow() -> (hasHead: Bool, isUsual: Bool)? {
        skipSpaces()
        let start = place
        var (dashes, hasHead) = (0, false)
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
        return (hasHead, hasHead && dashes > 0)
    }
}
