internal import RemoteCore
internal import TextScreen
package import WireProtocol

/// Tells in lines what happens on a `RemoteScreen`, for a screen reader: each thing once, without control codes.
///
/// The screen is fed as ever; it gets its `tick` at the reader's `nextDeadline` instead of its own.
package struct PlainReader: Sendable {
    /// Seconds without a further jump or letter until what they led to is told.
    static let quiet = 0.6
    /// Seconds of a leap that is one.
    private static let leap = 0.3

    private var told = PlainFacts()
    private var film: (position: Double, at: SteadyTime, isMoving: Bool)?
    /// The film has leapt; told once it stays.
    private var leapt: SteadyTime?
    private var query = ""
    private var typed: SteadyTime?
    private var lastWarning: (text: String, at: SteadyTime)?

    package init() {}

    /// What is to be said now, after an event or at a deadline; one line each.
    package mutating func say(_ screen: RemoteScreen, now: SteadyTime) -> [String] {
        let facts = PlainFacts(screen, now)
        var lines: [String] = []
        func tell(_ fact: WritableKeyPath<PlainFacts, String?>) {
            guard facts[keyPath: fact] != told[keyPath: fact] else { return }
            told[keyPath: fact] = facts[keyPath: fact]
            lines += (facts[keyPath: fact] ?? "").split(separator: "\n").map { String($0) }
        }
        tell(\.connection)
        tell(\.title)
        tell(\.track)
        noteLeaps(screen, now)
        if facts.playState != told.playState {
            told.playState = facts.playState
            if let state = facts.playState {
                lines.append([state, facts.time].compactMap(\.self).joined(separator: ", "))
            }
        }
        tell(\.place)
        noteTyping(screen, now)
        if typed == nil { tell(\.selection) }
        lines += notice(screen, now)
        if let leapt, now - leapt >= Self.quiet {
            self.leapt = nil
            if let time = facts.time { lines.append(time) }
        }
        if leapt == nil, screen.pending.position == nil { tell(\.spoken) }
        return lines.map { SafeText.line($0, maximumCharacters: .max) }
    }

    /// When there may be more to say, beside after each event; `nil` while nothing moves.
    package func nextDeadline(_ screen: RemoteScreen, after now: SteadyTime) -> SteadyTime? {
        var all = [
            screen.greetedUntil, screen.finding.nextDeadline(after: now), leapt.map { $0 + Self.quiet },
            typed.map { $0 + Self.quiet },
        ]
        if screen.scene == .pages, screen.isMoving { all.append(screen.view?.nextCueChange(after: now)) }
        return all.compactMap(\.self).filter { $0 > now }.min()
    }

    private mutating func noteLeaps(_ screen: RemoteScreen, _ now: SteadyTime) {
        guard screen.scene == .pages, let position = screen.position(at: now) else { return film = nil }
        defer { film = (position, now, screen.isMoving) }
        guard let film else { return }
        let expected = film.position + (film.isMoving ? now - film.at : 0)
        if abs(position - screen.inFilm(expected)) > Self.leap { leapt = now }
    }

    private mutating func noteTyping(_ screen: RemoteScreen, _ now: SteadyTime) {
        guard case .search(let search) = screen.overlay else {
            (query, typed) = ("", nil)
            return
        }
        if search.line.text != query {
            query = search.line.text
            typed = now
        }
        if let typed, now - typed >= Self.quiet { self.typed = nil }
    }

    /// A failure that repeats itself is told once; what was asked for again is answered again.
    private mutating func notice(_ screen: RemoteScreen, _ now: SteadyTime) -> [String] {
        guard let notice = screen.notice, notice.number != told.notice else { return [] }
        told.notice = notice.number
        guard notice.isWarning else { return [notice.text] }
        defer { lastWarning = (notice.text, now) }
        if let lastWarning, lastWarning.text == notice.text, now - lastWarning.at < Notice.seconds { return [] }
        return [notice.text]
    }
}
