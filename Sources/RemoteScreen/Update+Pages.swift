internal import TextScreen
internal import WireProtocol

/// Keys on the three pages.
extension RemoteScreen {
    /// Seconds of film for a key.
    static let skips: [Character: Double] = [
        "h": -1, "l": 1, "H": -3, "L": 3, ",": -0.5, ".": 0.5, "-": -1, "+": 1, "=": 1,
    ]

    mutating func takeOnPage(_ key: ScreenInput.Key, _ now: SteadyTime) {
        switch page {
        case .transport: if takeOnTransport(key, now) { return }
        case .cues: if takeOnCues(key, now) { return }
        case .tracks: if takeOnTracks(key, now) { return }
        }
        switch key {
        case .right, .tab: show(besides: 1)
        case .left, .backTab: show(besides: -1)
        case .character(let character):
            if let seconds = Self.skips[character] { return skip(seconds, now) }
            if !takeOnAnyPage(character, now) { _ = takeAnywhere(key, now) }
        default: break
        }
    }

    private mutating func takeOnAnyPage(_ character: Character, _ now: SteadyTime) -> Bool {
        switch character {
        case "1": show(.transport)
        case "2": show(.cues)
        case "3": show(.tracks)
        case " ", "p": togglePlay(now)
        case "9": turnVolume(-0.05, now)
        case "0": turnVolume(0.05, now)
        case "[": seek(lines: -1, now)
        case "]": seek(lines: 1, now)
        case "r": seek(lines: 0, now)
        case "u": undo(now)
        case "U": if jumps.isEmpty { tell("There was no jump yet.", now: now) } else { overlay = .jumps(0) }
        case "t": tellPosition(now)
        case "/": search(now)
        default: return false
        }
        return true
    }

    mutating func show(_ page: Page) {
        guard page != self.page else { return }
        self.page = page
        // A page opens at what is current.
        browsing.follow()
        chosenTrack = nil
    }

    private mutating func show(besides step: Int) {
        let count = Page.allCases.count
        show(Page.allCases[(page.rawValue + step + count) % count])
    }

    private mutating func takeOnTransport(_ key: ScreenInput.Key, _ now: SteadyTime) -> Bool {
        switch key {
        case .up: turnVolume(0.05, now)
        case .down: turnVolume(-0.05, now)
        default: return false
        }
        return true
    }

    // MARK: Cues

    private mutating func takeOnCues(_ key: ScreenInput.Key, _ now: SteadyTime) -> Bool {
        switch key {
        case .up, .character("k"): browse(by: -1, now)
        case .down, .character("j"): browse(by: 1, now)
        case .pageUp: browse(by: -pageOfCues, now)
        case .pageDown: browse(by: pageOfCues, now)
        case .home: browsing.choose(0, of: cues.count, now: now)
        case .end: browsing.choose(cues.count - 1, of: cues.count, now: now)
        case .enter:
            if let place = browsing.chosen(at: now) ?? currentCue(at: now) { seek(toCue: place, now) }
        case .escape, .character("c"): browsing.follow()
        default: return false
        }
        return true
    }

    /// Lines that a screen holds if half of them are wrapped.
    private var pageOfCues: Int { max(1, (size.rows - 4) * 2 / 3) }

    mutating func browse(by step: Int, _ now: SteadyTime) {
        guard let place = browsing.chosen(at: now) ?? currentCue(at: now) else { return }
        browsing.choose(place + step, of: cues.count, now: now)
    }

    // MARK: Tracks

    private mutating func takeOnTracks(_ key: ScreenInput.Key, _ now: SteadyTime) -> Bool {
        switch key {
        case .up, .character("k"): chooseTrack(by: -1)
        case .down, .character("j"): chooseTrack(by: 1)
        case .home, .pageUp: chooseTrack(by: -tracks.count)
        case .end, .pageDown: chooseTrack(by: tracks.count)
        case .enter: switchTrack(selectedTrack, now)
        case .escape: chosenTrack = nil
        default: return false
        }
        return true
    }

    var selectedTrack: Int { chosenTrack ?? activeTrack ?? 0 }

    mutating func chooseTrack(by step: Int) {
        guard !tracks.isEmpty else { return }
        chosenTrack = min(max(0, selectedTrack + step), tracks.count - 1)
    }
}
