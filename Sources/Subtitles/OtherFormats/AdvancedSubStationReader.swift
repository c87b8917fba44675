/// Reads the dialogue of ASS and SSA files: their text and times, nothing of how they look.
///
/// Format: http://www.tcax.org/docs/ass-specs.htm.
enum AdvancedSubStationReader {
    /// Where in a `Dialogue:` line the wanted fields stand, by the `Format:` line above it.
    private struct Columns {
        var start = 1
        var end = 2
        /// The last one, which may itself hold commas.
        var text = 9

        init() {}

        init(format: ArraySlice<UInt8>) {
            let names = format.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
            }
            start = names.firstIndex(of: "start") ?? 1
            end = names.firstIndex(of: "end") ?? 2
            text = names.count - 1
        }
    }

    static func recognises(_ text: [UInt8]) -> Bool {
        // Comments may stand above the first section.
        let first = SourceLines(text).lazy.map { text[$0] }.prefix(50).first { line in
            line.contains { $0 > 0x20 } && !line.starts(with: ";".utf8) && !line.starts(with: "!".utf8)
        }
        guard let first else { return false }
        return ["[script info]", "[events]", "[v4", "dialogue:"].contains { ForeignFile.begins(first, with: $0) }
    }

    static func read(_ bytes: [UInt8], repairs: inout RepairLog) throws(SubtitleError) -> [FoundCue] {
        var columns = Columns()
        var isInEvents = true
        var cleaner = CueTextCleaner(isWebVTT: false)
        var cues: [FoundCue] = []
        for (place, range) in SourceLines(bytes).enumerated() {
            if cues.count == SubtitleReader.maximumCues { throw .tooManyCues }
            let line = bytes[range]
            if line.first == UInt8(ascii: "[") { isInEvents = ForeignFile.begins(line, with: "[events]") }
            guard isInEvents else { continue }
            if let format = after("format:", in: line) { columns = Columns(format: format) }
            guard let fields = after("dialogue:", in: line) else { continue }
            guard let event = event(fields, columns, bytes: bytes) else {
                repairs.note(.brokenTiming, line: place + 1)
                continue
            }
            cleaner.begin()
            if event.text.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "{") }) {
                for textLine in shownLines(of: event.text) { cleaner.append(textLine.indices, of: textLine) }
            } else {
                cleaner.append(event.text.indices, of: bytes)
            }
            guard let text = cleaner.text() else {
                repairs.note(.emptyCue, line: place + 1)
                continue
            }
            if cleaner.wasCut { repairs.note(.longText, line: place + 1) }
            cues.append(FoundCue(index: nil, start: event.start, end: event.end, text: text, line: place + 1))
        }
        // Their lines stand in any order, by layer or speaker; that is no fault.
        return cues.sorted { ($0.start, $0.line) < ($1.start, $1.line) }
    }

    private static func after(_ word: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // Most lines are of one kind, so the first letter saves most of the work.
        guard let first = line.first, first <= 0x20 || first | 0x20 == word.utf8.first,
            ForeignFile.begins(line, with: word)
        else { return nil }
        return line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    }

    private static func event(
        _ fields: ArraySlice<UInt8>, _ columns: Columns, bytes: [UInt8]
    ) -> (start: Int64, end: Int64, text: ArraySlice<UInt8>)? {
        let parts = fields.split(
            separator: UInt8(ascii: ","), maxSplits: columns.text, omittingEmptySubsequences: false)
        guard parts.count == columns.text + 1, columns.start < parts.count, columns.end < parts.count else {
            return nil
        }
        var startScanner = TimeScanner(Array(parts[columns.start]))
        var endScanner = TimeScanner(Array(parts[columns.end]))
        guard let start = startScanner.time(), let end = endScanner.time() else { return nil }
        return (start.microseconds, end.microseconds, parts[columns.text])
    }

    /// The text cut at `\N` and `\n`, without override blocks, comments in braces and drawings.
    private static func shownLines(of text: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var isDrawing = false
        var place = text.startIndex
        // Looked for once: many open braces and no closing one would each search the whole line.
        let lastClose = text.lastIndex(of: UInt8(ascii: "}")) ?? text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            if byte == UInt8(ascii: "{"), place < lastClose,
                let close = text[place...].firstIndex(of: UInt8(ascii: "}"))
            {
                isDrawing = drawingMode(after: text[place..<close]) ?? isDrawing
                place = close + 1
                continue
            }
            if byte == UInt8(ascii: "\\"), place + 1 < text.endIndex {
                let code = text[place + 1]
                if code == UInt8(ascii: "N") || code == UInt8(ascii: "n") || code == UInt8(ascii: "h") {
                    if code == UInt8(ascii: "h") { lines[lines.count - 1].append(0x20) } else { lines.append([]) }
                    place += 2
                    continue
                }
            }
            if !isDrawing { lines[lines.count - 1].append(byte) }
            place += 1
        }
        return lines
    }

    /// What the last `\p` followed by a digit in an override block says: letters from there on draw, or are text.
    private static func drawingMode(after block: ArraySlice<UInt8>) -> Bool? {
        var mode: Bool?
        for place in block.indices.dropLast(2)
        where block[place] == UInt8(ascii: "\\") && block[place + 1] == UInt8(ascii: "p") {
            if (0x30...0x39).contains(block[place + 2]) { mode = block[place + 2] != 0x30 }
        }
        return mode
    }
}
