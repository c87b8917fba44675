/// A host wall-clock time as it stands on the wire: ISO 8601, UTC, milliseconds.
package struct WireDate: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; years 0001 to 9999.
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: WireDate, right: WireDate) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction]Z`; a fraction is optional and cut to milliseconds.
    package init?(iso8601 text: String) {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skip("T"), let hour = reader.digits(2), reader.skip(":"),
            let minute = reader.digits(2), reader.skip(":"), let second = reader.digits(2),
            year >= 1, (1...12).contains(month), (1...Calendar.daysIn(month: month, year: year)).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var milliseconds = 0
        if reader.skip(".") {
            guard let fraction = reader.fractionInMilliseconds() else { return nil }
            milliseconds = fraction
        }
        guard reader.skip("Z"), reader.isAtEnd else { return nil }
        let days = Calendar.daysSinceEpoch(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        self.milliseconds = Int64(seconds) * 1000 + Int64(milliseconds)
        // The leap second at the very end belongs to the year 10000.
        guard self.milliseconds <= Self.last else { return nil }
    }

    /// Always 24 characters; a time outside the years 0001 to 9999 is written as the nearest one inside.
    package var iso8601: String {
        let (days, rest) = min(max(milliseconds, Self.first), Self.last).flooredDivision(by: 86_400_000)
        let (year, month, day) = Calendar.date(daysSinceEpoch: Int(days))
        return String(unsafeUninitializedCapacity: 24) { text in
            _ = text.initialize(fromContentsOf: "0000-00-00T00:00:00.000Z".utf8)
            Self.write(year, endingAt: 3, of: text)
            Self.write(month, endingAt: 6, of: text)
            Self.write(day, endingAt: 9, of: text)
            Self.write(Int(rest) / 3_600_000, endingAt: 12, of: text)
            Self.write(Int(rest) / 60_000 % 60, endingAt: 15, of: text)
            Self.write(Int(rest) / 1000 % 60, endingAt: 18, of: text)
            Self.write(Int(rest) % 1000, endingAt: 22, of: text)
            return 24
        }
    }

    /// 0001-01-01T00:00:00.000Z.
    private static let first: Int64 = -62_135_596_800_000
    /// 9999-12-31T23:59:59.999Z.
    private static let last: Int64 = 253_402_300_799_999

    private static func write(_ value: Int, endingAt last: Int, of text: UnsafeMutableBufferPointer<UInt8>) {
        var (rest, index) = (value, last)
        while rest > 0 {
            text[index] = 0x30 + UInt8(rest % 10)
            rest /= 10
            index -= 1
        }
    }
}

/// Proleptic Gregorian day arithmetic, after Hinnant ("chrono-Compatible Low-Level Date Algorithms").
private enum Calendar {
    static func daysIn(month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digit() -> Int? {
        guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
        rest.removeFirst()
        return Int(first - 0x30)
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    /// One to nine digits after the dot.
    mutating func fractionInMilliseconds() -> Int? {
        guard let first = digit() else { return nil }
        var (value, count) = (first * 100, 1)
        while let next = digit() {
            count += 1
            if count == 2 { value += next * 10 }
            if count == 3 { value += next }
            if count > 9 { return nil }
        }
        return value
    }
}

extension BinaryInteger {
    fileprivate func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
