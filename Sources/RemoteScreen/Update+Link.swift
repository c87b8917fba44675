internal import RemoteCore
internal import WireProtocol

/// What the connection tells.
extension RemoteScreen {
    /// Seconds from a host's greeting to its state, or else it plays nothing.
    private static let greeting = 0.5

    /// Seconds after an answer in which what the host tells under this remote's name is of what was asked for.
    private static let echo = 2.0

    mutating func takeLink(_ new: RemoteView, _ now: SteadyTime) {
        let old = view
        view = new
        linkedVolume = new.volume(at: now)
        let anchor = new.confirmed
        // A wish whose answer is in this state is still the reason of what has changed.
        let isWished = pending.hasTransport
        pending.linked(date: anchor?.serverDate)
        if case .connected = new.connection {
            finding.linkFailure = nil
            // Another way than ours has led there.
            if finding.stage == .looking { finding.stage = .settled(new.hostName ?? "") }
        }
        if old?.cues != new.cues { cuesChanged() }
        noteGreeting(old, new, now)
        guard let old, old.sessionID == new.sessionID else {
            jumps = []
            chosenTrack = nil
            browsing.follow()
            if case .jumps = overlay { overlay = .none }
            isComparable = new.isConnected && anchor != nil
            return
        }
        if old.activeTrackID != new.activeTrackID || old.tracks != new.tracks { chosenTrack = nil }
        guard new.isConnected else {
            isComparable = false
            return
        }
        guard let anchor, anchor != old.confirmed || new.activeTrackID != old.activeTrackID else { return }
        if isComparable, let before = old.confirmed {
            note(from: before, to: anchor, old, new, isWished: isWished, now)
        }
        isComparable = true
    }

    /// Right after a host's greeting it has not yet said whether it plays anything.
    private mutating func noteGreeting(_ old: RemoteView?, _ new: RemoteView, _ now: SteadyTime) {
        guard case .connected = new.connection, new.status == .noSession else {
            greetedUntil = nil
            return
        }
        if case .connected? = old?.connection { return }
        greetedUntil = now + Self.greeting
    }

    private mutating func cuesChanged() {
        browsing.follow()
        guard case .search(var search) = overlay, let view else { return }
        search.refresh(finder: &finder, cues: view.cues)
        overlay = .search(search)
    }

    private mutating func note(
        from before: Anchor, to anchor: Anchor, _ old: RemoteView, _ new: RemoteView, isWished: Bool,
        _ now: SteadyTime
    ) {
        // A reply comes before the metadata that names its remote, and two remotes of one machine have the same name: so
        // the name alone does not tell.
        let isAnswered = lastSettled.map { now - $0 <= Self.echo } ?? false
        let isOwn = isWished || (isAnswered && new.by == options.ownName)
        var jump = Jump(from: before, to: anchor)
        if !isOwn { jump?.by = new.by }
        if let jump { remember(jump) }
        guard !isOwn, let by = new.by, !by.isEmpty else { return }
        guard let what = Self.what(jump, from: before, to: anchor, old, new) else { return }
        let who = by == "host" ? "The host" : by == options.ownName ? "Another remote" : by
        tell("\(who): \(what)", now: now)
    }

    private mutating func remember(_ jump: Jump) {
        jumps.append(jump)
        if jumps.count > Jump.kept { jumps.removeFirst() }
        // The list shows the latest first; what was chosen stays chosen.
        if case .jumps(let chosen) = overlay { overlay = .jumps(min(chosen + 1, jumps.count - 1)) }
    }

    private static func what(
        _ jump: Jump?, from before: Anchor, to anchor: Anchor, _ old: RemoteView, _ new: RemoteView
    ) -> String? {
        if let id = new.activeTrackID, id != old.activeTrackID {
            return "track " + (new.tracks.first { $0.id == id }?.label ?? id)
        }
        if before.isPlaying != anchor.isPlaying {
            if anchor.isPlaying { return "playing" }
            return anchor.duration > 0 && anchor.currentTime >= anchor.duration ? "the film is over" : "paused"
        }
        return jump.map { Wording.jump($0) }
    }

    mutating func takeFinished(
        _ ticket: Int, _ result: Result<CommandReply, CommandFailure>, _ now: SteadyTime
    ) {
        var awaited: WireDate?
        // The answer may come before the state that has it, and what was asked for must not vanish in between.
        if case .success(.snapshot(let snapshot)) = result, snapshot.sessionID == view?.sessionID,
            let shown = view?.confirmed, snapshot.serverDate >= shown.serverDate,
            Anchor(snapshot) != shown || snapshot.activeTrackID != view?.activeTrackID
        {
            awaited = snapshot.serverDate
        }
        guard pending.settle(ticket, awaiting: awaited) else { return }
        lastSettled = now
        if case .failure(let failure) = result { tell(failure.sentence, isWarning: true, now: now) }
    }
}
