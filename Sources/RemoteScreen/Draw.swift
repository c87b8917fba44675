internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// The whole picture: a frame that is the same everywhere, and in it a page, a list or a message.
extension RemoteScreen {
    func picture(at now: SteadyTime) -> Picture {
        var picture = Picture(size, measure: measure)
        let frame = frame(at: now)
        if let row = frame.header { drawHeader(&picture, row, now) }
        if let row = frame.status, let news = news(at: now) {
            picture.canvas.write((news.isWarning ? "! " : "") + news.text, news.isWarning ? .warning : .text, row: row)
        }
        if let row = frame.footer { drawFooter(&picture, row) }
        let body = frame.body
        switch overlay {
        case .none:
            switch scene {
            case .finding: drawFinding(&picture, body, now)
            case .message(let text, let isWarning): draw(text, isWarning ? .warning : .text, &picture, body)
            case .pages:
                switch page {
                case .transport: drawTransport(&picture, body, now)
                case .cues: drawCues(&picture, body, now)
                case .tracks: drawTracks(&picture, body)
                }
            }
        case .address(let line):
            draw(input: line, "Address of the host: ", &picture, body.lowerBound)
            draw("Such as 192.168.1.5 or laptop.local:42557", .quiet, &picture, body.dropFirst(2))
        case .search(let search): drawSearch(search, &picture, body, now)
        case .jumps(let chosen): drawJumps(chosen, &picture, body)
        case .help(let offset): drawHelp(offset, &picture, body)
        }
        return picture
    }

    // MARK: Frame

    private func drawHeader(_ picture: inout Picture, _ row: Int, _ now: SteadyTime) {
        let connection = connection(at: now)
        var column = 0
        var end = size.columns
        if scene == .pages, isOnPages { end = drawTabs(&picture, row) }
        if scene == .pages, !(isOnPages && page == .transport) {
            let state = shortState(columns: min(end, size.columns / 2), now)
            column = picture.canvas.write(state, stateRole, row: row) + 2
        }
        let text = (connection.isTrouble ? "! " : "") + connection.text
        picture.canvas.write(
            text, connection.isTrouble ? .warning : .quiet, row: row, column: column, columns: max(0, end - 1 - column))
    }

    private var isOnPages: Bool { if case .none = overlay { true } else { false } }

    /// - Returns: their first column.
    private func drawTabs(_ picture: inout Picture, _ row: Int) -> Int {
        let isLong = size.columns >= 60
        guard isLong || size.columns >= 30 else { return size.columns + 1 }
        let names = Page.allCases.map { isLong ? "\($0.rawValue + 1) \($0.name)" : "\($0.rawValue + 1)" }
        let start = size.columns - names.reduce(0) { $0 + $1.count + 2 }
        var column = start
        for (page, name) in zip(Page.allCases, names) {
            let isShown = page == self.page
            column = picture.put(
                isShown ? "[\(name)]" : " \(name) ", isShown ? .strong : .button, row: row, column: column,
                target: .page(page))
        }
        return start
    }

    private func drawFooter(_ picture: inout Picture, _ row: Int) {
        var column = 0
        for hint in hints {
            let text = "\(hint.keys) \(hint.what)"
            let start = column == 0 ? 0 : column + 2
            guard start + measure.columns(measure.shown(text)) <= size.columns else { continue }
            column = picture.canvas.write(hint.keys, .button, row: row, column: start)
            column = picture.canvas.write(hint.what, .quiet, row: row, column: column + 1)
            if let key = hint.key { picture.zone(row: row, columns: start..<column, .key(key)) }
        }
    }

    // MARK: Parts

    /// A sentence or two, wrapped, from the top.
    func draw(_ text: String, _ role: Role, _ picture: inout Picture, _ rows: Range<Int>) {
        let lines = measure.wrapped(text, to: size.columns, limit: rows.count)
        for (line, row) in zip(lines, rows) { picture.canvas.write(line, role, row: row) }
    }

    /// A line being typed; of one that is too long the end is seen, and a narrow screen has no room for the prompt.
    func draw(input: LineInput, _ prompt: String, _ picture: inout Picture, _ row: Int) {
        let prompt = size.columns >= prompt.count + 16 ? prompt : size.columns >= 12 ? "> " : ""
        var text = measure.shown(input.text)
        let start = picture.canvas.write(prompt, .quiet, row: row)
        let room = max(0, size.columns - start - 1)
        while measure.columns(text) > room, !text.isEmpty { text.removeFirst() }
        let end = picture.canvas.write(text, .strong, row: row, column: start)
        picture.canvas.cursor = .init(row: row, column: min(end, size.columns - 1))
    }

    /// The items of a list that fit, each with what a tap on it means.
    func draw(
        _ list: ListRows, _ picture: inout Picture, _ rows: Range<Int>, target: (Int) -> Picture.Target,
        line: (inout Picture, _ item: ListRows.Item, _ number: Int, _ row: Int) -> Void
    ) {
        for item in list.items {
            for number in item.lines.indices where (0..<rows.count).contains(item.row + number) {
                let row = rows.lowerBound + item.row + number
                picture.zone(row: row, target(item.place))
                line(&picture, item, number, row)
            }
        }
    }
}

extension RemoteScreen.Page {
    var name: String {
        switch self {
        case .transport: "Transport"
        case .cues: "Cues"
        case .tracks: "Tracks"
        }
    }
}
