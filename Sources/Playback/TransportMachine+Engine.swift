package import WireProtocol

extension TransportMachine {
    /// Takes what the sound reports; what belongs to an older epoch is history and changes nothing.
    package mutating func handle(_ event: EngineEvent, now: SteadyTime) -> [TransportAction] {
        if case .output(let newOutput) = event { return outputChanged(newOutput) }
        guard case .active(var active) = state else { return [] }
        defer { state = .active(active) }
        switch event {
        case .anchor(let epoch, let position, let at, let isRunning):
            guard epoch == active.epoch else { return [] }
            return anchored(&active, position, at, isRunning, now)
        case .paused(let epoch, let position):
            guard epoch == active.epoch, !active.isPlaying else { return [] }
            return anchored(&active, position, now, false, now)
        case .ended(let epoch):
            guard epoch == active.epoch, active.isPlaying else { return [] }
            return stopped(&active, at: active.duration, .ended(position: active.duration), now)
        case .switched(let epoch, let trackID, let duration):
            return switched(&active, epoch, trackID, duration, now)
        case .switchFailed(let epoch, let trackID, let reason):
            return switchFailed(&active, epoch, trackID, reason)
        case .failed(let epoch, let reason):
            guard epoch == active.epoch else { return [] }
            let position = active.pendingTarget ?? active.position(at: now)
            return stopped(&active, at: position, .soundFailed(reason: reason, position: position), now)
        case .outputLost(_, let position, let reason):
            output?.isPresent = false
            output?.volume = nil
            output?.isMuted = nil
            // A seek that never sounded is still where the listener wants to be.
            let kept = active.pendingTarget ?? position
            return stopped(&active, at: kept, .outputLost(reason: reason, position: kept), now)
        case .underrun(let count):
            return [.note(.underrun(count: count))]
        case .output:
            return []
        }
    }

    private mutating func outputChanged(_ newOutput: OutputState) -> [TransportAction] {
        guard newOutput != output else { return [] }
        let isOnlyVolume = output?.name == newOutput.name && output?.isPresent == newOutput.isPresent
        output = newOutput
        guard case .active = state else { return [] }
        return isOnlyVolume
            ? [.changed(.snapshot)] : [.note(.outputChanged(newOutput)), .changed([.metadata, .snapshot])]
    }

    private mutating func anchored(
        _ active: inout Active, _ position: Double, _ at: SteadyTime, _ isRunning: Bool, _ now: SteadyTime
    ) -> [TransportAction] {
        guard isRunning == active.isPlaying else { return [] }
        let before = active.position(at: now)
        active.anchor = Anchor(position: position, at: at)
        active.pendingTarget = nil
        let departure = abs(active.position(at: now) - before)
        return departure > Self.anchorTolerance ? [.changed([.metadata, .snapshot])] : []
    }

    private mutating func stopped(
        _ active: inout Active, at position: Double, _ note: TransportNote, _ now: SteadyTime
    ) -> [TransportAction] {
        active.isPlaying = false
        active.pendingTarget = nil
        active.anchor = Anchor(position: position, at: now)
        active.by = .host
        active.savedAt = now
        return [.save(listening(active, now)), .note(note), .changed([.metadata, .snapshot])]
    }

    private mutating func switched(
        _ active: inout Active, _ epoch: Epoch, _ trackID: String, _ duration: Double, _ now: SteadyTime
    ) -> [TransportAction] {
        guard let index = active.session.tracks.firstIndex(where: { $0.id == trackID }) else { return [] }
        let position = active.position(at: now)
        // A seek asked for since then has an epoch of its own, which stays the current one.
        active.epoch = max(active.epoch, epoch)
        active.activeTrackID = trackID
        active.session.tracks[index].duration = duration
        active.anchor = Anchor(position: min(position, duration), at: now)
        active.savedAt = now
        var actions: [TransportAction] = [.save(listening(active, now))]
        if let pending = active.pendingSwitch, pending.epoch == epoch {
            active.pendingSwitch = nil
            active.by = pending.source
            actions.append(.note(.switched(trackID: trackID, position: position, by: pending.source)))
            if let asker = pending.asker { actions.append(.reply(asker, nil)) }
        }
        actions.append(.changed([.metadata, .snapshot]))
        return actions
    }

    private func switchFailed(
        _ active: inout Active, _ epoch: Epoch, _ trackID: String, _ reason: String
    ) -> [TransportAction] {
        guard let pending = active.pendingSwitch, pending.epoch == epoch else { return [] }
        active.pendingSwitch = nil
        let label = active.session.tracks.first { $0.id == trackID }?.label ?? trackID
        let error = WireError(.trackFailed, "Track \(label) cannot be played: \(reason). The old one plays on.")
        var actions: [TransportAction] = [.note(.switchFailed(trackID: trackID, reason: reason))]
        if let asker = pending.asker { actions.append(.reply(asker, error)) }
        return actions
    }
}
