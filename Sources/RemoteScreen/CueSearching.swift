internal import CueSearch
internal import RemoteCore
internal import TextScreen

/// Finding lines by what was said, as it is typed.
struct CueSearching {
    /// Matches that are kept; whoever has more types on.
    static let most = 200

    private(set) var line = LineInput()
    private(set) var matches: [CueMatch] = []
    private(set) var selected = 0

    mutating func take(_ key: ScreenInput.Key, finder: inout CueFinder, cues: RemoteView.Cues) -> Bool {
        guard line.take(key) else { return false }
        selected = 0
        refresh(finder: &finder, cues: cues)
        return true
    }

    /// Finds anew, in other cues.
    mutating func refresh(finder: inout CueFinder, cues: RemoteView.Cues) {
        matches = finder.find(line.text, in: cues, limit: Self.most)
        select(selected)
    }

    mutating func select(_ place: Int) {
        selected = min(max(0, place), max(0, matches.count - 1))
    }

    /// Whether there is anything to look for.
    var hasWords: Bool { CueIndex.canFind(line.text) }
}
