internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// What the hand asks of the host: shown at once, sent, and marked until it is answered.
extension RemoteScreen {
    /// Whether something can be asked of the host now; says why not.
    private mutating func canAsk(_ now: SteadyTime) -> Bool {
        switch view?.status {
        case .connected: return true
        case .noSession: tell("The host plays nothing at the moment.", isWarning: true, now: now)
        case .reconnecting, .neverConnected, .ended, nil:
            tell("Not connected; nothing was sent.", isWarning: true, now: now)
        }
        return false
    }

    private mutating func ask(_ wish: PendingWishes.Wish, _ intent: (Int) -> Intent) {
        want(intent(pending.add(wish)))
        if options.hasBell { want(.bell) }
    }

    mutating func togglePlay(_ now: SteadyTime) {
        guard canAsk(now) else { return }
        let (isPlaying, position) = (isPlaying, position(at: now) ?? 0)
        // Said outright: of two remotes that toggle at once, both get what they saw themselves ask for.
        ask(.play(!isPlaying, at: position)) { .command(isPlaying ? .pause : .play, ticket: $0) }
    }

    mutating func skip(_ seconds: Double, _ now: SteadyTime) {
        guard canAsk(now) else { return }
        ask(.skip(seconds)) { .tapSkip(seconds, ticket: $0) }
    }

    mutating func seek(to time: Double, _ now: SteadyTime) {
        guard canAsk(now) else { return }
        ask(.seek(to: inFilm(time), from: position(at: now) ?? 0)) { .command(.seek(time: time), ticket: $0) }
    }

    mutating func seek(toCue place: Int, _ now: SteadyTime) {
        guard cues.indices.contains(place) else { return }
        browsing.follow()
        seek(to: cues[place].start, now)
    }

    /// Seeks to the line that is spoken, or to one `step` before or after it.
    mutating func seek(lines step: Int, _ now: SteadyTime) {
        guard let current = currentCue(at: now), let position = position(at: now), !cues.isEmpty else {
            return tell(withoutCues, now: now)
        }
        let cues = cues
        // Half a millisecond is the tolerance of the current line; lines that begin together are one.
        let hasBegun = cues[current].start <= position + 0.000_5
        let start = cues[current].start
        let place =
            switch step {
            case 0: current
            case 1...: hasBegun ? cues[current...].firstIndex { $0.start > position + 0.000_5 } : current
            default: hasBegun ? cues[..<current].lastIndex { $0.start < start - 0.000_5 } : nil
            }
        guard let place else {
            return tell(step > 0 ? "This is the last line." : "This is the first line.", now: now)
        }
        seek(toCue: place, now)
    }

    var withoutCues: String {
        if case .loading? = view?.cues { "The subtitles are on their way." } else { "No subtitles" }
    }

    mutating func switchTrack(_ place: Int, _ now: SteadyTime) {
        guard tracks.indices.contains(place) else { return }
        chosenTrack = nil
        let id = tracks[place].id
        guard id != activeTrackID else { return }
        guard canAsk(now) else { return }
        ask(.switchTrack(id)) { .command(.switchTrack(trackID: id), ticket: $0) }
    }

    /// Turns the volume by a part of 1.
    mutating func turnVolume(_ step: Double, _ now: SteadyTime) {
        guard canAsk(now) else { return }
        guard let volume else {
            return tell("The host plays on no system output, so there is no volume.", isWarning: true, now: now)
        }
        // In whole hundredths, so that ten steps up and down end where they began.
        let turned = ((min(1, max(0, volume + step))) * 100).rounded() / 100
        ask(.volume(turned)) { .turnVolume(turned, ticket: $0) }
    }

    // MARK: Back to where the ear was

    mutating func undo(_ now: SteadyTime) {
        if let seconds = pending.lastJump, abs(seconds) > 1e-6 {
            // Taps that wait for more of their kind cancel out and are never sent.
            if pendingSkip != 0 { skip(-seconds, now) } else { leap(-seconds, now) }
            return
        }
        guard let last = jumps.last else { return tell("There is no jump to undo.", now: now) }
        guard leap(-last.seconds, now) else { return }
        tell("Undone: \(Wording.jump(last))" + (last.by.map { " by \($0)" } ?? ""), now: now)
    }

    /// Goes back to before the jump at `place` of the list, the latest first, and so before all that came after it.
    mutating func undo(through place: Int, _ now: SteadyTime) {
        guard jumps.indices.contains(jumps.count - 1 - place) else { return }
        let seconds = jumps.suffix(place + 1).reduce(0) { $0 + $1.seconds }
        leap(-seconds, now)
    }

    /// Skips at once: what the film has run since stays run.
    @discardableResult
    private mutating func leap(_ seconds: Double, _ now: SteadyTime) -> Bool {
        guard let position = position(at: now), canAsk(now) else { return false }
        let within = inFilm(position + seconds) - position
        ask(.skip(within)) { .command(.skip(seconds: within), ticket: $0) }
        return true
    }

    /// One line for whoever asks where the film is.
    mutating func tellPosition(_ now: SteadyTime) {
        guard let position = position(at: now) else { return tell("No film", now: now) }
        let of = duration > 0 ? " of \(TimeText.elapsed(duration))" : ""
        tell("\(TimeText.elapsed(position))\(of), \(playState.lowercased())", now: now)
    }

    /// In words.
    var playState: String {
        guard isPlaying else { return "Paused" }
        // Its clock goes on, as the film in the cinema does; but nobody hears it.
        if view?.hostHasEnded == true { return "Host ended" }
        return view?.isStalled == true && pending.isPlaying == nil ? "Waiting for the sound" : "Playing"
    }
}
