internal import RemoteCore
internal import WireProtocol

/// What the hand has asked for and the host has not yet confirmed; shown as if it had, and marked.
struct PendingWishes {
    enum Wish: Equatable {
        /// Seconds.
        case skip(Double)
        /// Seconds; and where the film was when it was asked.
        case seek(to: Double, from: Double)
        /// Where the film stands meanwhile.
        case play(Bool, at: Double)
        case switchTrack(String)
        /// 0 to 1.
        case volume(Double)

        var isTransport: Bool {
            if case .volume = self { false } else { true }
        }
    }

    private struct Entry {
        var ticket: Int
        var wish: Wish
        /// The connection machine's state has it in.
        var isLinked = false
        /// Date of the state that answered it and has not been shown yet.
        var answered: WireDate?
    }

    private var entries: [Entry] = []
    private var lastTicket = 0

    var isEmpty: Bool { entries.isEmpty }
    var hasTransport: Bool { entries.contains { $0.wish.isTransport } }

    /// Keeps a wish and gives the ticket it goes under.
    mutating func add(_ wish: Wish) -> Int {
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, wish: wish))
        return lastTicket
    }

    /// The machine's newest state is there: it holds all skips and turns so far, and answers that were ahead of it.
    mutating func linked(date: WireDate?) {
        for place in entries.indices { entries[place].isLinked = true }
        entries.removeAll { entry in entry.answered.map { $0 <= date ?? $0 } ?? false }
    }

    /// Settles a wish; with the date of an answer it stays shown until the machine's state of that date or later is there.
    ///
    /// - Returns: whether there was one.
    mutating func settle(_ ticket: Int, awaiting answered: WireDate?) -> Bool {
        guard let place = entries.firstIndex(where: { $0.ticket == ticket }) else { return false }
        if let answered {
            entries[place].answered = answered
        } else {
            entries.remove(at: place)
        }
        return true
    }

    /// Where the film stands by the latest seek, play or pause and the skips after it; `nil` without one.
    var position: Double? {
        var position: Double?
        for entry in entries {
            switch entry.wish {
            case .seek(let target, _): position = target
            case .play(_, let place): position = place
            case .skip(let seconds): if let standing = position { position = max(0, standing + seconds) }
            case .switchTrack, .volume: break
            }
        }
        return position
    }

    /// Seconds of taps that the machine's state does not have yet.
    var unlinkedSkip: Double {
        entries.reduce(0) { sum, entry in
            if case .skip(let seconds) = entry.wish, !entry.isLinked { sum + seconds } else { sum }
        }
    }

    var unlinkedVolume: Double? {
        for entry in entries.reversed() {
            if case .volume(let value) = entry.wish, !entry.isLinked { return value }
        }
        return nil
    }

    var isPlaying: Bool? {
        for entry in entries.reversed() {
            if case .play(let isPlaying, _) = entry.wish { return isPlaying }
        }
        return nil
    }

    var trackID: String? {
        for entry in entries.reversed() {
            if case .switchTrack(let id) = entry.wish { return id }
        }
        return nil
    }

    /// Seconds by which the latest jump on its way moves the film, taps in a row summed up; `nil` without one.
    var lastJump: Double? {
        var sum: Double?
        for entry in entries.reversed() {
            switch entry.wish {
            case .skip(let seconds): sum = (sum ?? 0) + seconds
            case .seek(let target, let from): return sum ?? target - from
            case .play, .switchTrack: if sum != nil { return sum }
            case .volume: break
            }
        }
        return sum
    }
}
