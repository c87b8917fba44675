/// Appends compact JSON to a byte buffer; commas are its own business.
///
/// Texts are escaped as RFC 8785 has it (the way of ECMAScript's JSON.stringify), so that the cue digest can be made
/// with a library of any language.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private let maximumBytes: Int

    /// A writer with room for `capacity` bytes, which leaves out what is left of a peer's values past `maximumBytes`.
    package init(reserving capacity: Int = 512, maximumBytes: Int = .max) {
        bytes.reserveCapacity(capacity)
        self.maximumBytes = maximumBytes
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    package mutating func key(_ name: StaticString) {
        word(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string of the protocol's own, which holds nothing that needs an escape.
    mutating func word(_ text: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in utf8.indices {
            let byte = utf8[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: utf8[start..<index])
            bytes.append(UInt8(ascii: "\\"))
            start = index + 1
            switch byte {
            case 0x08: bytes.append(UInt8(ascii: "b"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0C: bytes.append(UInt8(ascii: "f"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            case 0..<0x20: bytes += Array("u00".utf8) + [Self.hex(byte >> 4), Self.hex(byte & 15)]
            default: bytes.append(byte)
            }
        }
        bytes.append(contentsOf: utf8[start...])
    }

    private static func hex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x57 + nibble
    }

    package mutating func bool(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func integer(_ value: Int) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// The fewest digits that read back as the same double, never with an exponent; whole numbers carry no fraction.
    ///
    /// Readers made with a regular expression, `cut` or `awk` are common among clients of line protocols, and an
    /// exponent is what they trip over.
    /// - Precondition: `value` is finite, since JSON has no word for the others.
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no infinity and no NaN")
        if value == value.rounded(), abs(value) < 1e15 { return integer(Int(value)) }
        separate()
        let text = value.description
        if abs(value) < 1e15, !text.utf8.contains(UInt8(ascii: "e")) {
            bytes.append(contentsOf: text.utf8)
        } else {
            positional(text)
        }
    }

    /// Writes Swift's `[-]d[.d…][e±d…]` without the exponent.
    private mutating func positional(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "e"))
        let exponent = parts.count == 2 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
        var digits: [UInt8] = []
        var wholeDigits: Int?
        for byte in parts[0] {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(byte)
            case UInt8(ascii: "."): wholeDigits = digits.count
            default: digits.append(byte)
            }
        }
        let point = (wholeDigits ?? digits.count) + exponent
        while digits.count > max(point, 1), digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let zero = UInt8(ascii: "0")
        if point <= 0 {
            bytes += [zero, UInt8(ascii: ".")] + Array(repeating: zero, count: -point) + digits
        } else if point >= digits.count {
            bytes += digits + Array(repeating: zero, count: point - digits.count)
        } else {
            bytes += digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        }
    }

    /// Writes a value of any shape, or nothing once the writer is past its maximum: what it holds is no JSON then.
    package mutating func value(_ value: JSONValue) {
        guard bytes.count <= maximumBytes else { return }
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .string(let text): string(text)
        case .array(let elements): array { writer in elements.forEach { writer.value($0) } }
        case .object(let members):
            object { writer in
                for member in members where writer.bytes.count <= writer.maximumBytes {
                    writer.dynamicKey(member.key)
                    writer.value(member.value)
                }
            }
        }
    }

    private mutating func dynamicKey(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func lineFeed() {
        bytes.append(0x0A)
        needsComma = false
    }
}
