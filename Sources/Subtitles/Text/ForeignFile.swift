/// Names what a file is when it is no subtitle text.
enum ForeignFile {
    /// By the first bytes; for files that cannot be text.
    static func signature(of bytes: [UInt8]) -> String? {
        let kinds: [(start: [UInt8], name: String)] = [
            (Array("PK\u{3}\u{4}".utf8), "a zip archive; unpack it and choose the subtitle file inside"),
            (Array("PK\u{5}\u{6}".utf8), "an empty zip archive"),
            (Array("Rar!".utf8), "a RAR archive; unpack it and choose the subtitle file inside"),
            ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip archive; unpack it and choose the subtitle file inside"),
            ([0x1F, 0x8B], "a gzip file; unpack it first"),
            (Array("BZh".utf8), "a bzip2 file; unpack it first"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file; unpack it first"),
            ([0xD0, 0xCF, 0x11, 0xE0], "an Office document; save it as plain text first"),
            (Array("{\\rtf".utf8), "an RTF document; save it as plain text first"),
            ([0x00, 0x00, 0x01, 0xBA], "an MPEG stream (VobSub), whose subtitles are pictures; find a text file"),
            (Array("%PDF".utf8), "a PDF document, not a subtitle file"),
            ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska film, not a subtitle file"),
            ([0x89, 0x50, 0x4E, 0x47], "a picture, not a subtitle file"),
            ([0xFF, 0xD8, 0xFF], "a picture, not a subtitle file"),
            ([0x7F, 0x45, 0x4C, 0x46], "a program, not a subtitle file"),
            (Array("ID3".utf8), "a sound file, not a subtitle file"),
            (Array("OggS".utf8), "a sound file, not a subtitle file"),
            (Array("fLaC".utf8), "a sound file, not a subtitle file"),
            (Array("RIFF".utf8), "a sound or video file, not a subtitle file"),
        ]
        if let kind = kinds.first(where: { bytes.starts(with: $0.start) }) { return "this is \(kind.name)" }
        if bytes.count >= 512, bytes[257..<262].elementsEqual("ustar".utf8) {
            return bytes.starts(with: "manifest.json\0".utf8)
                ? "this is a session file; bring it in with `allspeak-host sessions import FILE`"
                : "this is a tar archive; unpack it and choose the subtitle file inside"
        }
        // A packet of Blu-ray's PGS: after the mark and two times comes one of five kinds.
        if bytes.starts(with: "PG".utf8), bytes.count > 10, (0x14...0x17).contains(bytes[10]) || bytes[10] == 0x80 {
            return "this is a Blu-ray stream (PGS), whose subtitles are pictures; find a text file"
        }
        if bytes.count > 8, bytes[4..<8].elementsEqual("ftyp".utf8) {
            return "this is an MP4 film or sound file, not a subtitle file"
        }
        return nil
    }

    /// By the first word of text that is certainly written for something else.
    static func markup(in text: [UInt8]) -> String? {
        if begins(text, with: "<!doctype html") || begins(text, with: "<html") {
            return "this is a web page, not a subtitle file; download the file the page offers"
        }
        if begins(text, with: "# vobsub") {
            return "this is the index of VobSub subtitles, which are pictures; find a text file"
        }
        if begins(text, with: "<sami") {
            return "this is a SAMI subtitle file, which cannot be read; convert it to SRT"
        }
        if begins(text, with: "<?xml") || begins(text, with: "<tt ") {
            return "this is an XML (TTML) subtitle file, which cannot be read; convert it to SRT"
        }
        return nil
    }

    /// Why text in which no cue was found gave none.
    static func explanation(of text: [UInt8], hasTimingLines: Bool) -> String {
        if hasTimingLines { return "the file has time lines but no text" }
        if text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            return "this looks like a web page, not a subtitle file; download the file the page offers"
        }
        if text.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            return "the file holds nothing but blank lines"
        }
        if AdvancedSubStationReader.recognises(text) {
            return "this ASS or SSA file has no Dialogue line, so there is no time line to read"
        }
        if isBinary(text) { return binary }
        return "no time line such as \"00:00:01,000 --> 00:00:02,500\" was found, so this is no SRT file"
    }

    static let binary = "this is binary data, not a subtitle file"

    /// Whether too much of it is control characters for text in any encoding of one byte a letter.
    static func isBinary(_ bytes: [UInt8], countsZeros: Bool = true) -> Bool {
        let sample = bytes.prefix(4_096)
        let controls = sample.count { $0 < 0x09 && ($0 > 0 || countsZeros) || (0x0E..<0x20).contains($0) && $0 != 0x1B }
        return controls * 20 > sample.count
    }

    /// Whether the first word is `word`, which is given in lower case.
    static func begins(_ text: some Collection<UInt8>, with word: String) -> Bool {
        var rest = text.lazy.drop { $0 <= 0x20 }.makeIterator()
        for expected in word.utf8 {
            guard let byte = rest.next() else { return false }
            let lower = (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
            if lower != expected { return false }
        }
        return true
    }
}
