/// Reads MicroDVD files: `{first frame}{last frame}line|line`.
enum MicroDVDReader {
    /// Frames a second where the file does not say: a film's rate on NTSC DVDs, which most of these files were made for.
    private static let usualRate = 24_000.0 / 1_001.0

    static func recognises(_ text: [UInt8]) -> Bool {
        // Defaults such as {DEFAULT}{}{C:$0000ff} may stand above the first line.
        for line in SourceLines(text).lazy.map({ text[$0] }).prefix(20) {
            if frames(line) != nil { return true }
            if let first = line.first(where: { $0 > 0x20 }), first != UInt8(ascii: "{") { return false }
        }
        return false
    }

    static func read(_ bytes: [UInt8], repairs: inout RepairLog) throws(SubtitleError) -> [FoundCue] {
        var rate: Double?
        var cleaner = CueTextCleaner(isWebVTT: false)
        var cues: [FoundCue] = []
        for (place, range) in SourceLines(bytes).enumerated() {
            if cues.count == SubtitleReader.maximumCues { throw .tooManyCues }
            guard let (first, last, text) = frames(bytes[range]) else {
                if bytes[range].contains(where: { $0 > 0x20 }), !isDefault(bytes[range]) {
                    repairs.note(.brokenTiming, line: place + 1)
                }
                continue
            }
            if cues.isEmpty, rate == nil, first <= 1, let given = Double(String(decoding: text, as: UTF8.self)),
                (1.0...1_000.0).contains(given)
            {
                rate = given
                continue
            }
            cleaner.begin()
            for line in text.split(separator: UInt8(ascii: "|")) { cleaner.append(line.indices, of: bytes) }
            guard let shown = cleaner.text() else {
                repairs.note(.emptyCue, line: place + 1)
                continue
            }
            if cleaner.wasCut { repairs.note(.longText, line: place + 1) }
            if rate == nil { repairs.note(.guessedFrameRate, line: place + 1) }
            let perFrame = 1e6 / (rate ?? usualRate)
            rate = rate ?? usualRate
            cues.append(
                FoundCue(
                    index: nil, start: Int64((Double(first) * perFrame).rounded()),
                    end: Int64((Double(last ?? first) * perFrame).rounded()), text: shown, line: place + 1))
        }
        return cues
    }

    private static func isDefault(_ line: ArraySlice<UInt8>) -> Bool {
        ForeignFile.begins(line, with: "{default}")
    }

    /// The two numbers in braces and what follows; the second may be missing.
    private static func frames(_ line: ArraySlice<UInt8>) -> (first: Int64, last: Int64?, text: ArraySlice<UInt8>)? {
        var scanner = TimeScanner(Array(line))
        scanner.skipSpaces()
        guard let first = braced(&scanner, mayBeEmpty: false) else { return nil }
        guard let last = braced(&scanner, mayBeEmpty: true) else { return nil }
        return (first ?? 0, last, line.dropFirst(scanner.place))
    }

    private static func braced(_ scanner: inout TimeScanner, mayBeEmpty: Bool) -> Int64?? {
        guard scanner.next == UInt8(ascii: "{") else { return nil }
        scanner.place += 1
        let number = scanner.number()
        guard scanner.next == UInt8(ascii: "}"), number != nil || mayBeEmpty else { return nil }
        // Nine digits of frames are more than a year.
        guard number?.digits ?? 1 <= 9 else { return nil }
        scanner.place += 1
        return .some(number?.value)
    }
}
