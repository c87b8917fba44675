internal import LinuxSystem
internal import RemoteCore
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// A remote at work: the machine of `RemoteCore` with a socket, a clock and a cache.
///
/// Confined to its loop; every shell of the remote is built on it.
final class RemoteLink {
    private let loop: EventLoop
    private let finder: HostFinder
    private let cache: CueCache
    private var machine: RemoteMachine
    /// Where the host is, or is looked for next.
    private(set) var endpoints: [Endpoint]
    private var connector: Connector?
    private var channel: Channel?
    private var output: [UInt8] = []
    private var timer: (deadline: SteadyTime, timer: EventLoop.Timer)?
    private var lastTag = 0
    private var waiting: [CommandTag: (Result<CommandReply, CommandFailure>) -> Void] = [:]
    /// Why the last attempt to connect failed.
    private(set) var lastFailure: SystemError?
    /// Set once the host of this connection has said what it plays, or that it plays nothing.
    private(set) var knowsSession = false
    /// Whether an open connection has ended, by either side.
    private(set) var hasEnded = false

    var onChange: (ViewChanges) -> Void = { _ in }
    /// Called when an attempt to connect has failed.
    var onFailure: (SystemError) -> Void = { _ in }

    init(loop: EventLoop, finder: HostFinder, endpoints: [Endpoint], identity: RemoteIdentity, cache: CueCache) {
        self.loop = loop
        self.finder = finder
        self.endpoints = endpoints
        self.cache = cache
        let seed = Identifiers.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        machine = RemoteMachine(
            .init(
                remoteID: identity.id, remoteName: identity.name, staysWithHost: finder.looksHostsUp, seed: seed))
    }

    private var now: SteadyTime { MonotonicClock.now() }

    var view: RemoteView { machine.view }

    func start() { perform(machine.start(now: now)) }

    /// Says goodbye.
    func stop() {
        perform(machine.stop(now: now))
        channel?.flush()
        channel?.close()
    }

    // MARK: What the user wants

    /// Sends `command`; `completion` is called exactly once, from the loop.
    func send(_ command: Command, _ completion: @escaping (Result<CommandReply, CommandFailure>) -> Void) {
        perform(machine.command(command, tag: tag(completion), now: now))
    }

    /// Adds one tap to the sum.
    func tapSkip(_ seconds: Double, _ completion: @escaping (Result<CommandReply, CommandFailure>) -> Void) {
        perform(machine.tapSkip(seconds, tag: tag(completion), now: now))
    }

    /// Turns the volume to `value`, 0 to 1; a quick turn is sent as a few steps.
    func turnVolume(_ value: Double, _ completion: @escaping (Result<CommandReply, CommandFailure>) -> Void) {
        perform(machine.turnVolume(to: value, tag: tag(completion), now: now))
    }

    /// This process has slept: what is connected is tried at once, and what is not, connected.
    func wake() { perform(machine.wake(now: now)) }

    /// Sends the sum of the taps without waiting for more.
    func flushSkips() { perform(machine.flushSkips(now: now)) }

    private func tag(_ completion: @escaping (Result<CommandReply, CommandFailure>) -> Void) -> CommandTag {
        lastTag += 1
        waiting[CommandTag(lastTag)] = completion
        return CommandTag(lastTag)
    }

    // MARK: What the machine wants

    private func perform(_ actions: [RemoteAction]) {
        for action in actions {
            switch action {
            case .connect(let attempt, let target): connect(attempt, target)
            case .send(let bytes):
                output += bytes
                channel?.flush()
            case .close: close()
            case .finished(let tag, let result): waiting.removeValue(forKey: tag)?(result)
            case .changed(let changes):
                noteSession(changes)
                onChange(changes)
            case .loadCues(let key):
                if let cues = cache.cues(sessionID: key.sessionID, digest: key.digest) {
                    perform(machine.cuesLoaded(cues, sessionID: key.sessionID, now: now))
                }
            case .storeCues(let key, let cues):
                let revision = machine.view.metadata?.revision ?? 0
                cache.store(
                    CueBundle(sessionID: key.sessionID, revision: revision, cues: cues), digest: key.digest)
            }
        }
        armTimer()
    }

    private func noteSession(_ changes: ViewChanges) {
        guard !changes.isDisjoint(with: [.session, .playback]), case .connected = view.connection else { return }
        // `sessionEnded` changes the session as well, and leaves none.
        knowsSession = view.status == .noSession || (view.metadata != nil && view.snapshot != nil)
    }

    private func connect(_ attempt: Int, _ target: ReconnectSchedule.Target) {
        close()
        knowsSession = false
        if target == .discovery, let found = finder.endpoints(ofHost: view.hostID) { endpoints = found }
        connector = Connector(to: endpoints, loop: loop) { [weak self] result in
            guard let self else { return }
            connector = nil
            switch result {
            case .success(let channel): connected(channel, attempt)
            case .failure(let error):
                lastFailure = error
                onFailure(error)
                perform(machine.connectFailed(attempt: attempt, now: now))
            }
        }
    }

    private func connected(_ channel: Channel, _ attempt: Int) {
        self.channel = channel
        channel.nextOutput = { [weak self] in
            guard let self, !output.isEmpty else { return nil }
            defer { output = [] }
            return output
        }
        channel.onBytes = { [weak self] bytes in
            guard let self else { return }
            perform(machine.received(bytes, attempt: attempt, now: now))
        }
        channel.onEnd = { [weak self] _ in
            guard let self else { return }
            hasEnded = true
            perform(machine.closed(attempt: attempt, now: now))
        }
        perform(machine.connectSucceeded(attempt: attempt, now: now))
    }

    private func close() {
        if channel != nil { hasEnded = true }
        connector?.cancel()
        connector = nil
        channel?.close()
        channel = nil
        output = []
    }

    private func armTimer() {
        let deadline = machine.nextDeadline
        guard deadline != timer?.deadline else { return }
        if let timer { loop.cancel(timer.timer) }
        timer = deadline.map { deadline in
            (
                deadline,
                loop.schedule(at: deadline) { [weak self] in
                    guard let self else { return }
                    timer = nil
                    perform(machine.tick(now: now))
                }
            )
        }
    }
}

/// Who this remote is to hosts.
struct RemoteIdentity {
    var id: String
    var name: String

    /// Reads the id kept for this user, or makes one; where it cannot be kept, it lasts for this run.
    static func ofThisUser() -> RemoteIdentity {
        let folder = Directories.state
        let path = folder + "/remote-id"
        let kept = (try? Files.read(path, maximumBytes: 128)).map {
            String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self)
        }
        let name = SafeText.line("terminal on \(Environment.hostName)", maximumCharacters: Limits.nameCharacters)
        if let kept, kept.count == 36 { return RemoteIdentity(id: kept, name: name) }
        let id = Identifiers.uuid()
        try? Files.makeDirectory(folder)
        try? Files.replace(path, with: Array((id + "\n").utf8))
        return RemoteIdentity(id: id, name: name)
    }
}
