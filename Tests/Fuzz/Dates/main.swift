import FuzzKit
import WireProtocol

func check(_ date: WireDate) {
    let text = date.iso8601
    must(text.utf8.count == 24, "a date is 24 characters long")
    guard let back = WireDate(iso8601: text) else { return must(false, "\(text) can be read") }
    must(back.iso8601 == text, "\(text) reads back as it was written")
}

/// A text of six numbers, each a little past its range at times.
func fields(_ choices: inout Choices) -> (text: String, second: Int) {
    func padded(_ value: Int, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - String(value).utf8.count)) + String(value)
    }
    let year = choices.flag() ? 100 * choices.below(100) : choices.length() % 10_000
    let (month, day) = (choices.below(14), choices.below(33))
    let (hour, minute, second) = (choices.below(25), choices.below(61), choices.below(62))
    let date = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    return (date + "T" + padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2), second)
}

fuzz { input in
    if let date = WireDate(iso8601: String(decoding: input, as: UTF8.self)) {
        check(date)
        must(WireDate(iso8601: date.iso8601) == date, "a date that was read is written as the same moment")
    }
    var choices = Choices(input)
    check(WireDate(milliseconds: choices.integer()))

    let (text, second) = fields(&choices)
    if let date = WireDate(iso8601: text + "Z"), second < 60 {
        must(date.iso8601 == text + ".000Z", "\(text) is a day of the calendar")
    }

    let time = SteadyTime(nanoseconds: choices.integer())
    let delay = choices.number()
    let later = time + delay
    must(delay >= 0 ? later >= time : later <= time, "a delay moves a moment its own way")
}
