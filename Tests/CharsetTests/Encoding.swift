import Charset
import Glibc
import Subtitles
import Testing

/// `text` in an old code page; fails the test where a letter of it has no place there.
func bytes(_ text: String, in encoding: String) throws -> [UInt8] {
    let descriptor = try #require(iconv_open(encoding, "UTF-8"))
    try #require(descriptor != iconv_t(bitPattern: -1), "glibc knows \(encoding)")
    defer { iconv_close(descriptor) }
    var source = Array(text.utf8)
    var output = [UInt8](repeating: 0, count: 4 * source.count + 16)
    let room = output.count
    let left = source.withUnsafeMutableBytes { source in
        output.withUnsafeMutableBytes { output in
            var (from, fromLeft) = (source.baseAddress?.assumingMemoryBound(to: CChar.self), source.count)
            var (to, toLeft) = (output.baseAddress?.assumingMemoryBound(to: CChar.self), room)
            return iconv(descriptor, &from, &fromLeft, &to, &toLeft) == -1 ? -1 : toLeft
        }
    }
    try #require(left >= 0, "all of the text can be written in \(encoding)")
    return Array(output.prefix(room - left))
}

/// A file of these lines, one cue each.
func file(_ lines: [String]) -> String {
    lines.enumerated().map { number, line in
        let second = number + 10
        return "\(number + 1)\r\n00:00:\(second),000 --> 00:00:\(second),900\r\n\(line)\r\n\r\n"
    }
    .joined()
}

func read(_ bytes: [UInt8], encoding: String? = nil) throws -> SubtitleDocument {
    try SubtitleReader.read(bytes, pages: SystemCodePages(), encoding: encoding)
}
