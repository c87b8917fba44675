internal import CNettle

/// SHA-256 (FIPS 180-4) by Nettle.
package enum SHA256 {
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var stream = Stream()
        bytes.withUnsafeBytes { stream.update($0) }
        return stream.digest()
    }

    /// 64 lower-case characters.
    package static func hexadecimalDigest(of bytes: [UInt8]) -> String {
        hexadecimal(digest(of: bytes))
    }

    fileprivate static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Takes what is to be digested in pieces.
    package struct Stream {
        private var context = sha256_ctx()

        package init() {
            nettle_sha256_init(&context)
        }

        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            nettle_sha256_update(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
        }

        /// The digest of all so far; the stream then begins anew.
        package mutating func digest() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
            nettle_sha256_digest(&context, digest.count, &digest)
            return digest
        }

        /// `digest` as 64 lower-case characters.
        package mutating func hexadecimalDigest() -> String {
            SHA256.hexadecimal(digest())
        }
    }
}
