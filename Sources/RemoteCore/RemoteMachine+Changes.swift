internal import WireProtocol

/// Telling what of the view really changed when the host speaks, so that a shell that prints changes stays quiet.
extension RemoteMachine {
    /// Seconds by which a position may be corrected without counting as a jump (a frame and a half of film).
    private static let jump = 0.06

    private struct Face: Equatable {
        var sessionID: String?
        var revision: Int?
        var title: String?
        var tracks: [SessionMetadata.Track]
        var activeTrackID: String?
        var by: String?
    }

    private struct Motion: Equatable {
        var isPlaying: Bool?
        var isStalled: Bool?
        var duration: Double?
        var output: Snapshot.Output?
    }

    private var face: Face {
        let metadata = book.metadata
        return Face(
            sessionID: metadata?.sessionID ?? book.snapshot?.sessionID,
            revision: metadata?.revision ?? book.snapshot?.revision, title: metadata?.title,
            tracks: metadata?.tracks ?? [], activeTrackID: book.activeTrackID, by: metadata?.by)
    }

    private var motion: Motion {
        Motion(
            isPlaying: book.anchor?.isPlaying, isStalled: book.anchor?.isStalled, duration: book.anchor?.duration,
            output: book.snapshot?.output)
    }

    /// Runs `change` and notes which parts of the view are others after it.
    mutating func notingChanges(_ now: SteadyTime, _ change: (inout RemoteMachine) -> Void) {
        let (face, motion, hadSession) = (face, motion, book.hasSession)
        let position = book.anchor?.position(at: now, clock: clock)
        change(&self)
        changes.insert(.confirmed)
        if book.hasSession != hadSession { changes.insert(.status) }
        if self.face != face { changes.insert(.session) }
        let newPosition = book.anchor?.position(at: now, clock: clock)
        let moved = newPosition.flatMap { new in position.map { abs(new - $0) } } ?? 0
        if self.motion != motion || moved > Self.jump { changes.insert(.playback) }
    }
}
