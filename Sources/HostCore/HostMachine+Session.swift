internal import Hub
package import Playback
package import WireProtocol

/// The active session's coming, changing and going.
extension HostMachine {
    /// Makes `session` the active one, paused at `position` seconds, where the engine already stands.
    ///
    /// Remotes are told the end of another one that was active, and are sent the cues they do not hold.
    package mutating func open(
        _ session: PlaybackSession, activeTrackID: String, position: Double, output: OutputState?, now: SteadyTime
    ) -> [HostAction] {
        owesEnd = transport.hasSession && shelf?.sessionID != session.id
        lay(session)
        perform(
            transport.open(session, activeTrackID: activeTrackID, position: position, output: output, now: now), now)
        return takePending()
    }

    /// Ends the session, if there is one.
    package mutating func closeSession(now: SteadyTime) -> [HostAction] {
        shelf = nil
        perform(transport.close(now: now), now)
        return takePending()
    }

    /// The library's record of the active session has changed: remotes are told, and the sound goes on.
    ///
    /// The engine has been given its tracks; `fallback` is the one to go on with where the active one has gone.
    package mutating func refreshSession(
        _ session: PlaybackSession, fallback: String, now: SteadyTime
    ) -> [HostAction] {
        guard transport.hasSession, shelf?.sessionID == session.id else { return [] }
        if shelf?.digest != session.cueDigest || shelf?.revision != session.revision { lay(session) }
        perform(transport.refresh(session, fallback: fallback, now: now), now)
        return takePending()
    }

    /// The library has no such session any more.
    package mutating func endSession(because reason: String, now: SteadyTime) -> [HostAction] {
        perform(transport.end(because: reason, now: now), now)
        return takePending()
    }

    /// Puts the session's cues on the shelf.
    private mutating func lay(_ session: PlaybackSession) {
        let bundle = CueBundle(sessionID: session.id, revision: session.revision, cues: session.timeline.cues)
        shelf = CueShelf(bundle, digest: session.cueDigest)
        owesCues = true
    }
}
