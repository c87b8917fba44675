internal import WireProtocol

/// A cue as one reader found it, before the timeline as a whole is put right.
struct FoundCue {
    /// The file's own number, `nil` where it has none that fits.
    var index: Int?
    /// Microseconds, not negative.
    var start: Int64
    var end: Int64
    var text: String
    /// Of its time line, counted from 1.
    var line: Int
}

/// Makes a timeline of the cues a reader found: order, ends and numbers.
enum CueAssembly {
    static func timeline(of found: [FoundCue], repairs: inout RepairLog) -> [Cue] {
        var cues = found
        var isSorted = true
        for (above, cue) in zip(cues, cues.dropFirst()) where cue.start < above.start {
            isSorted = false
            repairs.note(.outOfOrder, line: cue.line)
        }
        // Swift's sort keeps no promise about equal elements, so the place in the file decides between them.
        if !isSorted { cues.sort { ($0.start, $0.line) < ($1.start, $1.line) } }
        for place in cues.indices where cues[place].end < cues[place].start {
            repairs.note(.endBeforeStart, line: cues[place].line)
            cues[place].end = cues[place].start
        }
        let keepsNumbers = hasGrowingNumbers(cues)
        if !keepsNumbers, cues.contains(where: { $0.index != nil }), let first = cues.first {
            repairs.note(.renumbered, line: first.line)
        }
        return cues.enumerated().map { place, cue in
            Cue(
                index: keepsNumbers ? cue.index ?? place + 1 : place + 1,
                // One division of whole microseconds: the double nearest to what the file says.
                start: Double(cue.start) / 1e6, end: Double(cue.end) / 1e6, text: cue.text)
        }
    }

    private static func hasGrowingNumbers(_ cues: [FoundCue]) -> Bool {
        var last = -1
        for cue in cues {
            guard let index = cue.index, index > last else { return false }
            last = index
        }
        return true
    }
}
