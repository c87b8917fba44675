/// Bytes of a subtitle file → text → cues.
package enum SubtitleReader {
    /// Bytes of the largest file read: a hundred times the largest real one.
    package static let maximumBytes = 64 << 20
    /// UTF-8 bytes of one cue's text that are kept.
    package static let maximumTextBytes = 1 << 20
    /// Cues of the longest file read, more than fit into the largest bundle a remote takes (`Limits.cueBundleBytes`).
    package static let maximumCues = 500_000

    /// Reads a whole file, in time linear in its size.
    ///
    /// Whatever a tolerant reader can keep is kept and told in `SubtitleDocument.repairs`.
    /// Files that are not Unicode need `pages`; without it each of their letters beyond ASCII becomes U+FFFD. `encoding`, a
    /// name that `pages` knows, is what the file is in, in place of what it looks like.
    /// - Throws: `SubtitleError` where there is no cue to keep.
    package static func read(
        _ bytes: [UInt8], pages: (any CodePages)? = nil, encoding: String? = nil
    ) throws(SubtitleError) -> SubtitleDocument {
        if bytes.count > maximumBytes {
            throw SubtitleError("the file is larger than 64 MiB, so it is no subtitle file")
        }
        if bytes.isEmpty { throw SubtitleError("the file is empty") }
        if let reason = ForeignFile.signature(of: bytes) { throw SubtitleError(reason) }
        var repairs = RepairLog()
        let text = try sourceText(bytes, pages: pages, encoding: encoding)
        if let reason = ForeignFile.markup(in: text.utf8) { throw SubtitleError(reason) }
        // Lines of subtitles may well lie within. Zeros alone are what a full disk leaves in a text.
        if ForeignFile.isBinary(text.utf8, countsZeros: false) { throw SubtitleError(ForeignFile.binary) }
        let found = try read(text.utf8, repairs: &repairs)
        guard !found.isEmpty else {
            // A guess may have made letters of anything.
            if text.isGuess, ForeignFile.isBinary(bytes) { throw SubtitleError(ForeignFile.binary) }
            throw SubtitleError(
                ForeignFile.explanation(of: text.utf8, hasTimingLines: repairs.count(of: .emptyCue) > 0))
        }
        if text.isGuess {
            repairs.note(
                "the file is not UTF-8; it was read as \(text.encoding), which was guessed (--encoding NAME sets another)",
                line: text.firstForeignLine)
        }
        if let bad = text.firstBad {
            repairs.note(
                text.badBytes == 1
                    ? "a byte is not \(text.encoding) and became �"
                    : "\(text.badBytes) bytes from here on are not \(text.encoding) and became �",
                line: text.lineNumber(at: bad))
        }
        let cues = CueAssembly.timeline(of: found, repairs: &repairs)
        return SubtitleDocument(
            cues: cues, repairs: repairs.entries, encoding: text.encoding, isEncodingGuessed: text.isGuess,
            repairCount: repairs.total)
    }

    /// The text of a file that is in `encoding`.
    ///
    /// - Throws: `SubtitleError` for a name that is none.
    package static func utf8(
        of bytes: [UInt8], pages: any CodePages, encoding: String
    ) throws(SubtitleError) -> [UInt8] {
        try sourceText(bytes, pages: pages, encoding: encoding).utf8
    }

    private static func sourceText(
        _ bytes: [UInt8], pages: (any CodePages)?, encoding: String?
    ) throws(SubtitleError) -> SourceText {
        guard let encoding else { return SourceText(bytes, pages: pages) }
        guard let text = SourceText(bytes, in: encoding, pages: pages) else {
            throw SubtitleError("no encoding is called so; iconv -l lists the names")
        }
        return text
    }

    /// By what the text begins with, whatever the file is called.
    private static func read(_ text: [UInt8], repairs: inout RepairLog) throws(SubtitleError) -> [FoundCue] {
        if AdvancedSubStationReader.recognises(text) {
            try AdvancedSubStationReader.read(text, repairs: &repairs)
        } else if MicroDVDReader.recognises(text) {
            try MicroDVDReader.read(text, repairs: &repairs)
        } else {
            try SubRipReader.read(text, repairs: &repairs)
        }
    }
}
