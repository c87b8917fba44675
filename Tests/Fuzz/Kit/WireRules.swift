package import WireProtocol

/// Whether both mean the same: numbers are compared as doubles, since `3.0` is written `3`.
package func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.integer, .number), (.number, .integer): left.doubleValue == right.doubleValue
    case (.array(let left), .array(let right)): left.elementsEqual(right, by: isSame)
    case (.object(let left), .object(let right)):
        left.elementsEqual(right) { $0.key == $1.key && isSame($0.value, $1.value) }
    default: left == right
    }
}

/// A written line is one frame: it ends with its only LF.
package func mustBeOneLine(_ line: [UInt8]) {
    must(line.last == 0x0A, "a written frame ends with LF")
    must(line.dropLast().allSatisfy { $0 >= 0x20 }, "a written frame holds no control character")
}

/// A text made safe: none of these reaches a terminal.
package func mustBeSafe(_ text: String, _ name: @autoclosure () -> String, lines: Bool = false) {
    for scalar in text.unicodeScalars {
        if lines && scalar == "\n" { continue }
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
            must(false, "\(name()) holds U+\(String(scalar.value, radix: 16))")
        default: break
        }
    }
}
