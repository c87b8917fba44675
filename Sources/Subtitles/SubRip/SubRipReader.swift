/// Reads SRT, and WebVTT, which differs in its tags and in blocks that are no cues.
///
/// Cues are found by their time lines, not by blank lines: those may be missing, or stand inside a text.
enum SubRipReader {
    static func read(_ bytes: [UInt8], repairs: inout RepairLog) throws(SubtitleError) -> [FoundCue] {
        let lines = try ClassifiedLines(bytes)
        let isWebVTT = WebVTT.recognises(bytes)
        var finder = HeaderFinder(lines, isWebVTT: isWebVTT)
        let headers = finder.headers()
        var gatherer = TextGatherer(bytes: bytes, lines: lines, isWebVTT: isWebVTT)
        var cues: [FoundCue] = []
        cues.reserveCapacity(headers.count)
        if let first = headers.first, !isWebVTT,
            let stray = (0..<first.firstLine).first(where: { lines.kind($0) != .blank })
        {
            repairs.note(.strayText, line: lines[stray].number)
        }
        for (place, header) in headers.enumerated() {
            let end = place + 1 < headers.count ? headers[place + 1].firstLine : lines.count
            let line = lines[header.line]
            guard line.kind == .timing else {
                repairs.note(.brokenTiming, line: line.number)
                continue
            }
            if !header.followsBlankLine, !isWebVTT {
                repairs.note(.missingBlankLine, line: lines[header.firstLine].number)
            }
            if header.index == nil, !isWebVTT { repairs.note(.missingIndex, line: line.number) }
            guard let text = gatherer.text(of: header, upTo: end, repairs: &repairs) else {
                repairs.note(.emptyCue, line: line.number)
                continue
            }
            cues.append(cue(header, line: line.number, timing: lines.timings[line.value], text, repairs: &repairs))
        }
        return cues
    }

    private static func cue(
        _ header: CueHeader, line: Int, timing: TimingLine, _ text: String, repairs: inout RepairLog
    ) -> FoundCue {
        if timing.start.wasNegative || timing.end?.wasNegative == true { repairs.note(.negativeTime, line: line) }
        if timing.start.isOversized || timing.end?.isOversized == true { repairs.note(.oversizedMinute, line: line) }
        if timing.end == nil { repairs.note(.missingEnd, line: line) }
        return FoundCue(
            index: header.index.flatMap { $0 >= 0 ? $0 : nil }, start: timing.start.microseconds,
            end: timing.end?.microseconds ?? timing.start.microseconds, text: text, line: line)
    }
}

/// Puts together the text of one cue after the other.
private struct TextGatherer {
    private let bytes: [UInt8]
    private let lines: ClassifiedLines
    private var cleaner: CueTextCleaner
    /// For lines that were not looked at one by one.
    private var plain = PlainLine()
    private var isAfterBlankLine = false
    private var isInBlock = false

    init(bytes: [UInt8], lines: ClassifiedLines, isWebVTT: Bool) {
        self.bytes = bytes
        self.lines = lines
        cleaner = CueTextCleaner(isWebVTT: isWebVTT)
    }

    mutating func text(of header: CueHeader, upTo end: Int, repairs: inout RepairLog) -> String? {
        let timingLine = lines[header.line]
        cleaner.begin()
        (isAfterBlankLine, isInBlock) = (false, false)
        if let offset = lines.timings[timingLine.value].textOffset {
            repairs.note(.textOnTimingLine, line: timingLine.number)
            cleaner.append(offset..<timingLine.range.upperBound, of: bytes)
        }
        var last = end
        if let orphan = orphan(after: header, upTo: end) {
            last = orphan
            if end == lines.count { repairs.note(.truncatedEnd, line: lines[orphan].number) }
        }
        for line in header.line + 1..<max(last, header.line + 1) {
            if lines[line].isMerged {
                for range in SourceLines(bytes, in: lines[line].range) { append(range, isBlank: isBlank(range)) }
            } else {
                append(lines[line].range, isBlank: lines[line].kind == .blank)
            }
        }
        let text = cleaner.text()
        if cleaner.wasCut { repairs.note(.longText, line: timingLine.number) }
        return text
    }

    private mutating func append(_ line: Range<Int>, isBlank: Bool) {
        if isBlank {
            cleaner.appendBlankLine()
            (isAfterBlankLine, isInBlock) = (true, false)
            return
        }
        if cleaner.isWebVTT, isAfterBlankLine { isInBlock = WebVTT.beginsBlock(bytes[line]) }
        isAfterBlankLine = false
        if !isInBlock { cleaner.append(line, of: bytes) }
    }

    private mutating func isBlank(_ line: Range<Int>) -> Bool {
        guard let first = bytes[line].firstIndex(where: { $0 > 0x20 }) else { return true }
        guard bytes[first] >= 0x7F else { return false }
        plain.fill(from: first..<line.upperBound, of: bytes)
        return plain.isBlank
    }

    /// The first line of a next cue of which the file holds only the number, or the number and half a time line.
    private func orphan(after header: CueHeader, upTo end: Int) -> Int? {
        guard let index = header.index, index >= 0 else { return nil }
        var last = end - 1
        while last > header.line, lines.kind(last) == .blank { last -= 1 }
        // Half a time line looks like a number or a broken one, or like text that begins with digits.
        for candidate in [last, last - 1] where candidate > header.line + 1 {
            guard lines.kind(candidate) == .number, lines[candidate].value == index + 1,
                lines.kind(candidate - 1) == .blank
            else { continue }
            if candidate == last || end == lines.count && lines.isHalfTime(last, of: bytes) { return candidate }
        }
        return nil
    }
}
