package import WireProtocol

/// A position with the host time at which it was audible, and how it moves from there.
package struct Anchor: Equatable, Sendable {
    /// Seconds.
    package var currentTime: Double
    package var serverDate: WireDate
    package var isPlaying: Bool
    /// It is to play, and the sound stands.
    package var isStalled: Bool
    /// Seconds; 0 when unknown.
    package var duration: Double

    package init(
        currentTime: Double, serverDate: WireDate, isPlaying: Bool, isStalled: Bool = false, duration: Double
    ) {
        self.currentTime = currentTime
        self.serverDate = serverDate
        self.isPlaying = isPlaying
        self.isStalled = isStalled
        self.duration = duration
    }

    package init(_ snapshot: Snapshot) {
        self.init(
            currentTime: snapshot.currentTime, serverDate: snapshot.serverDate, isPlaying: snapshot.isPlaying,
            isStalled: snapshot.isStalled, duration: snapshot.duration)
    }

    package init(_ metadata: SessionMetadata) {
        self.init(
            currentTime: metadata.currentTime, serverDate: metadata.serverDate, isPlaying: metadata.isPlaying,
            isStalled: metadata.isStalled, duration: metadata.duration)
    }

    /// Whether the position moves on by itself.
    package var isMoving: Bool { isPlaying && !isStalled }

    /// Seconds from the start of the film at `now`, plus `seconds`, within the film.
    ///
    /// An unknown duration (0) bounds nothing. Without a clock the position stands still.
    package func position(at now: SteadyTime, clock: ClockOffset, plus seconds: Double = 0) -> Double {
        // A date still to come is that of a sound about to begin: until then the film stands at its start.
        let elapsed = isMoving ? max(0, clock.seconds(since: serverDate, at: now) ?? 0) : 0
        let position = max(0, currentTime + elapsed + seconds)
        return duration > 0 ? min(position, duration) : position
    }
}

/// The newest of what a host told about its session, whatever order it came in.
package struct AnchorBook: Sendable {
    /// What became of a message.
    package enum Verdict: Equatable, Sendable {
        /// It moved the anchor.
        case accepted
        /// It was kept, but an anchor with a later date stands.
        case keptBehind
        /// It was of another session or revision, or older than the one held.
        case dropped
    }

    /// The latest, with play state, time and active track brought up to the anchor.
    package private(set) var metadata: SessionMetadata?
    /// The latest of the metadata's session and revision.
    package private(set) var snapshot: Snapshot?
    package private(set) var anchor: Anchor?
    /// Set from a reconnect to the first message: dates of the connection before count for nothing.
    private var isStale = false

    package init() {}

    package var isPlaying: Bool { anchor?.isPlaying ?? false }

    package var hasSession: Bool { anchor != nil }

    package var activeTrackID: String? { metadata?.activeTrackID ?? snapshot?.activeTrackID }

    /// 0 to 1, of the host's system output.
    package var volume: Double? { snapshot?.volume }

    /// Takes what a host tells on hello and on every change.
    ///
    /// Another session or revision clears the snapshot. Within one, title and tracks are taken as they come.
    @discardableResult
    package mutating func take(_ new: SessionMetadata) -> Verdict {
        let isOfMetadata = metadata.map { $0.sessionID == new.sessionID && $0.revision == new.revision }
        let isOfSnapshot = snapshot.map { $0.sessionID == new.sessionID && $0.revision == new.revision }
        let isSame = !isStale && (isOfMetadata ?? isOfSnapshot ?? false)
        if !isSame { snapshot = nil }
        let standing = isSame ? anchor : nil
        let trackBefore = activeTrackID
        isStale = false
        metadata = new
        // A tie goes to the snapshot.
        let isSnapshotAsNew = snapshot.map { $0.serverDate >= new.serverDate } ?? false
        if let standing, isSnapshotAsNew || standing.serverDate > new.serverDate {
            bring(standing, activeTrackID: trackBefore)
            return .keptBehind
        }
        anchor = Anchor(new)
        return .accepted
    }

    /// Takes a push or a reply; before any metadata, of any session.
    @discardableResult
    package mutating func take(_ new: Snapshot) -> Verdict {
        if let metadata, metadata.sessionID != new.sessionID || metadata.revision != new.revision { return .dropped }
        if !isStale, let snapshot, snapshot.sessionID == new.sessionID, new.serverDate < snapshot.serverDate {
            return .dropped
        }
        snapshot = new
        if !isStale, let anchor, metadata != nil, anchor.serverDate > new.serverDate { return .keptBehind }
        isStale = false
        anchor = Anchor(new)
        bring(Anchor(new), activeTrackID: new.activeTrackID)
        return .accepted
    }

    /// Forgets everything: no session is active.
    package mutating func sessionEnded() {
        self = AnchorBook()
    }

    /// Keeps what is shown, but lets the first message of a new connection replace it whatever its date.
    package mutating func connectionRenewed() {
        isStale = true
    }

    private mutating func bring(_ anchor: Anchor, activeTrackID: String?) {
        metadata?.isPlaying = anchor.isPlaying
        metadata?.isStalled = anchor.isStalled
        metadata?.currentTime = anchor.currentTime
        metadata?.serverDate = anchor.serverDate
        if let activeTrackID { metadata?.activeTrackID = activeTrackID }
    }
}
