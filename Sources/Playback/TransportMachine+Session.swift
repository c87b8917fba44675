package import WireProtocol

/// What becomes of the active session when the library's record of it changes.
extension TransportMachine {
    /// Puts `session`, the same one with other title, tracks or cues, in place of the active one; the sound goes on.
    ///
    /// The engine knows its tracks already. One that has gone while it sounds is left for `fallback`, at the same position
    /// and in the same play state, and stays listed until then, so that the active track always is one of the list
    /// (original app, digest §2.6). What waits for a switch to a track that has gone gets `unknownTrack`.
    package mutating func refresh(
        _ session: PlaybackSession, fallback: String, now: SteadyTime
    ) -> [TransportAction] {
        guard case .active(var active) = state, session.id == active.session.id, !session.tracks.isEmpty else {
            return []
        }
        defer { state = .active(active) }
        var actions: [TransportAction] = []
        let ids = session.tracks.map(\.id)
        let isGone = !ids.contains(active.activeTrackID)
        var target: String?
        if let pending = active.pendingSwitch, !ids.contains(pending.trackID) {
            active.pendingSwitch = nil
            if let asker = pending.asker { actions.append(.reply(asker, Self.unknownTrack(pending.trackID))) }
            // The engine may be about to switch; it is to stay, or to come back.
            target = active.activeTrackID
        }
        let old = active.session
        active.session = session
        active.leaving = nil
        if isGone, let place = old.tracks.firstIndex(where: { $0.id == active.activeTrackID }) {
            active.session.tracks.insert(old.tracks[place], at: min(place, session.tracks.count))
            let first = ids.contains(fallback) ? fallback : ids[0]
            active.leaving = Leaving(trackID: active.activeTrackID, untried: [first] + ids.filter { $0 != first })
            target = active.pendingSwitch == nil ? first : nil
        }
        if let target { actions.append(.engine(switchByHost(&active, to: target))) }
        return actions + [.note(.sessionChanged(title: session.title)), .changed([.metadata, .snapshot])]
    }

    /// Ends the session since there is nothing to play any more; `reason` is for people.
    package mutating func end(because reason: String, now: SteadyTime) -> [TransportAction] {
        guard case .active(let active) = state else { return [] }
        return close(now: now) + [.note(.sessionEnded(title: active.session.title, reason: reason))]
    }

    static func unknownTrack(_ trackID: String) -> WireError {
        WireError(.unknownTrack, "This session has no track \(SafeText.line(trackID)).")
    }

    /// A switch that nobody waits for.
    private mutating func switchByHost(_ active: inout Active, to trackID: String) -> EngineRequest {
        let epoch = newEpoch()
        active.pendingSwitch = PendingSwitch(trackID: trackID, epoch: epoch, asker: nil, source: .host)
        return .switchTrack(epoch: epoch, trackID: trackID)
    }

    mutating func switchFailed(
        _ epoch: Epoch, _ trackID: String, _ reason: String, _ now: SteadyTime
    ) -> [TransportAction] {
        guard case .active(var active) = state, let pending = active.pendingSwitch, pending.epoch == epoch else {
            return []
        }
        active.pendingSwitch = nil
        let label = active.session.tracks.first { $0.id == trackID }?.label ?? trackID
        let error = WireError(.trackFailed, "Track \(label) cannot be played: \(reason). The old one stays.")
        var actions: [TransportAction] = [.note(.switchFailed(trackID: trackID, reason: reason))]
        if let asker = pending.asker { actions.append(.reply(asker, error)) }
        active.leaving?.untried.removeAll { $0 == trackID }
        if let next = active.leaving?.untried.first {
            actions.append(.engine(switchByHost(&active, to: next)))
        }
        let isStranded = active.leaving?.untried.isEmpty ?? false
        state = .active(active)
        return isStranded ? actions + end(because: "none of its tracks can be played", now: now) : actions
    }
}
