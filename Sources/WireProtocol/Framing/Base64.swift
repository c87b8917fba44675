/// Base 64 with padding (RFC 4648 §4), strict on reading: no line ends, no stray bits.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

    package static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 3) {
            let count = min(3, bytes.endIndex - start)
            var bits: UInt32 = 0
            for index in 0..<count { bits |= UInt32(bytes[start + index]) << (16 - 8 * UInt32(index)) }
            for index in 0..<4 {
                let character = alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
                text.append(index <= count ? character : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or `nil` when `text` is not exactly the encoding of some.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { characters in values.withUnsafeBufferPointer { decode(characters, $0) } }
    }

    private static func decode(
        _ characters: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>
    ) -> [UInt8]? {
        guard characters.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < 2, padding < characters.count,
            characters[characters.count - 1 - padding] == UInt8(ascii: "=")
        { padding += 1 }
        let digits = characters.count - padding
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for index in 0..<digits {
            let value = values[Int(characters[index])]
            guard value != 0xFF else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // Bits that padding leaves over must be 0, or two texts would stand for the same bytes.
        guard bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return bytes
    }
}
