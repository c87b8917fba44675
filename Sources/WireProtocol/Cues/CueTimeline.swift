/// A session's cues, sorted by start (equal starts keep their order), and the rule of the current one.
package struct CueTimeline: Equatable, Sendable {
    package let cues: [Cue]

    package init(_ cues: [Cue]) {
        let inOrder = zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start }
        self.cues =
            inOrder
            ? cues
            : cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    /// Place in `cues` of the last cue that has started at `time` (equal starts: the later one); 0 before the first.
    ///
    /// A cue whose start the position reaches to within half a millisecond has started: positions travel in
    /// floating point and dates in milliseconds, and a tapped cue must be the current one after its seek.
    package func currentIndex(at time: Double) -> Int {
        var (low, high) = (0, cues.count)
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= time + 0.000_5 { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
