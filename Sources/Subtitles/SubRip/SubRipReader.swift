/// Reads SRT, and WebVTT, which differs in what a blank line means and in its tags.
///
/// Cues are found by their time lines, not by blank lines: those may be missing, or stand inside a text.
enum SubRipReader {
    static func read(_ bytes: [UInt8], repairs: inout RepairLog) -> [FoundCue] {
        let lines = ClassifiedLines(bytes)
        let isWebVTT = bytes.starts(with: "WEBVTT".utf8)
        var finder = HeaderFinder(lines, isWebVTT: isWebVTT)
        let headers = finder.headers()
        var cleaner = CueTextCleaner(isWebVTT: isWebVTT)
        var cues: [FoundCue] = []
        cues.reserveCapacity(headers.count)
        if let first = headers.first, !isWebVTT,
            let stray = (0..<first.firstLine).first(where: { lines.kinds[$0] != .blank })
        {
            repairs.note(.strayText, line: stray + 1)
        }
        for (place, header) in headers.enumerated() {
            let end = place + 1 < headers.count ? headers[place + 1].firstLine : lines.count
            guard lines.kinds[header.line] == .timing else {
                repairs.note(.brokenTiming, line: header.line + 1)
                continue
            }
            if !header.followsBlankLine, !isWebVTT { repairs.note(.missingBlankLine, line: header.firstLine + 1) }
            if header.index == nil, !isWebVTT { repairs.note(.missingIndex, line: header.line + 1) }
            let text = text(
                of: header, upTo: end, isLast: place + 1 == headers.count, lines: lines, bytes: bytes,
                cleaner: &cleaner, repairs: &repairs)
            guard let text else {
                repairs.note(.emptyCue, line: header.line + 1)
                continue
            }
            cues.append(cue(header, timing: lines.timings[lines.values[header.line]], text: text, repairs: &repairs))
        }
        return cues
    }

    private static func text(
        of header: CueHeader, upTo end: Int, isLast: Bool, lines: ClassifiedLines, bytes: [UInt8],
        cleaner: inout CueTextCleaner, repairs: inout RepairLog
    ) -> String? {
        cleaner.begin()
        if let offset = lines.timings[lines.values[header.line]].textOffset {
            repairs.note(.textOnTimingLine, line: header.line + 1)
            cleaner.append(offset..<lines.ranges[header.line].upperBound, of: bytes)
        }
        var last = end
        if let orphan = orphan(after: header, upTo: end, lines: lines, bytes: bytes) {
            last = orphan
            if isLast { repairs.note(.truncatedEnd, line: orphan + 1) }
        }
        for line in header.line + 1..<max(last, header.line + 1) {
            if lines.kinds[line] != .blank {
                cleaner.append(lines.ranges[line], of: bytes)
            } else if cleaner.isWebVTT {
                break
            } else {
                cleaner.appendBlankLine()
            }
        }
        let text = cleaner.text()
        if cleaner.wasCut { repairs.note(.longText, line: header.line + 1) }
        return text
    }

    /// The first line of a next cue of which the file holds only the number, or the number and half a time line.
    private static func orphan(after header: CueHeader, upTo end: Int, lines: ClassifiedLines, bytes: [UInt8]) -> Int? {
        guard let index = header.index, index >= 0 else { return nil }
        var last = end - 1
        while last > header.line, lines.kinds[last] == .blank { last -= 1 }
        // Half a time line looks like a number or a broken one, or like text that begins with digits.
        for candidate in [last, last - 1] where candidate > header.line + 1 {
            guard lines.kinds[candidate] == .number, lines.values[candidate] == index + 1,
                lines.kinds[candidate - 1] == .blank
            else { continue }
            if candidate == last || end == lines.count && lines.isHalfTime(last, of: bytes) { return candidate }
        }
        return nil
    }

    private static func cue(
        _ header: CueHeader, timing: TimingLine, text: String, repairs: inout RepairLog
    ) -> FoundCue {
        let line = header.line + 1
        if timing.start.wasNegative || timing.end?.wasNegative == true { repairs.note(.negativeTime, line: line) }
        if timing.start.isOversized || timing.end?.isOversized == true { repairs.note(.oversizedMinute, line: line) }
        if timing.end == nil { repairs.note(.missingEnd, line: line) }
        return FoundCue(
            index: header.index.flatMap { $0 >= 0 ? $0 : nil }, start: timing.start.microseconds,
            end: timing.end?.microseconds ?? timing.start.microseconds, text: text, line: line)
    }
}
