internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// The page for the hand that only wants to put the sound right.
extension RemoteScreen {
    /// Rows for the lines around the one being spoken, and what else fits; the most wanted first.
    private enum Part: CaseIterable {
        case state, bar, spoken, title, buttons, volume, track
    }

    func drawTransport(_ picture: inout Picture, _ body: Range<Int>, _ now: SteadyTime) {
        guard body.count > 1 else {
            // Where there is no row for the connection, a sign says that it is gone.
            let hasTrouble = size.rows == 1 && connection(at: now).isTrouble
            let mark = hasTrouble ? (size.columns >= 4 ? "! " : "!") : ""
            let column = picture.canvas.write(mark, .warning, row: body.lowerBound)
            let state = shortState(columns: size.columns - column, now)
            picture.canvas.write(state, stateRole, row: body.lowerBound, column: column)
            return
        }
        let parts = Set(Part.allCases.prefix(body.count))
        var rest = body.count - parts.count
        var row = body.lowerBound
        func gap() {
            // The lines around the one being spoken come first.
            guard rest > 4 else { return }
            (row, rest) = (row + 1, rest - 1)
        }
        if parts.contains(.title) {
            picture.canvas.write(view?.title ?? "", .strong, row: row)
            row += 1
        }
        if parts.contains(.track) {
            let isPending = pending.trackID != nil
            let label = activeTrack.map { tracks[$0].label } ?? ""
            picture.canvas.write(label + (isPending ? " …" : ""), isPending ? .pending : .quiet, row: row)
            row += 1
        }
        gap()
        if rest >= Self.roomForBig, size.columns >= Self.columnsForBig {
            drawBigState(&picture, row, now)
            (row, rest) = (row + BigText.rows + 1, rest - BigText.rows)
        } else {
            drawState(&picture, row, 0, playSign, now)
            row += 1
        }
        drawBar(&picture, row, now)
        row += 1
        gap()
        if parts.contains(.buttons) {
            drawButtons(&picture, row)
            row += 1
        }
        if parts.contains(.volume) {
            drawVolume(&picture, row)
            row += 1
        }
        gap()
        if parts.contains(.spoken), row < body.upperBound { drawSpoken(&picture, row..<body.upperBound, now) }
    }

    /// Rows that are left when all parts and the lines around the one being spoken have theirs, and columns of the widest.
    private static let roomForBig = 8
    private static let columnsForBig = 60

    /// What is playing and where the film is, to be read at a glance.
    private func drawBigState(_ picture: inout Picture, _ row: Int, _ now: SteadyTime) {
        let sign = isPlaying ? BigText.playing : BigText.paused
        let time = position(at: now).flatMap { BigText.time(times($0, now).elapsed) }
        let isAsked = pending.position != nil || abs(pendingSkip) > 1e-6
        var column = 0
        for line in 0..<BigText.rows {
            column = picture.canvas.write(sign[line], stateRole, row: row + line) + 3
            guard let time else { continue }
            column = picture.canvas.write(
                time[line], isAsked ? .pending : .strong, row: row + line, column: column)
            column += 3
        }
        picture.zone(row: row, columns: 0..<6, .key(.character(" ")))
        drawState(&picture, row + 1, column, "", now)
    }

    private func drawState(_ picture: inout Picture, _ row: Int, _ start: Int, _ sign: String, _ now: SteadyTime) {
        let words = [sign, playState].filter { !$0.isEmpty }.joined(separator: " ")
        let state = words + (pending.isPlaying != nil ? " …" : "")
        var column = picture.canvas.write(state, stateRole, row: row, column: start) + 3
        if pending.position != nil, pending.isPlaying == nil, let position = position(at: now) {
            column = picture.canvas.write("→ \(TimeText.elapsed(position))", .pending, row: row, column: column) + 2
        }
        if abs(pendingSkip) > 1e-6 {
            picture.canvas.write(Wording.signed(pendingSkip), .pending, row: row, column: column)
        }
    }

    private func drawBar(_ picture: inout Picture, _ row: Int, _ now: SteadyTime) {
        guard let position = position(at: now) else { return }
        let (elapsed, remaining) = times(position, now)
        let role: Role = pending.position == nil && abs(pendingSkip) < 1e-6 ? .text : .pending
        picture.canvas.write(elapsed, role, row: row)
        guard elapsed.count + 1 + remaining.count <= size.columns else { return }
        picture.canvas.writeBack(remaining, .quiet, row: row)
        guard let (bar, column) = bar(now) else { return }
        let (filled, unfilled) = bar.text(at: isAwake(at: now) ? position : Self.minute(position))
        let end = picture.canvas.write(filled, .filled, row: row, column: column)
        picture.canvas.write(unfilled, .unfilled, row: row, column: end)
    }

    /// Between the two times, which take the room that the longest of them needs.
    func bar(_ now: SteadyTime) -> (ProgressBar, column: Int)? {
        let widest = times(duration, now).elapsed.count
        let cells = size.columns - 2 * widest - 3
        return ProgressBar(cells: cells, duration: duration).map { ($0, widest + 1) }
    }

    private func drawButtons(_ picture: inout Picture, _ row: Int) {
        let play = isPlaying ? "⏸" : "▶"
        let buttons: [(String, Character)] = [("-3", "H"), ("-1", "h"), (play, " "), ("+1", "l"), ("+3", "L")]
        let width = min(12, size.columns / buttons.count)
        guard width >= 3 else { return }
        let gap = width > 6 ? 1 : 0
        for (place, (label, key)) in buttons.enumerated() {
            let column = place * width
            let room = width - 2 - gap - measure.columns(measure.shown(label))
            let left = String(repeating: " ", count: max(0, room / 2))
            let right = String(repeating: " ", count: max(0, room - room / 2))
            picture.canvas.write("[\(left)\(label)\(right)]", .button, row: row, column: column, columns: width)
            picture.zone(row: row, columns: column..<column + width, .key(.character(key)))
        }
    }

    private func drawVolume(_ picture: inout Picture, _ row: Int) {
        guard let volume else { return }
        let isPending = pending.unlinkedVolume != nil
        var column = picture.canvas.write(
            "Volume \(Wording.percent(volume))", isPending ? .pending : .text, row: row)
        let cells = min(20, size.columns - 15)
        guard cells >= 5 else { return }
        let filled = Int((volume * Double(cells)).rounded())
        column = picture.canvas.write(String(repeating: "━", count: filled), .filled, row: row, column: 14)
        picture.canvas.write(
            String(repeating: "─", count: cells - filled), .unfilled, row: row, column: max(14, column))
    }

    /// The line being spoken with the one before and after; it begins in the same row whatever stands before it.
    private func drawSpoken(_ picture: inout Picture, _ rows: Range<Int>, _ now: SteadyTime) {
        guard isAwake(at: now) else { return }
        guard let current = currentCue(at: now) else {
            if case .loading? = view?.cues { draw(loading, .quiet, &picture, rows) }
            return
        }
        let around = rows.count >= 7 ? 2 : rows.count >= 3 ? 1 : 0
        func lines(_ place: Int, limit: Int) -> [String] {
            guard cues.indices.contains(place) else { return [] }
            return measure.wrapped(cues[place].text, to: size.columns - 2, limit: limit)
        }
        func write(_ lines: [String], _ place: Int, _ role: Role, from row: Int) {
            for (number, line) in lines.enumerated() {
                if place == current { picture.canvas.write("▌", role, row: row + number, columns: size.columns / 3) }
                picture.canvas.write(line, role, row: row + number, column: min(2, size.columns / 3))
                picture.zone(row: row + number, .cue(place))
            }
        }
        let first = rows.lowerBound + around
        let before = lines(current - 1, limit: around)
        let spoken = lines(current, limit: min(3, rows.upperBound - around - first))
        write(before, current - 1, .quiet, from: first - before.count)
        write(spoken, current, pending.position == nil ? .current : .pending, from: first)
        write(lines(current + 1, limit: around), current + 1, .quiet, from: first + spoken.count)
    }
}
