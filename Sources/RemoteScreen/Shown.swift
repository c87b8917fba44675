internal import RemoteCore
internal import WireProtocol

/// What is shown of the film: the host's state, and over it what the hand has just asked for.
extension RemoteScreen {
    /// What there is to see and to do, the overlay aside.
    enum Scene: Equatable {
        /// Hosts to look for or to pick from.
        case finding
        /// No film to show, and why.
        case message(String, isWarning: Bool)
        case pages
    }

    var scene: Scene {
        guard case .settled(let name) = finding.stage else { return .finding }
        if let view, hasSession {
            if case .ended(let reason) = view.status, reason != .stopped {
                return .message(reason.sentence, isWarning: true)
            }
            return .pages
        }
        switch view?.status {
        case .noSession where greetedUntil != nil: return .message("Connecting to \(name) …", isWarning: false)
        case .noSession: return .message("The host plays nothing at the moment.", isWarning: false)
        case .ended(let reason) where reason != .stopped: return .message(reason.sentence, isWarning: true)
        case .reconnecting: return .message("The connection is gone; trying again …", isWarning: true)
        case .connected, .ended, .neverConnected, nil: return .message("Connecting to \(name) …", isWarning: false)
        }
    }

    var hasSession: Bool { view?.confirmed != nil }

    var duration: Double { view?.duration ?? 0 }

    /// Seconds from the start of the film, with all that is on its way; `nil` without a session.
    func position(at now: SteadyTime) -> Double? {
        guard let view, let told = view.position(at: now) else { return nil }
        if let pending = pending.position { return inFilm(pending) }
        let unlinked = pending.unlinkedSkip
        return unlinked == 0 ? told : inFilm(told + unlinked)
    }

    func inFilm(_ position: Double) -> Double {
        let position = max(0, position)
        return duration > 0 ? min(position, duration) : position
    }

    /// Seconds of taps on their way; 0 without.
    var pendingSkip: Double { (view?.pendingSkip ?? 0) + pending.unlinkedSkip }

    var isPlaying: Bool { pending.isPlaying ?? view?.isPlaying ?? false }

    /// Whether the shown position moves on by itself.
    var isMoving: Bool {
        guard let view else { return false }
        return view.isPlaying && !view.isStalled && view.clock.isKnown && pending.position == nil
    }

    var activeTrackID: String? { pending.trackID ?? view?.activeTrackID }

    var tracks: [SessionMetadata.Track] { view?.tracks ?? [] }

    var activeTrack: Int? { tracks.firstIndex { $0.id == activeTrackID } }

    /// 0 to 1; `nil` where the host has no output to tell of.
    var volume: Double? { pending.unlinkedVolume ?? linkedVolume }

    var cues: [Cue] {
        if case .ready(let timeline)? = view?.cues { timeline.cues } else { [] }
    }

    /// Place of the line being spoken; `nil` without cues or a session.
    func currentCue(at now: SteadyTime) -> Int? {
        guard case .ready(let timeline)? = view?.cues, let position = position(at: now) else { return nil }
        return timeline.currentIndex(at: position)
    }

    /// Whether the time is shown in seconds, or in minutes to spare the dark and the battery.
    func isAwake(at now: SteadyTime) -> Bool {
        !options.isDim || now - lastTouch < Self.secondsAwake
    }

    /// After a key of a remote that is always on.
    static let secondsAwake = 10.0
}
