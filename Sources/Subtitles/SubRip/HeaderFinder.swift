/// Where a cue begins: its time line and, above it, its number if it has one.
struct CueHeader {
    /// The number's line, or the time line where it has none above it.
    var firstLine: Int
    /// The time line, readable or broken.
    var line: Int
    /// -1: there is a number, of no use; `nil`: there is none.
    var index: Int?
    var followsBlankLine: Bool
}

/// Decides which time lines and numbers begin cues and which are words of a text.
///
/// What looks doubtful (no number, no blank line above) counts as a cue only where its time fits between its
/// neighbours'.
struct HeaderFinder {
    private let lines: ClassifiedLines
    private let isWebVTT: Bool
    /// Half or more of the time lines have a number of their own above.
    private let isNumbered: Bool
    /// Half or more of the times lack hours or a fraction, so that this proves nothing.
    private let isLoose: Bool
    /// For each time line the start of the next one that is beyond doubt.
    private var nextCertainStart: [Int64?] = []
    private var headersSoFar: [CueHeader] = []
    private var previousStart: Int64 = 0

    init(_ lines: ClassifiedLines, isWebVTT: Bool) {
        self.lines = lines
        self.isWebVTT = isWebVTT
        var (numbered, loose) = (0, 0)
        var certain = [Bool](repeating: false, count: lines.timings.count)
        for (place, line) in lines.timingLines.enumerated() {
            let hasNumber = lines.kind(line - 1) == .number && lines.kind(line - 2) == .blank
            certain[place] = hasNumber || lines.timings[place].ownIndex != nil
            if certain[place] { numbered += 1 }
            if !lines.timings[place].isFull, !lines.timings[place].isBare { loose += 1 }
        }
        isNumbered = numbered * 2 >= lines.timings.count
        isLoose = loose * 2 >= lines.timings.count
        nextCertainStart = [Int64?](repeating: nil, count: lines.timings.count)
        var next: Int64?
        for place in lines.timings.indices.reversed() {
            nextCertainStart[place] = next
            if certain[place] { next = lines.timings[place].start.microseconds }
        }
    }

    /// In the order of lines.
    mutating func headers() -> [CueHeader] {
        headersSoFar.reserveCapacity(lines.timings.count)
        for line in 0..<lines.count {
            switch lines.kind(line) {
            case .timing:
                let header = header(at: line)
                if begins(header) {
                    headersSoFar.append(header)
                    previousStart = lines.timings[lines[line].value].start.microseconds
                }
            case .brokenTiming where !isWebVTT:
                let header = header(at: line)
                if header.index != nil && header.followsBlankLine { headersSoFar.append(header) }
            default: break
            }
        }
        return headersSoFar
    }

    private func header(at line: Int) -> CueHeader {
        let isTiming = lines.kind(line) == .timing
        if isTiming, let own = lines.timings[lines[line].value].ownIndex {
            return CueHeader(
                firstLine: line, line: line, index: own, followsBlankLine: lines.kind(line - 1) == .blank)
        }
        if let number = numberLine(above: line) {
            return CueHeader(
                firstLine: number, line: line, index: lines[number].value,
                followsBlankLine: lines.kind(number - 1) == .blank)
        }
        let hasName = isWebVTT && isName(line - 1)
        return CueHeader(
            firstLine: hasName ? line - 1 : line, line: line, index: nil,
            followsBlankLine: hasName || lines.kind(line - 1) == .blank)
    }

    /// VTT files put an identifier of any kind above the time line.
    private func isName(_ line: Int) -> Bool {
        lines.kind(line) != .blank && lines.kind(line - 1) == .blank && line > headersSoFar.last?.line ?? -1
    }

    /// The line of the number that belongs to the time line at `line`.
    private func numberLine(above line: Int) -> Int? {
        var number = line - 1
        while number >= 0, lines.kind(number) == .blank { number -= 1 }
        guard number >= 0, lines.kind(number) == .number else { return nil }
        let previous = headersSoFar.last
        // A number that directly follows another cue's time line is that cue's text, unless it counts on.
        if let previous, number <= previous.line { return nil }
        let countsOn = previous?.index.map { $0 >= 0 && lines[number].value == $0 + 1 } ?? false
        let isAdjacent = number == line - 1
        let followsBlank = lines.kind(number - 1) == .blank
        guard let previous else { return number }
        if isAdjacent && followsBlank { return number }
        if isAdjacent { return countsOn || previous.index != nil && number - 1 > previous.line ? number : nil }
        // With blank lines between number and time line: a file in which every line is followed by a blank one.
        return followsBlank && (countsOn || isSpaced(previous)) ? number : nil
    }

    private func isSpaced(_ header: CueHeader) -> Bool {
        header.index != nil && header.firstLine < header.line - 1
    }

    private func begins(_ header: CueHeader) -> Bool {
        let timing = lines.timings[lines[header.line].value]
        let isUsual = timing.isFull || isLoose
        if header.index != nil && header.followsBlankLine { return true }
        if timing.isBare { return false }
        if header.followsBlankLine && isUsual { return true }
        if !isUsual && header.index == nil && !header.followsBlankLine { return false }
        guard isNumbered else { return true }
        if header.index != nil && isUsual { return true }
        // A time line alone below another time line is that cue's text.
        if headersSoFar.last?.line == header.line - 1, lines.kind(header.line + 1) == .blank { return false }
        let start = timing.start.microseconds
        return start >= previousStart && start <= nextCertainStart[lines[header.line].value] ?? .max
    }
}
