package import WireProtocol

/// What a shell does for the machine, in the order given.
package enum RemoteAction: Equatable, Sendable {
    /// Open a connection; report `connectSucceeded` or `connectFailed` with this number.
    case connect(attempt: Int, ReconnectSchedule.Target)
    /// Write to the connection now open.
    case send([UInt8])
    /// Close the connection now open or being opened; what it still reports is ignored.
    case close
    /// A caller's intention is settled.
    case finished(CommandTag, Result<CommandReply, CommandFailure>)
    /// Parts of the view are others now.
    case changed(ViewChanges)
    /// Look for these cues in the cache; on a hit call `cuesLoaded`, on a miss do nothing.
    case loadCues(RemoteHello.HeldCues)
    /// Put these cues into the cache.
    case storeCues(RemoteHello.HeldCues, [Cue])
}

/// Which parts of a `RemoteView` changed.
package struct ViewChanges: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Connection status, host name, last error.
    package static let status = ViewChanges(rawValue: 1)
    /// Title, tracks, active track, `by`, revision, or a session's begin or end.
    package static let session = ViewChanges(rawValue: 2)
    /// Play state, duration, output, or a jump of the position; not its steady running.
    package static let playback = ViewChanges(rawValue: 4)
    package static let volume = ViewChanges(rawValue: 8)
    package static let cues = ViewChanges(rawValue: 16)
    /// The sum of taps on their way.
    package static let pendingSkip = ViewChanges(rawValue: 32)
    /// The host confirmed what was known: a shell that prints changes has nothing to print.
    package static let confirmed = ViewChanges(rawValue: 64)
}

/// Where the connection stands.
package enum ConnectionState: Equatable, Sendable {
    /// Not started.
    case idle
    case disconnected(nextAttempt: ReconnectSchedule.Attempt)
    case connecting(attempt: Int, deadline: SteadyTime)
    /// Our hello is out, the host's is awaited.
    case greeted(attempt: Int, deadline: SteadyTime)
    case connected(attempt: Int)
    /// Nothing more is tried until `start`.
    case ended(EndReason)
}

/// Why a remote stopped trying.
package enum EndReason: Equatable, Sendable {
    /// We stopped.
    case stopped
    /// The host said goodbye for good.
    case finished
    /// The host speaks another version of the protocol, where known.
    case incompatible(hostVersion: Int?)
    /// The host wants a token that it knows.
    case unauthorized(WireError)
}
