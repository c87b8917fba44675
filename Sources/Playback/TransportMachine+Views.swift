package import WireProtocol

extension TransportMachine {
    package var hasSession: Bool {
        if case .active = state { true } else { false }
    }

    package var isPlaying: Bool {
        if case .active(let active) = state { active.isPlaying } else { false }
    }

    /// Seconds at `now`; `nil` without a session.
    package func position(at now: SteadyTime) -> Double? {
        if case .active(let active) = state { active.position(at: now) } else { nil }
    }

    /// What to keep of the session now.
    package func listeningState(at now: SteadyTime) -> ListeningState? {
        if case .active(let active) = state { listening(active, now) } else { nil }
    }

    /// The snapshot for the first millisecond at or after `now` at which its position is audible; `nil` without a session.
    package func snapshot(at now: SteadyTime) -> Snapshot? {
        guard case .active(let active) = state else { return nil }
        let instant = clock.anchorInstant(notBefore: active.audibleInstant(notBefore: now))
        let position = Self.microseconds(active.position(at: instant.time))
        return Snapshot(
            sessionID: active.session.id, revision: active.session.revision, currentTime: position,
            duration: Self.microseconds(active.duration),
            currentIndex: active.session.timeline.currentIndex(at: position), isPlaying: active.isPlaying,
            isStalled: active.isPlaying && active.isStalled, serverDate: instant.date,
            activeTrackID: active.activeTrackID, volume: output?.volume,
            output: output.map {
                Snapshot.Output(
                    name: $0.name, latency: $0.latency.map(Self.microseconds), isPresent: $0.isPresent,
                    isMuted: $0.isMuted)
            })
    }

    /// The metadata for the same instant as `snapshot`; `nil` without a session.
    package func metadata(at now: SteadyTime) -> SessionMetadata? {
        guard case .active(let active) = state else { return nil }
        let instant = clock.anchorInstant(notBefore: active.audibleInstant(notBefore: now))
        let session = active.session
        return SessionMetadata(
            sessionID: session.id, revision: session.revision, title: session.title,
            duration: Self.microseconds(active.duration), cueCount: session.timeline.cues.count,
            cueDigest: session.cueDigest, isPlaying: active.isPlaying,
            isStalled: active.isPlaying && active.isStalled,
            currentTime: Self.microseconds(active.position(at: instant.time)), serverDate: instant.date,
            tracks: session.tracks.map { .init(id: $0.id, label: $0.label) },
            activeTrackID: active.activeTrackID, by: active.by?.name)
    }

    /// Six decimals are a twentieth of a sample at 48 kHz, and keep the lines short.
    private static func microseconds(_ seconds: Double) -> Double {
        (seconds * 1e6).rounded() / 1e6
    }
}
