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
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        for start in stride(from: 0, to: characters.count, by: 4) {
            let isLast = start + 4 == characters.count
            var padding = 0
            var bits: UInt32 = 0
            for index in start..<(start + 4) {
                if isLast, characters[index] == UInt8(ascii: "="), index >= start + 2 {
                    padding += 1
                    bits <<= 6
                } else {
                    let value = values[Int(characters[index])]
                    guard value != 0xFF, padding == 0 else { return nil }
                    bits = bits << 6 | UInt32(value)
                }
            }
            if padding > 0, bits & (padding == 1 ? 0xFF : 0xFFFF) != 0 { return nil }
            for byte in 0..<(3 - padding) { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(byte)))) }
        }
        return bytes
    }
}
