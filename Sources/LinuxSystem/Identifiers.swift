internal import CLinux
internal import Glibc

/// Random bytes and names from the kernel (getrandom).
package enum Identifiers {
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                getrandom($0.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            precondition(got > 0 || errno == EINTR, "the kernel has no random bytes")
            filled += max(0, got)
        }
        return bytes
    }

    /// A random UUID (RFC 9562 version 4) in upper case, as the original app writes them.
    package static func uuid() -> String {
        uuid(of: randomBytes(16), version: 4)
    }

    /// The UUID that sixteen bytes make, with `version` and the RFC 9562 variant set.
    package static func uuid(of sixteen: [UInt8], version: UInt8) -> String {
        var bytes = Array(sixteen.prefix(16))
        precondition(bytes.count == 16, "a UUID has sixteen bytes")
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            let digits = String(byte, radix: 16, uppercase: true)
            text += digits.count == 1 ? "0" + digits : digits
        }
        return text
    }
}
