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
    }

    package var iso8601: String {
        let (days, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, day) = Calendar.date(daysSinceEpoch: Int(days))
        let rest = Int(inDay)
        return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + "T"
            + Self.padded(rest / 3_600_000, 2) + ":" + Self.padded(rest / 60_000 % 60, 2) + ":"
            + Self.padded(rest / 1000 % 60, 2) + "." + Self.padded(rest % 1000, 3) + "Z"
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
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
