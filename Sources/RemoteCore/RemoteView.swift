package import WireProtocol

/// Everything a shell shows, as one value; positions are computed for the moment of drawing.
package struct RemoteView: Sendable {
    /// What the user should know about the connection.
    package enum Status: Equatable, Sendable {
        /// No host has ever answered.
        case neverConnected
        /// What is shown was last confirmed at that moment.
        case reconnecting(since: SteadyTime)
        /// Connected; the host plays nothing, or has not said yet.
        case noSession
        case connected
        case ended(EndReason)
    }

    package enum Cues: Equatable, Sendable {
        /// No session, or one without subtitles.
        case none
        /// On their way; chunks here of how many, once known.
        case loading(received: Int, total: Int?)
        case ready(CueTimeline)
    }

    package internal(set) var status: Status
    package internal(set) var connection: ConnectionState
    /// The host ended on purpose and has not come back.
    package internal(set) var hostHasEnded: Bool
    /// Name of the host last heard, safe to show.
    package internal(set) var hostName: String?
    /// Its id, by which discovery finds it again.
    package internal(set) var hostID: String?
    /// The last error the host told outside a reply.
    package internal(set) var lastError: WireError?
    package internal(set) var cues: Cues
    /// Seconds tapped and not yet confirmed; part of `position`.
    package internal(set) var pendingSkip: Double
    package internal(set) var clock: ClockOffset
    /// Host lines that could not be read.
    package internal(set) var undecodableLines: Int

    var book: AnchorBook
    var anchor: Anchor?
    var throttle: VolumeThrottle

    package var sessionID: String? { book.metadata?.sessionID ?? book.snapshot?.sessionID }
    /// Safe to show.
    package var title: String? { book.metadata?.title }
    package var tracks: [SessionMetadata.Track] { book.metadata?.tracks ?? [] }
    package var activeTrackID: String? { book.activeTrackID }
    /// Seconds; 0 when unknown.
    package var duration: Double { anchor?.duration ?? 0 }
    package var isPlaying: Bool { anchor?.isPlaying ?? false }
    /// It is to play, and the sound stands: the host's device sleeps, hangs or has run dry.
    package var isStalled: Bool { anchor?.isStalled ?? false }
    package var output: Snapshot.Output? { book.snapshot?.output }
    /// Who made the last change, safe to show.
    package var by: String? { book.metadata?.by }
    package var metadata: SessionMetadata? { book.metadata }
    package var snapshot: Snapshot? { book.snapshot }

    /// Seconds from the start of the film that are audible at `now`, taps on their way included; `nil` without a session.
    package func position(at now: SteadyTime) -> Double? {
        anchor?.position(at: now, clock: clock, plus: pendingSkip)
    }

    /// Place of the current cue in the timeline, from 0; without cues the host's word, `nil` without a session.
    package func currentCueIndex(at now: SteadyTime) -> Int? {
        guard let position = position(at: now) else { return nil }
        guard case .ready(let timeline) = cues else { return book.snapshot?.currentIndex }
        return timeline.currentIndex(at: position)
    }

    /// When a playing position next reaches a cue or the end, or `nil` while it stands or has no cue ahead.
    package func nextCueChange(after now: SteadyTime) -> SteadyTime? {
        guard isPlaying, !isStalled, clock.isKnown, case .ready(let timeline) = cues, let position = position(at: now)
        else {
            return nil
        }
        let place = timeline.currentIndex(at: position)
        let ahead = timeline.cues[min(place, timeline.cues.count)...].first { $0.start > position + 0.000_5 }
        guard let start = ahead?.start, duration == 0 || start <= duration else { return nil }
        return now + (start - position)
    }

    /// 0 to 1: the hand's value until 1.2 s after its last turn, then the host's; `nil` until one is known.
    package func volume(at now: SteadyTime) -> Double? {
        throttle.shown(at: now)
    }
}
