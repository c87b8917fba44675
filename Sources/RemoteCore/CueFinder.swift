package import CueSearch
internal import WireProtocol

/// Finds lines of the film by what was said, key by key, with an index made once for each timeline.
///
/// How words are compared and matches are ranked: `CueIndex`.
package struct CueFinder: Sendable {
    private var timeline = CueTimeline([])
    private var index = CueIndex([])

    package init() {}

    /// The lines that have all `words`, the best first; places are those in the view's timeline.
    ///
    /// None while there are no cues.
    package mutating func find(_ words: String, in cues: RemoteView.Cues, limit: Int = 200) -> [CueMatch] {
        guard case .ready(let timeline) = cues else { return [] }
        // One buffer compared with itself is equal at once, so this costs nothing while the timeline stays.
        if timeline != self.timeline {
            self.timeline = timeline
            index = CueIndex(timeline.cues)
        }
        return index.find(words, limit: limit)
    }
}
