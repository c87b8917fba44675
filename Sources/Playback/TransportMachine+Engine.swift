package import WireProtocol

extension TransportMachine {
    /// Takes what the sound reports; what belongs to an older epoch is history and changes nothing.
    package mutating func handle(_ event: EngineEvent, now: SteadyTime) -> [TransportAction] {
        if case .output(let newOutput) = event { return outputChanged(newOutput, now) }
        if case .switchFailed(let epoch, let trackID, let reason) = event {
            return switchFailed(epoch, trackID, reason, now)
        }
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
        case .failed(let epoch, let reason):
            guard epoch == active.epoch else { return [] }
            let position = active.pendingTarget ?? active.position(at: now)
            active.mustLocate = true
            return stopped(&active, at: position, .soundFailed(reason: reason, position: position), now)
        case .outputLost(let epoch, let position, let reason):
            // An older session's device; the engine of this one tells of its own.
            guard epoch >= active.openedEpoch else { return [] }
            return outputLost(&active, at: position, reason, now)
        case .underrun(let count):
            return [.note(.underrun(count: count))]
        case .output, .switchFailed:
            return []
        }
    }

    private mutating func outputChanged(_ newOutput: OutputState, _ now: SteadyTime) -> [TransportAction] {
        guard newOutput != output else { return [] }
        let isOnlyVolume = output?.name == newOutput.name && output?.isPresent == newOutput.isPresent
        output = newOutput
        guard case .active(var active) = state else { return [] }
        if !newOutput.isPresent, active.isPlaying {
            // No other device may take over unasked; a seek under way goes on to its target.
            defer { state = .active(active) }
            let target = active.pendingTarget
            let kept = target ?? active.position(at: now)
            let reason = "\(newOutput.name) is gone"
            let actions = stopped(&active, at: kept, .outputLost(reason: reason, position: kept), now)
            active.pendingTarget = target
            return [.engine(.pause(epoch: active.epoch))] + actions
        }
        return isOnlyVolume
            ? [.changed(.snapshot)] : [.note(.outputChanged(newOutput)), .changed([.metadata, .snapshot])]
    }

    /// Pauses, and orders the silence that the engine keeps until then.
    ///
    /// A `play` or `locate` may have been under way to the engine when the device went. The order carries an epoch of
    /// its own, so that the engine tells it from a pause that was under way as well.
    private mutating func outputLost(
        _ active: inout Active, at position: Double, _ reason: String, _ now: SteadyTime
    ) -> [TransportAction] {
        let isNews = active.isPlaying || output?.isPresent ?? true
        output?.isPresent = false
        output?.volume = nil
        output?.isMuted = nil
        let target = active.pendingTarget
        let kept = target ?? (active.mustLocate ? active.position(at: now) : position)
        var actions: [TransportAction] = []
        if isNews {
            actions = stopped(&active, at: kept, .outputLost(reason: reason, position: kept), now)
        }
        active.epoch = newEpoch()
        var orders: [TransportAction] = [.engine(.pause(epoch: active.epoch))]
        // A seek that never sounded is still where the listener wants to be, and the engine has dropped it.
        if let target { orders.append(.engine(locate(&active, to: target))) }
        return orders + actions
    }

    private mutating func anchored(
        _ active: inout Active, _ position: Double, _ at: SteadyTime, _ isRunning: Bool, _ now: SteadyTime
    ) -> [TransportAction] {
        // After a failure the engine stands elsewhere than the listener was left.
        guard active.isPlaying || !isRunning, !active.mustLocate else { return [] }
        // Compared when the sound has begun: until then one that is late stands where it was announced.
        let instant = max(now, at)
        let before = active.position(at: instant)
        let wasStalled = active.isStalled
        active.isStalled = active.isPlaying && !isRunning
        active.anchor = Anchor(position: position, at: at)
        active.pendingTarget = nil
        let departure = abs(active.position(at: instant) - before)
        return departure > Self.anchorTolerance || active.isStalled != wasStalled
            ? [.changed([.metadata, .snapshot])] : []
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
        guard epoch > active.switchedEpoch,
            let index = active.session.tracks.firstIndex(where: { $0.id == trackID })
        else { return [] }
        let position = min(active.position(at: now), duration)
        // A seek asked for since then has an epoch of its own, which stays the current one.
        active.epoch = max(active.epoch, epoch)
        active.switchedEpoch = epoch
        active.activeTrackID = trackID
        active.session.tracks[index].duration = duration
        if let gone = active.leaving?.trackID, gone != trackID {
            active.session.tracks.removeAll { $0.id == gone }
            active.leaving = nil
        }
        active.anchor = Anchor(position: position, at: now)
        active.pendingTarget = active.pendingTarget.map { min($0, duration) }
        var actions: [TransportAction] = []
        if let pending = active.pendingSwitch, pending.epoch == epoch {
            active.pendingSwitch = nil
            active.by = pending.source
            actions.append(.note(.switched(trackID: trackID, position: position, by: pending.source)))
            if let asker = pending.asker { actions.append(.reply(asker, nil)) }
        }
        if active.isPlaying, position >= duration {
            // The film is past the end of this track: stop there, whatever the engine makes of it.
            actions.insert(.engine(.pause(epoch: active.epoch)), at: 0)
            return actions + stopped(&active, at: duration, .ended(position: duration), now)
        }
        active.savedAt = now
        return [.save(listening(active, now))] + actions + [.changed([.metadata, .snapshot])]
    }
}
