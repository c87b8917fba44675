package import WireProtocol

/// The one place where truth about playback lives: commands and engine events in, actions out.
///
/// Pure: time is an argument. It never waits for the sound: a command changes the state at once, and what the engine
/// then measures corrects the anchor.
package struct TransportMachine: Sendable {
    /// A position and the instant it is (or was) audible; it moves on from there while playing.
    struct Anchor: Equatable, Sendable {
        var position: Double
        var at: SteadyTime
    }

    struct PendingSwitch: Equatable, Sendable {
        var trackID: String
        var epoch: Epoch
        var asker: Asker?
        var source: Source
    }

    /// A track that has gone from the session while it sounds.
    struct Leaving: Equatable, Sendable {
        var trackID: String
        /// What may still be played instead, the best first.
        var untried: [String]
    }

    struct Active: Equatable, Sendable {
        var session: PlaybackSession
        var activeTrackID: String
        var isPlaying = false
        var anchor: Anchor
        var epoch: Epoch
        /// It is to play, but the device stands: suspended, or without sound to play.
        var isStalled = false
        /// A seek the engine has not confirmed yet.
        var pendingTarget: Double?
        /// The engine stands at another position than this one, or nowhere: a start must say where.
        var mustLocate = false
        var pendingSwitch: PendingSwitch?
        var leaving: Leaving?
        /// What the engine says of an older epoch is about another session.
        var openedEpoch: Epoch
        /// The newest switch that took place, or the opening.
        var switchedEpoch: Epoch
        var by: Source?
        /// When the position was last handed to the store.
        var savedAt: SteadyTime

        var duration: Double {
            session.tracks.first { $0.id == activeTrackID }?.duration ?? 0
        }

        /// The instant at or after `now` for which a position can be told: a sound on its way begins later.
        func audibleInstant(notBefore now: SteadyTime) -> SteadyTime {
            isPlaying ? max(now, anchor.at) : now
        }

        func position(at now: SteadyTime) -> Double {
            let elapsed = isPlaying && !isStalled ? max(0, now - anchor.at) : 0
            return min(max(0, anchor.position + elapsed), duration)
        }
    }

    enum State: Equatable, Sendable {
        case idle
        case active(Active)
    }

    /// Within this many seconds of the end `play` starts from 0 (as the original app).
    package static let restartWindow = 0.05
    /// Seconds between two saves while playing: what may be lost is a second, and writing takes a moment too.
    package static let saveInterval = 0.75
    /// A measured anchor that departs by more than this many seconds is pushed at once; less waits for the next push.
    package static let anchorTolerance = 0.002

    let clock: ServerClock
    var state = State.idle
    var output: OutputState?
    /// Grows over the process's life, so that a new session's epochs are never taken for an old one's.
    var lastEpoch: Epoch = 0

    package init(clock: ServerClock) {
        self.clock = clock
    }

    /// Makes `session` the active one: paused at `position`; the engine already stands there.
    ///
    /// One that is still active ends: its position is saved, and what waits for an answer gets `noSession`.
    package mutating func open(
        _ session: PlaybackSession, activeTrackID: String, position: Double, output: OutputState?, now: SteadyTime
    ) -> [TransportAction] {
        precondition(session.tracks.contains { $0.id == activeTrackID }, "the active track belongs to the session")
        // The engine is the new session's already: of the old one's only the position and the open answer are left.
        var actions: [TransportAction] = []
        if case .active(let replaced) = state { actions = farewell(replaced, now) }
        lastEpoch += 1
        self.output = output
        var active = Active(
            session: session, activeTrackID: activeTrackID, anchor: Anchor(position: position, at: now),
            epoch: lastEpoch, openedEpoch: lastEpoch, switchedEpoch: lastEpoch, savedAt: now)
        active.anchor.position = active.position(at: now)
        state = .active(active)
        actions.append(.changed([.metadata, .snapshot]))
        return actions
    }

    /// Ends the session; what waits for an answer gets `noSession`.
    package mutating func close(now: SteadyTime) -> [TransportAction] {
        guard case .active(let active) = state else { return [] }
        state = .idle
        return [.engine(.pause(epoch: active.epoch))] + farewell(active, now) + [.changed([.metadata, .snapshot])]
    }

    private func farewell(_ active: Active, _ now: SteadyTime) -> [TransportAction] {
        var actions: [TransportAction] = [.save(listening(active, now))]
        if let asker = active.pendingSwitch?.asker { actions.append(.reply(asker, Self.noSession)) }
        return actions
    }

    static let noSession = WireError(.noSession, "No session is active on this host.")

    func listening(_ active: Active, _ now: SteadyTime) -> ListeningState {
        ListeningState(
            sessionID: active.session.id, position: active.position(at: now), activeTrackID: active.activeTrackID)
    }

    // MARK: Time

    /// When `tick` has something to do.
    package var nextDeadline: SteadyTime? {
        guard case .active(let active) = state, active.isPlaying else { return nil }
        return active.savedAt + Self.saveInterval
    }

    package mutating func tick(now: SteadyTime) -> [TransportAction] {
        guard case .active(var active) = state, let deadline = nextDeadline, now >= deadline else { return [] }
        active.savedAt = now
        state = .active(active)
        return [.save(listening(active, now))]
    }
}
