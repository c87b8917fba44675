import FuzzKit
import WireProtocol

fuzz { input in
    var choices = Choices(input)
    let limit = choices.one(of: [256, 1, 2, 40, 64])
    let bytes = choices.remainder()
    let text = String(decoding: bytes, as: UTF8.self)

    let line = SafeText.line(text, maximumCharacters: limit)
    mustBeSafe(line, "a line")
    must(!line.contains { $0.isNewline }, "a line is one line")
    must(line.count <= limit, "a line is cut")
    must(!line.hasPrefix(" ") && !line.hasSuffix(" "), "a line has no spaces around it")
    must(line.unicodeScalars.count <= 16 * limit, "no character is a tower of marks")
    must(SafeText.line(line, maximumCharacters: limit) == line, "a safe line is left as it is")

    let lines = SafeText.lines(text, maximumCharacters: limit)
    mustBeSafe(lines, "lines", lines: true)
    must(SafeText.lines(lines, maximumCharacters: limit) == lines, "safe lines are left as they are")

    must(Base64.decode(Base64.encode(bytes[...])) == bytes, "base 64 reads back as it was written")
    if let decoded = Base64.decode(text) { must(Base64.encode(decoded[...]) == text, "bytes have one base 64") }
}
