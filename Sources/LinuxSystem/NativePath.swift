internal import Glibc

/// Paths whose bytes are not UTF-8, as text and back.
///
/// Linux takes any bytes for a name. A byte that is not part of valid UTF-8 stands in text as the private-use character
/// U+10FF00 + byte, so that no name is lost on the way from the command line through the library to the system. The bytes
/// of such a character, should a name really hold one, are written the same way, so that every name has one text.
package enum NativePath {
    private static let base: UInt32 = 0x10_FF00

    /// The text of a path's bytes.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        let plain = String(decoding: bytes, as: UTF8.self)
        if plain.utf8.elementsEqual(bytes), !plain.unicodeScalars.contains(where: isEscape) { return plain }
        var scalars = String.UnicodeScalarView()
        var rest = bytes[...]
        while let byte = rest.first {
            if let (scalar, length) = scalar(at: rest), !isEscape(scalar) {
                scalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                scalars.append(escape(byte))
                rest = rest.dropFirst()
            }
        }
        return String(scalars)
    }

    /// The bytes of a path's text, with a zero at the end, as C calls take them.
    package static func bytes(of text: String) -> [CChar] {
        var bytes: [CChar] = []
        for scalar in text.unicodeScalars {
            if isEscape(scalar) {
                bytes.append(CChar(truncatingIfNeeded: scalar.value - base))
            } else {
                bytes += UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
            }
        }
        return bytes + [0]
    }

    /// The text for a person: what stands for a lone byte becomes U+FFFD.
    package static func shown(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(isEscape(scalar) ? "\u{FFFD}" : scalar) }
        return String(scalars)
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
        (base..<base + 256).contains(scalar.value)
    }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
    }

    /// The valid character that `bytes` begin with, and its length.
    private static func scalar(at bytes: some Collection<UInt8>) -> (Unicode.Scalar, Int)? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar, UTF8.width(scalar))
    }
}
