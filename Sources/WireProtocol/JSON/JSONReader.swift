/// Why a line is not JSON.
package struct JSONError: Error, Equatable {
    package var reason: String
    /// Offset of the offending byte in the frame.
    package var offset: Int
}

/// A strict RFC 8259 reader for one frame: UTF-8 checked, depth bounded, no number that is not finite.
///
/// Written for this protocol because Foundation's coder costs 0.02-0.04 ms a command and 10 MiB resident.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private let maximumDepth: Int

    /// Reads the one value that `bytes` holds.
    /// - Throws: `JSONError` when it is not exactly one value.
    package static func value(
        of bytes: some Collection<UInt8>, maximumDepth: Int = Limits.jsonDepth
    ) throws(JSONError) -> JSONValue {
        let result: Result<JSONValue, JSONError>? = bytes.withContiguousStorageIfAvailable {
            read($0, maximumDepth)
        }
        if let result { return try result.get() }
        return try Array(bytes).withUnsafeBufferPointer { read($0, maximumDepth) }.get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ depth: Int) -> Result<JSONValue, JSONError> {
        var reader = JSONReader(bytes: bytes, maximumDepth: depth)
        do throws(JSONError) {
            let value = try reader.value(depth: 0)
            reader.skipSpace()
            guard reader.offset == bytes.count else { throw reader.error("more than one value") }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(reason: reason, offset: offset)
    }

    private var next: UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some(let byte) where byte == UInt8(ascii: "-") || isDigit(byte): return try number()
        case .some: throw error("not a JSON value")
        case .none: throw error("the value is missing")
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount where !skip(text.utf8Start[index]) {
            throw error("not a JSON value")
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw error("nested deeper than \(maximumDepth)") }
        offset += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if skip(UInt8(ascii: "}")) { return .object(members) }
        // As many as a cue has; growing to them step by step would take three blocks instead of one.
        members.reserveCapacity(4)
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("a key is missing") }
            let key = try string()
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw error("a colon is missing") }
            members.append(.init(key, try value(depth: depth)))
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw error("the object does not end") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw error("nested deeper than \(maximumDepth)") }
        offset += 1
        var elements: [JSONValue] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw error("the array does not end") }
        return .array(elements)
    }

    // MARK: Numbers

    private func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte >= 0x30 && byte <= 0x39
    }

    private mutating func digits() throws(JSONError) {
        guard isDigit(next) else { throw error("a digit is missing") }
        while isDigit(next) { offset += 1 }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        var isWhole = true
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        if let value = Self.shortNumber(UnsafeBufferPointer(rebasing: bytes[start..<offset])) { return value }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw error("the number is out of range") }
        return .number(double)
    }

    /// A number of at most 15 digits without an exponent, as nearly all are, at a tenth of the cost.
    ///
    /// Its digits and the power of ten are both exact as doubles, so that one division rounds correctly (Clinger, "How to
    /// read floating point numbers accurately", 1990).
    private static func shortNumber(_ text: UnsafeBufferPointer<UInt8>) -> JSONValue? {
        guard text.count <= 17 else { return nil }
        var digits = 0
        var count = 0
        var decimals: Int?
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): decimals = 0
            case 0x30...0x39:
                digits = digits * 10 + Int(byte - 0x30)
                count += 1
                decimals = decimals.map { $0 + 1 }
            default: return nil
            }
        }
        guard count <= 15 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        guard let decimals else { return .integer(isNegative ? -digits : digits) }
        let value = Double(digits) / powersOfTen[decimals]
        return .number(isNegative ? -value : value)
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        let start = offset
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
        if next == UInt8(ascii: "\"") {
            offset += 1
            return try text(bytes[start..<(offset - 1)], at: start)
        }
        var unescaped = Array(bytes[start..<offset])
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(unescaped[...], at: start)
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case 0..<0x20: throw error("a control character in a string")
            default: unescaped.append(byte)
            }
        }
        throw error("the string does not end")
    }

    private func text(
        _ utf8: some Collection<UInt8>, at start: Int
    ) throws(JSONError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw JSONError(reason: "the string is not UTF-8", offset: start)
        }
        return text
    }

    private mutating func escape(into utf8: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw error("the string does not end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(byte)
        case UInt8(ascii: "b"): utf8.append(0x08)
        case UInt8(ascii: "f"): utf8.append(0x0C)
        case UInt8(ascii: "n"): utf8.append(0x0A)
        case UInt8(ascii: "r"): utf8.append(0x0D)
        case UInt8(ascii: "t"): utf8.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape()
            utf8.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: throw error("an unknown escape")
        }
    }

    /// A lone surrogate becomes U+FFFD, as WHATWG decoders do, so that text from such a peer still shows.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let isHigh = UTF16.isLeadSurrogate(first)
        guard isHigh, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let rewind = offset
        offset += 2
        let second = try hexUnit()
        guard UTF16.isTrailSurrogate(second) else {
            offset = rewind
            return "\u{FFFD}"
        }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private mutating func hexUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error("four hex digits are missing")
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
