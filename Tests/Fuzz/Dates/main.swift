import FuzzKit
import WireProtocol

func check(_ date: WireDate) {
    let text = date.iso8601
    must(text.utf8.count == 24, "a date is 24 characters long")
    guard let back = WireDate(iso8601: text) else { return must(false, "\(text) can be read") }
    must(back.iso8601 == text, "\(text) reads back as it was written")
}

fuzz { input in
    if let date = WireDate(iso8601: String(decoding: input, as: UTF8.self)) {
        check(date)
        must(WireDate(iso8601: date.iso8601) == date, "a date that was read is written as the same moment")
    }
    var choices = Choices(input)
    check(WireDate(milliseconds: choices.integer()))

    let time = SteadyTime(nanoseconds: choices.integer())
    let delay = choices.number()
    let later = time + delay
    must(delay >= 0 ? later >= time : later <= time, "a delay moves a moment its own way")
}
