/// Bytes of a subtitle file → text → cues.
package enum SubtitleReader {
    /// Bytes of the largest file read: a hundred times the largest real one.
    package static let maximumBytes = 64 << 20
    /// UTF-8 bytes of one cue's text that are kept; nobody reads more off a screen.
    package static let maximumTextBytes = 16_384

    /// Reads a whole file, in time linear in its size.
    ///
    /// Whatever a tolerant reader can keep is kept and told in `SubtitleDocument.repairs`.
    /// - Throws: `SubtitleError` where there is no cue to keep.
    package static func read(_ bytes: [UInt8]) throws(SubtitleError) -> SubtitleDocument {
        if bytes.count > maximumBytes {
            throw SubtitleError("the file is larger than 64 MiB, so it is no subtitle file")
        }
        if bytes.isEmpty { throw SubtitleError("the file is empty") }
        if let reason = ForeignFile.signature(of: bytes) { throw SubtitleError(reason) }
        var repairs = RepairLog()
        let text = SourceText(bytes)
        if let reason = ForeignFile.markup(in: text.utf8) { throw SubtitleError(reason) }
        if let fault = text.firstInvalidByte { repairs.note(.notUTF8, line: text.lineNumber(at: fault)) }
        let found = read(text.utf8, repairs: &repairs)
        guard !found.isEmpty else {
            throw SubtitleError(
                ForeignFile.explanation(of: text.utf8, hasTimingLines: repairs.count(of: .emptyCue) > 0))
        }
        let cues = CueAssembly.timeline(of: found, repairs: &repairs)
        return SubtitleDocument(cues: cues, repairs: repairs.entries)
    }

    /// By what the text begins with, whatever the file is called.
    private static func read(_ text: [UInt8], repairs: inout RepairLog) -> [FoundCue] {
        if AdvancedSubStationReader.recognises(text) {
            AdvancedSubStationReader.read(text, repairs: &repairs)
        } else if MicroDVDReader.recognises(text) {
            MicroDVDReader.read(text, repairs: &repairs)
        } else {
            SubRipReader.read(text, repairs: &repairs)
        }
    }
}
