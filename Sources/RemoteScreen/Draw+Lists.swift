internal import CueSearch
internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// Pages and overlays that are lists.
extension RemoteScreen {
    /// Columns for the two marks before an item.
    private static let marks = 3
    /// Lines of one cue.
    private static let cueLines = 3

    // MARK: Cues

    func drawCues(_ picture: inout Picture, _ body: Range<Int>, _ now: SteadyTime) {
        guard let current = currentCue(at: now) else {
            if case .loading? = view?.cues { return draw(loading, .quiet, &picture, body) }
            return draw("No subtitles", .quiet, &picture, body)
        }
        let chosen = browsing.chosen(at: now)
        drawCues(&picture, body, count: cues.count, focus: chosen ?? current, cue: { $0 }) { place in
            Marks(
                isCurrent: place == current, isChosen: place == chosen,
                isPending: place == current && pending.position != nil)
        }
    }

    private struct Marks {
        var isCurrent = false
        var isChosen = false
        var isPending = false

        var text: String { (isCurrent ? "▌" : " ") + (isChosen ? ">" : " ") }

        var role: Role {
            isChosen ? .selected : isPending ? .pending : isCurrent ? .current : .text
        }
    }

    /// Cues with their times, where there is room for them.
    private func drawCues(
        _ picture: inout Picture, _ body: Range<Int>, count: Int, focus: Int, cue: (Int) -> Int,
        marks: (Int) -> Marks
    ) {
        let timeColumns = (cues.last?.start ?? 0) >= 3600 ? 7 : 5
        let textColumn = size.columns >= 30 ? Self.marks + timeColumns + 2 : min(Self.marks, size.columns / 4)
        let list = ListRows(count: count, focus: focus, height: body.count) { place in
            let lines = measure.wrapped(
                cues[cue(place)].text, to: size.columns - textColumn, limit: min(Self.cueLines, body.count))
            return lines.isEmpty ? [""] : lines
        }
        draw(list, &picture, body, target: { .cue(cue($0)) }) { picture, item, number, row in
            let marks = marks(item.place)
            picture.canvas.write(String(marks.text.prefix(textColumn)), marks.role, row: row)
            if number == 0, textColumn > Self.marks {
                let time = TimeText.cue(cues[cue(item.place)].start)
                picture.canvas.writeBack(time, .quiet, row: row, end: textColumn - 2)
            }
            picture.canvas.write(item.lines[number], marks.role, row: row, column: textColumn)
        }
    }

    func drawSearch(_ search: CueSearching, _ picture: inout Picture, _ body: Range<Int>, _ now: SteadyTime) {
        draw(input: search.line, "Find: ", &picture, body.lowerBound)
        let rows = body.dropFirst()
        guard !search.matches.isEmpty else {
            return draw(search.hasWords ? "No line has all of that." : "Type what was said.", .quiet, &picture, rows)
        }
        let current = currentCue(at: now)
        drawCues(
            &picture, rows, count: search.matches.count, focus: search.selected, cue: { search.matches[$0].place }
        ) { place in
            Marks(isCurrent: search.matches[place].place == current, isChosen: place == search.selected)
        }
    }

    // MARK: Tracks

    func drawTracks(_ picture: inout Picture, _ body: Range<Int>) {
        guard tracks.count > 1 else {
            draw("Single track" + (tracks.first.map { ": \($0.label)" } ?? ""), .quiet, &picture, body)
            return
        }
        drawItems(&picture, body, count: tracks.count, chosen: selectedTrack, target: { .track($0) }) { trackText($0) }
    }

    /// With a check mark, and a sign while the switch is on its way.
    func trackText(_ place: Int) -> (text: String, role: Role) {
        guard place == activeTrack else { return ("  " + tracks[place].label, .text) }
        let isPending = pending.trackID != nil
        return ("✓ \(tracks[place].label)" + (isPending ? " …" : ""), isPending ? .pending : .current)
    }

    // MARK: Jumps, hosts, keys

    func drawJumps(_ chosen: Int, _ picture: inout Picture, _ body: Range<Int>) {
        picture.canvas.write("Go back to before which jump?", .strong, row: body.lowerBound)
        drawItems(
            &picture, body.dropFirst(), count: jumps.count, chosen: chosen, target: { .jump($0) }
        ) { (jumpText($0), .text) }
    }

    /// Of the list, the latest first.
    func jumpText(_ place: Int) -> String {
        let jump = jumps[jumps.count - 1 - place]
        return "\(Wording.signed(jump.seconds))  \(TimeText.elapsed(jump.from)) → \(TimeText.elapsed(jump.to))"
            + (jump.by.map { "  \($0)" } ?? "")
    }

    func drawFinding(_ picture: inout Picture, _ body: Range<Int>, _ now: SteadyTime) {
        guard !finding.hosts.isEmpty else { return draw(searchText(at: now), .text, &picture, body) }
        let hasTitle = body.count > 1
        if hasTitle { picture.canvas.write("Choose a host:", .strong, row: body.lowerBound) }
        drawItems(
            &picture, hasTitle ? body.dropFirst() : body, count: finding.hosts.count, chosen: finding.selected,
            target: { .host($0) }
        ) { (hostText($0), .text) }
    }

    func searchText(at now: SteadyTime) -> String {
        if let failure = finding.searchFailure {
            return "Hosts cannot be looked for (\(failure)). Type an address: a"
        }
        guard finding.hasWaitedLong(at: now) else { return "Looking for a host …" }
        return "No host found yet. Start one with: allspeak-host play …; or type an address: a"
    }

    func hostText(_ place: Int) -> String {
        let host = finding.hosts[place]
        return "\(place + 1) \(host.name)  \(host.address)" + (host.isOnThisMachine ? "  (this computer)" : "")
    }

    func drawHelp(_ offset: Int, _ picture: inout Picture, _ body: Range<Int>) {
        let lines = KeyTable.lines(columns: size.columns, measure: measure)
        let first = min(offset, max(0, lines.count - body.count))
        for (line, row) in zip(lines[first...], body) { picture.canvas.write(line, .text, row: row) }
    }

    /// Items of one line each.
    private func drawItems(
        _ picture: inout Picture, _ rows: Range<Int>, count: Int, chosen: Int, target: (Int) -> Picture.Target,
        item: (Int) -> (text: String, role: Role)
    ) {
        let list = ListRows(count: count, focus: chosen, height: rows.count) { _ in [""] }
        draw(list, &picture, rows, target: target) { picture, listed, _, row in
            let isChosen = listed.place == chosen
            let (text, role) = item(listed.place)
            let mark = (isChosen ? "> " : "  ").prefix(size.columns / 4)
            let column = picture.canvas.write(String(mark), .selected, row: row)
            picture.canvas.write(text, isChosen && role == .text ? .selected : role, row: row, column: column)
        }
    }
}
