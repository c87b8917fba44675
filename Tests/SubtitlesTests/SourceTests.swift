import Subtitles
import Testing
import WireProtocol

@Suite("Bytes and what they are") struct Sources {
    private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    @Test(arguments: [true, false], [true, false])
    func utf16(isBigEndian: Bool, hasMark: Bool) throws {
        let text = (hasMark ? "\u{FEFF}" : "") + block("Grüße, 世界 👋")
        let read = try SubtitleReader.read(utf16(text, isBigEndian: isBigEndian))
        #expect(read.cues.map(\.text) == ["Grüße, 世界 👋"])
        #expect(read.repairs.isEmpty)
    }

    @Test func halfAPairOfUTF16CostsOneCharacter() throws {
        let bytes =
            [0xFF, 0xFE] + utf16(block("ab"), isBigEndian: false) + [0x00, 0xD8] + utf16("c\n", isBigEndian: false)
        #expect(try SubtitleReader.read(bytes).cues.map(\.text) == ["ab\n\u{FFFD}c"])
    }

    @Test(
        arguments: [
            ([], "the file is empty"),
            (Array("\u{FEFF}\r\n \r\n".utf8), "the file holds nothing but blank lines"),
            (Array("<!DOCTYPE html><html><body>00:00:01,000 --> 00:00:02,000".utf8), "web page"),
            (Array("  <HTML>\n".utf8), "web page"),
            (Array("PK\u{3}\u{4}\u{14}\0".utf8), "zip"),
            ([0x1F, 0x8B, 8, 0], "gzip"),
            ([0, 0, 0, 0x20] + Array("ftypM4A ".utf8), "MP4"),
            ((0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 7 % 32) }, "binary"),
            (Array("[Script Info]\nTitle: x\n".utf8), "no time line"),
            (Array("{0}{25}{y:i}\n".utf8), "no text"),
            (Array("Dear reader,\nthis is a letter.\n".utf8), "no time line"),
            (Array(block("").utf8), "no text"),
        ] as [([UInt8], String)])
    func aFileThatIsNone(_ bytes: [UInt8], _ word: String) throws {
        let reason = try #require(refusal(bytes))
        #expect(reason.contains(word))
        #expect(!reason.contains("\n") && !reason.hasSuffix("."))
    }

    @Test func aHugeFileIsRefused() {
        #expect(refusal([UInt8](repeating: 0x20, count: SubtitleReader.maximumBytes + 1))?.contains("64 MiB") == true)
    }

    @Test func manyRepairsOfOneKindAreListedAsAFew() throws {
        let text = (1...1_000).map { "00:00:01,\($0) --> 00:00:02,000\nx\n\n" }.joined()
        let repairs = try SubtitleReader.read(Array(text.utf8)).repairs
        #expect(repairs.filter { $0.sentence.hasPrefix("this cue has no number") }.count == 11)
        #expect(repairs.contains { $0.sentence.hasSuffix("(and 990 more up to here)") })
    }
}

/// Any bytes at all: no crash, and what comes out keeps the promises of `SubtitleDocument`.
@Suite("Damaged files") struct Damage {
    private static let pieces =
        [
            "1\n", "2\n", "00:00:01,000 --> 00:00:02,000\n", "00:00:01,0", " --> ", "Hello", "\n", "\n\n", "\r", "<i>",
            "</i>", "{\\an8}",
            "<", ">", "{", "}", "\u{1B}[", "\0", "99999999999999999999", "：", "\u{FEFF}", "-", ":", ",", "WEBVTT\n",
            "{1}{2}", "|", "[Events]\n", "Dialogue: 0,", "0:00:01.00,", "\\N", "{\\p1}",
            "é", "0:1.5 --> 0:2 x\n",
        ].map { Array($0.utf8) } + [[0xC2], [0xE2, 0x80], [0xEF, 0xBB], [0xF0, 0x9F], [0xFF]]

    @Test(arguments: 0..<100)
    func randomPieces(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        for _ in 0..<100 {
            let bytes = (0..<random(60)).flatMap { _ in Self.pieces[random(Self.pieces.count)] }
            guard let read = try? SubtitleReader.read(bytes) else { continue }
            #expect(!read.cues.isEmpty)
            #expect(zip(read.cues, read.cues.dropFirst()).allSatisfy { $0.start <= $1.start && $0.index < $1.index })
            #expect(read.cues.allSatisfy { $0.end >= $0.start && $0.start >= 0 && !$0.text.isEmpty })
            #expect(
                read.cues.allSatisfy {
                    $0.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
                })
        }
    }

    @Test func everyPrefixOfAFileIsReadOrRefused() {
        let bytes = Array(between("2\n00:00:03,000 --> 00:00:04,000\n<i>Zwölf</i>\nBoxkämpfer").utf8)
        for length in 0...bytes.count {
            let read = try? SubtitleReader.read(Array(bytes.prefix(length)))
            #expect(read == nil || read?.cues.first?.text.hasPrefix("O") == true)
        }
    }

    @Test("lines within a file that is no text are none of its: a session file, any other tar, any binary data")
    func linesWithin() {
        let lines = Array(block("Hi").utf8)
        func tar(_ name: String) -> [UInt8] {
            var header = [UInt8](repeating: 0, count: 512)
            header.replaceSubrange(0..<name.utf8.count, with: Array(name.utf8))
            header.replaceSubrange(257..<262, with: Array("ustar".utf8))
            return header + lines
        }
        #expect(refusal(tar("manifest.json"))?.contains("allspeak-host sessions import") == true)
        #expect(refusal(tar("film.srt"))?.contains("tar archive") == true)
        #expect(refusal([UInt8](repeating: 1, count: 100) + lines) == "this is binary data, not a subtitle file")
    }
}
