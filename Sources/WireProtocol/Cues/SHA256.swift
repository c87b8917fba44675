internal import CNettle

/// SHA-256 (FIPS 180-4) by Nettle.
package enum SHA256 {
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }

    /// 64 lower-case characters.
    package static func hexadecimalDigest(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = digest(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
