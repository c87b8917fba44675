internal import CueSearch
internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// What a `PlainReader` knows of a screen, each fact as the line that tells it.
struct PlainFacts {
    var connection: String?
    var title: String?
    var track: String?
    var playState: String?
    /// Where the film is; told with another fact only.
    var time: String?
    /// Page, or what lies over it.
    var place: String?
    var selection: String?
    /// The line being spoken.
    var spoken: String?
    /// Number of the last notice.
    var notice: Int?

    init() {}

    init(_ screen: RemoteScreen, _ now: SteadyTime) {
        connection = Self.connection(screen, now)
        selection = Self.selection(screen, now)
        place = Self.place(screen)
        guard screen.scene == .pages, let view = screen.view else { return }
        title = view.title.flatMap { $0.isEmpty ? nil : "Film: \($0)" }
        // The confirmed one: a switch may fail.
        track = view.tracks.first { $0.id == view.activeTrackID }.map { "Track: \($0.label)" }
        playState = screen.pending.isPlaying == nil ? screen.playState : nil
        guard let position = screen.position(at: now) else { return }
        time = TimeText.elapsed(position)
        guard let current = screen.currentCue(at: now), screen.cues[current].start <= position + RemoteScreen.tick
        else {
            return
        }
        spoken = SafeText.line(screen.cues[current].text)
    }

    private static func connection(_ screen: RemoteScreen, _ now: SteadyTime) -> String {
        switch screen.scene {
        case .finding:
            if case .choosing = screen.finding.stage { return "Choose another host." }
            return screen.finding.hosts.isEmpty ? screen.searchText(at: now) : "Choose a host."
        case .message(let text, _): return [text, screen.finding.linkFailure].compactMap(\.self).joined(separator: " ")
        case .pages: break
        }
        switch screen.view?.status {
        case .connected: return "Connected to \(screen.view?.hostName ?? "the host")."
        case .reconnecting where screen.view?.hostHasEnded == true: return "The host has ended; waiting for it."
        case .reconnecting: return "The connection is gone; trying again."
        case .noSession, .neverConnected, .ended, nil: return "Disconnected."
        }
    }

    private static func place(_ screen: RemoteScreen) -> String? {
        switch screen.overlay {
        case .none: screen.scene == .pages ? screen.page.name : nil
        case .address: "Type the host's address, then Enter."
        case .search: "Type what was said; up and down choose, Enter goes there."
        case .jumps: "Go back to before which jump? Up and down choose, Enter goes there."
        case .help: KeyTable.lines(columns: .max, measure: screen.measure).joined(separator: "\n")
        }
    }

    private static func selection(_ screen: RemoteScreen, _ now: SteadyTime) -> String? {
        switch screen.overlay {
        case .address, .help: return nil
        case .search(let search):
            guard !search.matches.isEmpty else { return search.hasWords ? "No line has all of that." : nil }
            let line = cue(search.matches[search.selected].place, screen)
            return "\(search.selected + 1) of \(search.matches.count): \(line)"
        case .jumps(let chosen): return screen.jumpText(chosen)
        case .none: break
        }
        switch screen.scene {
        case .message: return nil
        case .finding: return screen.finding.hosts.isEmpty ? nil : screen.hostText(screen.finding.selected)
        case .pages: break
        }
        switch screen.page {
        case .transport: return nil
        case .cues: return screen.browsing.chosen(at: now).map { cue($0, screen) }
        case .tracks: return screen.chosenTrack.map { screen.tracks[$0].label }
        }
    }

    private static func cue(_ place: Int, _ screen: RemoteScreen) -> String {
        "\(TimeText.elapsed(screen.cues[place].start)) \(SafeText.line(screen.cues[place].text))"
    }
}
