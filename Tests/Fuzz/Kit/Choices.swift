/// An input as a row of choices; past its end every choice is 0.
///
/// Small fixed-size fields, so that a mutation changes one choice and leaves those behind it what they were.
package struct Choices {
    private var rest: ArraySlice<UInt8>

    package init(_ input: [UInt8]) {
        rest = input[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// One of `0..<bound`, from one byte.
    /// - Precondition: `bound` is 1 to 256.
    package mutating func below(_ bound: Int) -> Int {
        Int(byte()) % bound
    }

    /// One of `values`, which must not be empty.
    package mutating func one<Value>(of values: [Value]) -> Value {
        values[below(values.count)]
    }

    package mutating func flag() -> Bool {
        byte() & 1 == 1
    }

    /// 0 to 65 535, little end first.
    package mutating func length() -> Int {
        Int(byte()) | Int(byte()) << 8
    }

    /// The next `count` bytes, or as many as there are.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }

    /// Length and bytes.
    package mutating func block() -> [UInt8] {
        bytes(length())
    }

    package mutating func remainder() -> [UInt8] {
        bytes(rest.count)
    }

    /// Any finite double, from eight bytes.
    package mutating func number() -> Double {
        let value = Double(bitPattern: UInt64(bitPattern: integer()))
        return value.isFinite ? value : 0
    }

    /// Any integer, from eight bytes.
    package mutating func integer() -> Int64 {
        var bits: UInt64 = 0
        for place in 0..<8 { bits |= UInt64(byte()) << UInt64(8 * place) }
        return Int64(bitPattern: bits)
    }
}
