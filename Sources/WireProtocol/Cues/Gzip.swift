internal import CZlib

/// The gzip format (RFC 1952) by zlib.
package enum Gzip {
    package enum Failure: Error, Equatable {
        case notGzip
        case tooLarge
    }

    /// zlib's window bits for 32 KiB with a gzip wrapper.
    private static let windowBits: Int32 = 15 + 16

    package static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let opened = allspeak_deflate_init(&stream, Z_DEFAULT_COMPRESSION, windowBits)
        precondition(opened == Z_OK, "zlib has no memory for a compressor")
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        var input = bytes
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                let result = deflate(&stream, Z_FINISH)
                precondition(result == Z_STREAM_END, "deflateBound was too small")
                return Int(stream.total_out)
            }
        }
        return Array(output.prefix(count))
    }

    /// - Throws: `.tooLarge` when the content passes `maximumBytes`, `.notGzip` for anything but one whole stream.
    package static func decompress(_ bytes: [UInt8], maximumBytes: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        let opened = allspeak_inflate_init(&stream, windowBits)
        precondition(opened == Z_OK, "zlib has no memory for a decompressor")
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        var input = bytes
        let failure: Failure? = input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = uInt(source.count)
            while true {
                let result = block.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = uInt(target.count)
                    return inflate(&stream, Z_NO_FLUSH)
                }
                output.append(contentsOf: block.prefix(block.count - Int(stream.avail_out)))
                if output.count > maximumBytes { return .tooLarge }
                if result == Z_STREAM_END { return stream.avail_in == 0 ? nil : .notGzip }
                guard result == Z_OK else { return .notGzip }
            }
        }
        if let failure { throw failure }
        return output
    }
}
