package import WireProtocol

/// A remote's whole side of the protocol, without a socket or a clock: events in as methods, actions out.
///
/// After every event perform the actions in order, then call `tick` at `nextDeadline`. `now` must never go back.
package struct RemoteMachine: Sendable {
    package struct Configuration: Sendable {
        package var remoteID: String
        package var remoteName: String
        package var token: String?
        /// After a reconnect only the host of the first connection will do, by its id: for a host that was looked up.
        ///
        /// Where the user gave an address, whoever answers there is meant.
        package var staysWithHost: Bool
        /// Spreads the retries of many remotes; any number.
        package var seed: UInt64

        package init(
            remoteID: String, remoteName: String, token: String? = nil, staysWithHost: Bool = false, seed: UInt64
        ) {
            self.remoteID = remoteID
            self.remoteName = remoteName
            self.token = token
            self.staysWithHost = staysWithHost
            self.seed = seed
        }
    }

    /// Seconds for opening a connection, all addresses included.
    package static let connectTimeout = 10.0
    /// Seconds from an open connection to the host's hello.
    package static let helloTimeout = 5.0
    static let protocolVersion = 1

    let configuration: Configuration
    var connection = ConnectionState.idle
    var random: SplitMix64
    var actions: [RemoteAction] = []
    var changes: ViewChanges = []

    var schedule = ReconnectSchedule()
    var framer = LineFramer()
    var watch: LinkWatch?
    var connectBegan = SteadyTime(nanoseconds: 0)
    var lastAttempt = 0

    var clock = ClockOffset()
    var book = AnchorBook()
    var download = CueDownload()
    var ledger = CommandLedger()
    var preview = SkipPreview()
    var skips = SkipCoalescer()
    var skipTags: [CommandTag] = []
    var volume = VolumeThrottle()
    var volumeTags: [CommandTag] = []

    var hostName: String?
    var hostID: String?
    var lastError: WireError?
    var lostSince: SteadyTime?
    /// The host said that it ends, and has not come back.
    var hostHasEnded = false
    var undecodableLines = 0

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        random = SplitMix64(state: configuration.seed)
    }

    // MARK: Events of the connection

    /// Begins to connect, from `idle`, after an end, or at once instead of at the next attempt.
    package mutating func start(now: SteadyTime) -> [RemoteAction] {
        switch connection {
        case .idle, .disconnected, .ended:
            schedule.woken()
            lastError = nil
            connect(to: .lastAddress, now)
        case .connecting, .greeted, .connected: break
        }
        return handOver()
    }

    /// The connection of `attempt` is open.
    package mutating func connectSucceeded(attempt: Int, now: SteadyTime) -> [RemoteAction] {
        guard case .connecting(attempt, _) = connection else { return handOver() }
        framer = LineFramer()
        watch = LinkWatch(now: now)
        setConnection(.greeted(attempt: attempt, deadline: now + Self.helloTimeout))
        let hello = RemoteHello(
            protocolVersion: Self.protocolVersion, remoteID: configuration.remoteID,
            remoteName: configuration.remoteName, token: configuration.token, cues: download.held)
        actions.append(.send(RemoteMessage.hello(hello).line()))
        pingIfDue(now)
        return handOver()
    }

    package mutating func connectFailed(attempt: Int, now: SteadyTime) -> [RemoteAction] {
        if case .connecting(attempt, _) = connection { connectionLost(now) }
        return handOver()
    }

    /// The connection of `attempt` ended, by the peer or an error.
    package mutating func closed(attempt: Int, now: SteadyTime) -> [RemoteAction] {
        switch connection {
        case .connecting(attempt, _), .greeted(attempt, _), .connected(attempt): connectionLost(now)
        default: break
        }
        return handOver()
    }

    /// Bytes arrived on the connection of `attempt`, in pieces of any size.
    package mutating func received(_ bytes: some Collection<UInt8>, attempt: Int, now: SteadyTime) -> [RemoteAction] {
        guard isOpen(attempt) else { return handOver() }
        watch?.heard(now: now)
        var frames: [LineFramer.Frame] = []
        framer.append(bytes) { frames.append($0) }
        for frame in frames {
            // A frame may have ended the connection; what stood behind it is of no account.
            guard isOpen(attempt) else { break }
            switch frame {
            case .line(let line): takeLine(line, now)
            case .tooLarge: drop(now)
            }
        }
        return handOver()
    }

    /// The machine slept, or the network came back: don't wait for timers.
    package mutating func wake(now: SteadyTime) -> [RemoteAction] {
        switch connection {
        case .disconnected(let next):
            schedule.woken()
            connect(to: next.target, now)
        case .connecting:
            schedule.woken()
            actions.append(.close)
            connect(to: .lastAddress, now)
        case .greeted, .connected:
            watch?.woken(now: now)
            pingIfDue(now)
        case .idle, .ended: break
        }
        return handOver()
    }

    /// Says goodbye and stays away until `start`; unsent taps are told as not sent.
    package mutating func stop(now: SteadyTime) -> [RemoteAction] {
        switch connection {
        case .greeted, .connected:
            actions.append(.send(RemoteMessage.goodbye(.finished).line()))
            end(.stopped, now)
        case .connecting, .idle, .disconnected: end(.stopped, now)
        case .ended: break
        }
        return handOver()
    }

    /// Does what is due at `now`.
    package mutating func tick(now: SteadyTime) -> [RemoteAction] {
        switch connection {
        case .disconnected(let next) where next.time <= now: connect(to: next.target, now)
        case .connecting(_, let deadline) where deadline <= now: drop(now)
        case .greeted(_, let deadline) where deadline <= now: drop(now)
        case .greeted, .connected:
            if let watch, watch.deadDeadline <= now {
                drop(now)
            } else {
                tickConnected(now)
            }
        default: break
        }
        if volume.settle(at: now) { changes.insert(.volume) }
        return handOver()
    }

    private mutating func tickConnected(_ now: SteadyTime) {
        if let release = skips.release(at: now) { sendSkip(release, now) }
        if let release = volume.release(at: now) { sendVolume(release, now) }
        for entry in ledger.expired(now: now) { settle(entry, .failure(.lost)) }
        perform(download.tick(now: now), now)
        pingIfDue(now)
    }

    /// When `tick` is wanted next, `nil` when only events matter.
    package var nextDeadline: SteadyTime? {
        let ofConnection: SteadyTime? =
            switch connection {
            case .idle, .ended, .connected: nil
            case .disconnected(let next): next.time
            case .connecting(_, let deadline), .greeted(_, let deadline): deadline
            }
        let all = [
            ofConnection, watch?.nextDeadline, ledger.nextDeadline, skips.nextDeadline, volume.nextDeadline,
            download.nextDeadline,
        ]
        return all.compactMap(\.self).min()
    }

    // MARK: Cues

    /// Takes cues of the cache: before `start` to be named in the hello, later as the answer to `loadCues`.
    package mutating func cuesLoaded(_ cues: [Cue], sessionID: String, now: SteadyTime) -> [RemoteAction] {
        if book.hasSession {
            perform(download.loaded(cues), now)
        } else {
            download.preload(cues, sessionID: sessionID)
        }
        return handOver()
    }

    // MARK: View

    package var view: RemoteView {
        RemoteView(
            status: status, connection: connection, hostHasEnded: hostHasEnded, hostName: hostName, hostID: hostID,
            lastError: lastError,
            cues: cuesView, pendingSkip: skips.pendingSum + preview.seconds, clock: clock,
            undecodableLines: undecodableLines, book: book, anchor: preview.anchor(over: book.anchor),
            throttle: volume)
    }

    private var status: RemoteView.Status {
        switch connection {
        case .ended(let reason): .ended(reason)
        case .connected: book.hasSession ? .connected : .noSession
        case .idle, .disconnected, .connecting, .greeted:
            lostSince.map { .reconnecting(since: $0) } ?? .neverConnected
        }
    }

    private var cuesView: RemoteView.Cues {
        guard book.metadata != nil else { return .none }
        guard let timeline = download.timeline else {
            return .loading(received: download.progress?.received ?? 0, total: download.progress?.total)
        }
        return timeline.cues.isEmpty ? .none : .ready(timeline)
    }
}
