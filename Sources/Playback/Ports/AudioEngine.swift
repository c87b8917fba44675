package import WireProtocol

/// Names one uninterrupted stretch of sound: every seek, switch and start begins a new one.
///
/// The transport machine hands them out, growing; whatever the engine reports about an older epoch is history.
package typealias Epoch = Int

/// What the transport machine asks of the sound.
///
/// None of these waits: the engine answers with events. A newer request of the same kind replaces an older one that
/// is not finished (seeks never queue). Requests are never stale: whether there is to be sound is what the newest
/// `locate`, `play` or `pause` says, whatever its epoch and whatever switch has happened meanwhile.
package enum EngineRequest: Equatable, Sendable {
    /// Sound from `position` seconds on, or stand ready there; past the end of the track means its end, which while
    /// playing is answered with `ended`.
    ///
    /// Also used for a seek.
    case locate(epoch: Epoch, position: Double, playing: Bool)
    /// Sound on from where it stands, or from where an unfinished `locate` leads.
    case play(epoch: Epoch)
    /// Silence; the engine answers `paused` with the position at which the sound stopped.
    ///
    /// An unfinished `locate` goes on: its target is that position.
    case pause(epoch: Epoch)
    /// The same film position on another track; the old one sounds until the new one is ready.
    ///
    /// Answered with `switched` or `switchFailed` unless a newer one replaces it, also after `failed` and
    /// `outputLost`, and also for the track that sounds already. What sounds then has this epoch, or that of a
    /// `locate` or `play` asked for after it.
    case switchTrack(epoch: Epoch, trackID: String)
    /// The system output's volume, 0 to 1.
    case setVolume(Double)
}

/// What the engine reports; always in the order in which it happened.
package enum EngineEvent: Equatable, Sendable {
    /// At `at`, `position` leaves the output (its latency is taken off); while `isRunning` it moves on at speed 1.
    ///
    /// `at` lies ahead while a sound is on its way through the device: it is then heard from `position` on.
    case anchor(epoch: Epoch, position: Double, at: SteadyTime, isRunning: Bool)
    /// The sound of `epoch` has stopped at `position`.
    case paused(epoch: Epoch, position: Double)
    /// The last sample of the track has been heard.
    case ended(epoch: Epoch)
    /// `trackID` is what sounds now, `duration` seconds long.
    case switched(epoch: Epoch, trackID: String, duration: Double)
    /// The old track sounds on.
    case switchFailed(epoch: Epoch, trackID: String, reason: String)
    /// The position cannot be reached or read; the engine has stopped.
    case failed(epoch: Epoch, reason: String)
    /// The device sounded on went away: the engine has stopped at `position` and plays nowhere until it is asked to.
    ///
    /// The machine answers each with a `pause` whose epoch no request before it had. Until then the engine stays
    /// silent whatever it is asked, for that was asked before the loss was known; a `locate` under way is dropped.
    case outputLost(epoch: Epoch, position: Double, reason: String)
    /// There is an output, new or changed.
    case output(OutputState)
    /// The device asked for more than there was, `count` times since the start.
    case underrun(count: Int)
}

/// The output as remotes see it.
package struct OutputState: Equatable, Sendable {
    /// For people: a device's description, or `clock`.
    package var name: String
    /// Seconds from handing over a sample to hearing it, where known.
    package var latency: Double?
    package var isPresent: Bool
    /// System volume 0 to 1, `nil` where there is none.
    package var volume: Double?
    package var isMuted: Bool?

    package init(name: String, latency: Double? = nil, isPresent: Bool, volume: Double? = nil, isMuted: Bool? = nil) {
        self.name = name
        self.latency = latency
        self.isPresent = isPresent
        self.volume = volume
        self.isMuted = isMuted
    }
}

/// The sound: decodes a session's tracks and plays one of them.
///
/// `perform` is called on the host's loop and returns at once; events come through the closure the engine was made
/// with, on threads of the engine's own.
package protocol AudioEngine: AnyObject, Sendable {
    func perform(_ request: EngineRequest)
    /// Stops sound and threads; no event comes after it returns.
    func shutDown()
}
