package import WireProtocol

extension TransportMachine {
    /// Applies one command; it is answered exactly once, now or (`switchTrack`) when the engine has tried.
    package mutating func handle(
        _ command: Command, from source: Source, asker: Asker?, now: SteadyTime
    ) -> [TransportAction] {
        guard case .active(var active) = state else {
            return asker.map { [.reply($0, Self.noSession)] } ?? []
        }
        let result: Result<Outcome, WireError> =
            switch command {
            case .play: play(&active, source, now)
            case .pause: .success(pause(&active, source, now))
            case .togglePlayPause:
                active.isPlaying ? .success(pause(&active, source, now)) : play(&active, source, now)
            case .skip(let seconds): .success(skip(&active, seconds, source, now))
            case .seek(let time): .success(seek(&active, time, source, now))
            case .switchTrack(let trackID): switchTrack(&active, trackID, source, asker, now)
            case .setVolume(let volume): setVolume(volume)
            case .requestCueChunk, .describe:
                .failure(WireError(.internal, "Cue chunks and schemas are not the transport's business."))
            }
        state = .active(active)
        switch result {
        case .failure(let error):
            return asker.map { [.reply($0, error)] } ?? []
        case .success(let outcome):
            var actions = outcome.actions
            if let asker, !outcome.isAnsweredLater { actions.append(.reply(asker, nil)) }
            return actions
        }
    }

    private struct Outcome {
        var actions: [TransportAction] = []
        var isAnsweredLater = false
    }

    /// What every accepted transport command ends with.
    private func accepted(
        _ active: inout Active, _ request: EngineRequest?, _ note: TransportNote, _ source: Source, _ now: SteadyTime
    ) -> Outcome {
        active.by = source
        active.savedAt = now
        var actions: [TransportAction] = request.map { [.engine($0)] } ?? []
        actions += [.save(listening(active, now)), .note(note), .changed([.metadata, .snapshot])]
        return Outcome(actions: actions)
    }

    mutating func newEpoch() -> Epoch {
        lastEpoch += 1
        return lastEpoch
    }

    private mutating func play(
        _ active: inout Active, _ source: Source, _ now: SteadyTime
    ) -> Result<Outcome, WireError> {
        if active.isPlaying { return .success(Outcome()) }
        guard output?.isPresent ?? true else {
            return .failure(
                WireError(.outputLost, "The sound device is gone. Connect one at the host, then play again."))
        }
        let position = active.position(at: now)
        active.isPlaying = true
        active.isStalled = false
        if position >= active.duration - Self.restartWindow {
            active.anchor = Anchor(position: 0, at: now)
            let request = locate(&active, to: 0)
            return .success(accepted(&active, request, .played(position: 0, by: source), source, now))
        }
        active.anchor = Anchor(position: position, at: now)
        if active.mustLocate {
            let request = locate(&active, to: position)
            return .success(accepted(&active, request, .played(position: position, by: source), source, now))
        }
        active.epoch = newEpoch()
        let request = EngineRequest.play(epoch: active.epoch)
        return .success(accepted(&active, request, .played(position: position, by: source), source, now))
    }

    private mutating func pause(_ active: inout Active, _ source: Source, _ now: SteadyTime) -> Outcome {
        guard active.isPlaying else { return Outcome() }
        let position = active.pendingTarget ?? active.position(at: now)
        active.isPlaying = false
        active.anchor = Anchor(position: position, at: now)
        let request = EngineRequest.pause(epoch: active.epoch)
        return accepted(&active, request, .paused(position: position, by: source), source, now)
    }

    private mutating func skip(
        _ active: inout Active, _ seconds: Double, _ source: Source, _ now: SteadyTime
    ) -> Outcome {
        if seconds == 0 { return Outcome() }
        let from = active.pendingTarget ?? active.position(at: now)
        let target = min(max(0, from + seconds), active.duration)
        let request = locate(&active, to: target, now)
        let note = TransportNote.skipped(seconds: seconds, from: from, to: target, by: source)
        return accepted(&active, request, note, source, now)
    }

    private mutating func seek(
        _ active: inout Active, _ time: Double, _ source: Source, _ now: SteadyTime
    ) -> Outcome {
        let from = active.position(at: now)
        let target = min(max(0, time), active.duration)
        let request = locate(&active, to: target, now)
        return accepted(&active, request, .sought(from: from, to: target, by: source), source, now)
    }

    private mutating func locate(_ active: inout Active, to target: Double, _ now: SteadyTime) -> EngineRequest {
        active.anchor = Anchor(position: target, at: now)
        return locate(&active, to: target)
    }

    mutating func locate(_ active: inout Active, to target: Double) -> EngineRequest {
        active.pendingTarget = target
        active.mustLocate = false
        active.epoch = newEpoch()
        return .locate(epoch: active.epoch, position: target, playing: active.isPlaying)
    }

    private mutating func switchTrack(
        _ active: inout Active, _ trackID: String, _ source: Source, _ asker: Asker?, _ now: SteadyTime
    ) -> Result<Outcome, WireError> {
        guard trackID != active.leaving?.trackID, active.session.tracks.contains(where: { $0.id == trackID }) else {
            return .failure(Self.unknownTrack(trackID))
        }
        var outcome = Outcome()
        // The newest switch wins; the one it replaces is told the state as it is.
        if let replaced = active.pendingSwitch?.asker { outcome.actions.append(.reply(replaced, nil)) }
        if trackID == active.activeTrackID, active.pendingSwitch == nil { return .success(outcome) }
        // The old track sounds on in its own epoch until the engine reports the switch.
        let epoch = newEpoch()
        active.pendingSwitch = PendingSwitch(trackID: trackID, epoch: epoch, asker: asker, source: source)
        outcome.actions.append(.engine(.switchTrack(epoch: epoch, trackID: trackID)))
        outcome.isAnsweredLater = true
        return .success(outcome)
    }

    private mutating func setVolume(_ volume: Double) -> Result<Outcome, WireError> {
        guard output?.volume != nil else {
            return .failure(WireError(.outputLost, "There is no system output whose volume could be set."))
        }
        let volume = min(max(0, volume), 1)
        output?.volume = volume
        return .success(Outcome(actions: [.engine(.setVolume(volume)), .changed(.snapshot)]))
    }
}
