internal import CueSearch
internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// Keys while something lies over the pages.
extension RemoteScreen {
    mutating func search(_ now: SteadyTime) {
        guard !cues.isEmpty else { return tell(withoutCues, now: now) }
        overlay = .search(CueSearching())
    }

    mutating func take(_ key: ScreenInput.Key, search: CueSearching, _ now: SteadyTime) {
        var search = search
        switch key {
        case .escape: return overlay = .none
        case .enter:
            overlay = .none
            if search.matches.indices.contains(search.selected) {
                seek(toCue: search.matches[search.selected].place, now)
            }
            return
        case .up: search.select(search.selected - 1)
        case .down: search.select(search.selected + 1)
        case .pageUp: search.select(search.selected - 5)
        case .pageDown: search.select(search.selected + 5)
        case .home: search.select(0)
        case .end: search.select(search.matches.count - 1)
        default:
            guard let view, search.take(key, finder: &finder, cues: view.cues) else { return }
        }
        overlay = .search(search)
    }

    mutating func take(_ key: ScreenInput.Key, jump chosen: Int, _ now: SteadyTime) {
        switch key {
        case .up, .character("k"): overlay = .jumps(max(0, chosen - 1))
        case .down, .character("j"): overlay = .jumps(min(jumps.count - 1, chosen + 1))
        case .home, .pageUp: overlay = .jumps(0)
        case .end, .pageDown: overlay = .jumps(jumps.count - 1)
        case .enter:
            overlay = .none
            undo(through: chosen, now)
        case .escape, .character("q"), .character("U"): overlay = .none
        default: break
        }
    }

    /// Any key leaves it but those that scroll what does not fit.
    mutating func take(_ key: ScreenInput.Key, help offset: Int, _ now: SteadyTime) {
        let rows = frame(at: now).body.count
        let most = max(0, KeyTable.lines(columns: size.columns, measure: measure).count - rows)
        let step =
            switch key {
            case .up, .character("k"): -1
            case .down, .character("j"): 1
            case .pageUp: -max(1, rows - 1)
            case .pageDown: max(1, rows - 1)
            default: 0
            }
        guard step != 0, most > 0 else { return overlay = .none }
        overlay = .help(min(max(0, min(offset, most) + step), most))
    }
}
