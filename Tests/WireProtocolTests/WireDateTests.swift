import Testing
import WireProtocol

@Suite("Dates on the wire")
struct WireDateTests {
    @Test(
        "a date is read to the millisecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("2001-09-09T01:46:40Z", 1_000_000_000_000),
            ("2026-03-01T12:34:56.789Z", 1_772_368_496_789), ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("1969-12-31T23:59:59.999Z", -1), ("1900-01-01T00:00:00Z", -2_208_988_800_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func reading(text: String, milliseconds: Int64) {
        #expect(WireDate(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(
        "a fraction is optional, of one to nine digits, and cut to milliseconds",
        arguments: [
            (".5", 500), (".05", 50), (".005", 5), (".0009", 0), (".9999", 999), (".123456789", 123), (".000000000", 0),
        ] as [(String, Int64)])
    func fractions(fraction: String, milliseconds: Int64) {
        #expect(WireDate(iso8601: "1970-01-01T00:00:00\(fraction)Z")?.milliseconds == milliseconds)
    }

    @Test(
        "29 February is there in leap years only",
        arguments: [
            (2024, true), (2023, false), (2000, true), (1900, false), (2100, false), (1600, true),
        ])
    func leapDays(year: Int, isLeap: Bool) {
        #expect((WireDate(iso8601: "\(year)-02-29T00:00:00Z") != nil) == isLeap)
        #expect(WireDate(iso8601: "\(year)-02-28T00:00:00Z") != nil)
    }

    @Test("a leap second counts as the first second of the next minute")
    func leapSecond() {
        #expect(WireDate(iso8601: "2016-12-31T23:59:60Z") == WireDate(iso8601: "2017-01-01T00:00:00Z"))
    }

    @Test(
        "anything else is no date",
        arguments: [
            "", "now", "2026-03-01", "2026-03-01T12:34:56", "2026-03-01 12:34:56Z", "2026-03-01t12:34:56z",
            "2026-03-01T12:34:56+00:00", "2026-03-01T12:34Z", "2026-3-1T12:34:56Z", "26-03-01T12:34:56Z",
            "2026-00-01T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "9999-12-31T23:59:60Z", "0000-01-01T00:00:00Z",
            "-001-01-01T00:00:00Z",
            "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00.12aZ",
            "2026-01-01T00:00:00,5Z",
            "2026-01-01T00:00:00ZZ", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z\n", "12026-01-01T00:00:00Z",
            "２０２６-01-01T00:00:00Z",
        ])
    func invalid(text: String) {
        #expect(WireDate(iso8601: text) == nil)
    }

    @Test(
        "a date is written in UTC with three decimals",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_772_368_496_789, "2026-03-01T12:34:56.789Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func writing(milliseconds: Int64, text: String) {
        #expect(WireDate(milliseconds: milliseconds).iso8601 == text)
    }

    @Test("beyond the years 0001 to 9999 the nearest date inside is written")
    func outOfRange() {
        #expect(WireDate(milliseconds: .min).iso8601 == "0001-01-01T00:00:00.000Z")
        #expect(WireDate(milliseconds: .max).iso8601 == "9999-12-31T23:59:59.999Z")
    }

    @Test("what was written reads back as the same date, in every year")
    func roundTrip() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50_000 {
            let date = WireDate(
                milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator))
            #expect(WireDate(iso8601: date.iso8601) == date)
        }
        // Every first millisecond and last one of a day, by a step that meets each day of a month in each century.
        for day in stride(from: Int64(-719_162), through: 2_932_896, by: 37) {
            for date in [WireDate(milliseconds: day * 86_400_000), WireDate(milliseconds: (day + 1) * 86_400_000 - 1)] {
                #expect(WireDate(iso8601: date.iso8601) == date)
            }
        }
    }

    @Test("dates order as their times do, and as their texts do")
    func order() {
        let (earlier, later) = (WireDate(milliseconds: 999), WireDate(milliseconds: 1_000))
        #expect(earlier < later)
        #expect(earlier.iso8601 < later.iso8601)
    }
}

@Suite("Steady time")
struct SteadyTimeTests {
    @Test("seconds add and subtract to the nanosecond")
    func arithmetic() {
        let start = SteadyTime(nanoseconds: 1_000_000_000)
        #expect((start + 0.25).nanoseconds == 1_250_000_000)
        #expect((start + -2).nanoseconds == -1_000_000_000)
        #expect((start + 0.25) - start == 0.25)
        #expect(start - (start + 3) == -3)
        #expect(start < start + 1e-9)
    }

    @Test("no delay traps, however absurd")
    func absurdDelays() {
        let start = SteadyTime(nanoseconds: 5)
        #expect((start + 1e300).nanoseconds == .max)
        #expect((start + .infinity).nanoseconds == .max)
        #expect((SteadyTime(nanoseconds: -5) + -1e300).nanoseconds == .min)
        #expect((start + .nan) == start)
        #expect((SteadyTime(nanoseconds: .max) + 1).nanoseconds == .max)
        #expect((SteadyTime(nanoseconds: .min) + -1).nanoseconds == .min)
    }
}
