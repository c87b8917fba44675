internal import Glibc
internal import Subtitles

/// glibc's iconv from one encoding to UTF-8.
final class TextConverter {
    private static let chunkBytes = 65_536
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    private let descriptor: iconv_t
    /// Bytes passed over where nothing can be read: no more than the encoding's smallest unit, so that the next
    /// character is whole.
    private let unit: Int

    /// `nil` where glibc knows no encoding of that name.
    init?(from encoding: String) {
        // What stands behind a slash is an order to iconv (//IGNORE), and an empty name is the locale's encoding.
        guard !encoding.isEmpty, encoding.utf8.allSatisfy(Self.isNameByte), let opened = iconv_open("UTF-8", encoding),
            opened != iconv_t(bitPattern: -1)
        else { return nil }
        descriptor = opened
        let name = encoding.uppercased()
        unit =
            name.contains("32") && name.contains("UTF") || name.contains("UCS-4") || name.contains("UCS4")
            ? 4 : name.contains("UTF-16") || name.contains("UTF16") || name.contains("UCS-2") ? 2 : 1
    }

    deinit {
        iconv_close(descriptor)
    }

    func convert(_ bytes: [UInt8]) -> ConvertedText {
        var text = ConvertedText()
        text.utf8.reserveCapacity(bytes.count + bytes.count / 2)
        iconv(descriptor, nil, nil, nil, nil)
        var source = bytes
        source.withUnsafeMutableBytes { buffer in
            let chunk = UnsafeMutablePointer<CChar>.allocate(capacity: Self.chunkBytes)
            defer { chunk.deallocate() }
            var input = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = buffer.count
            while left > 0 {
                let before = left
                var output: UnsafeMutablePointer<CChar>? = chunk
                var room = Self.chunkBytes
                let failure = iconv(descriptor, &input, &left, &output, &room) == -1 ? errno : 0
                text.utf8 += UnsafeRawBufferPointer(start: chunk, count: Self.chunkBytes - room)
                guard failure == EILSEQ || failure == EINVAL || left == before && room == Self.chunkBytes else {
                    continue
                }
                // A character cut off by the end of the file is one; another bad one costs its first unit.
                let skipped = failure == EINVAL ? left : min(unit, left)
                input = input?.advanced(by: skipped)
                left -= skipped
                if text.firstBad == nil { text.firstBad = text.utf8.count }
                text.badBytes += skipped
                text.utf8 += Self.replacement
            }
        }
        return text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_.:+()".utf8.contains(byte)
        }
    }
}
