internal import Hub
internal import LinuxSystem
internal import Playback
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// The host at work: one loop that owns the transport machine and every connection.
///
/// Confined to its loop. It decides nothing: machines turn events into actions, and it carries them out.
final class HostServer {
    struct Parts {
        var loop: EventLoop
        var clock: ServerClock
        var identity: HostIdentity
        var maximumConnections: Int
        var engine: any AudioEngine
        var store: any SessionStore
        var reporter: Reporter
    }

    /// Seconds between two looks at connections that may have fallen silent.
    private static let sweepInterval = 1.0
    /// Seconds after which a remote counts as one that stays.
    private static let staysAfter = 1.0
    static let software = "allspeak-host \(ProgramSyntax.version)"
    static let features = ["cues", "tracks", "volume"]

    let parts: Parts
    private var transport: TransportMachine
    private var gate = BroadcastGate()
    private var shelf: CueShelf?
    private var connections: [Int: RemoteConnection] = [:]
    private var lastConnection = 0
    /// Pushes owed to every remote at the end of this turn.
    private var staleViews: Change = []
    private var withOutput: Set<Int> = []
    private var timer: (deadline: SteadyTime, timer: EventLoop.Timer)?
    private var isStopping = false
    /// The latest instant an anchor was given for: remotes take an earlier one for an older one.
    private var latestAnchor = SteadyTime(nanoseconds: 0)

    init(_ parts: Parts) {
        self.parts = parts
        transport = TransportMachine(clock: parts.clock)
        parts.loop.onTurnEnd = { [weak self] in self?.endTurn() }
        sweep()
    }

    private var now: SteadyTime { MonotonicClock.now() }

    // MARK: Session

    /// Makes `session` the active one, paused at `position`.
    func open(_ session: PlaybackSession, activeTrackID: String, position: Double, output: OutputState?) {
        let bundle = CueBundle(sessionID: session.id, revision: session.revision, cues: session.timeline.cues)
        shelf = CueShelf(bundle, digest: session.cueDigest)
        perform(
            transport.open(session, activeTrackID: activeTrackID, position: position, output: output, now: now))
    }

    /// A command that no remote sent.
    func command(_ command: Command) {
        perform(transport.handle(command, from: .host, asker: nil, now: now))
    }

    func engineReported(_ events: [EngineEvent]) {
        for event in events { perform(transport.handle(event, now: now)) }
    }

    // MARK: Connections

    /// Takes over a connected socket.
    func accept(_ descriptor: Int32) {
        let channel: Channel
        do throws(SystemError) {
            channel = try Channel(owning: descriptor, loop: parts.loop)
        } catch {
            return
        }
        lastConnection += 1
        let id = lastConnection
        let connection = RemoteConnection(channel, greeting: greeting(), now: now)
        connections[id] = connection
        channel.onBytes = { [weak self] bytes in self?.received(bytes, on: id) }
        channel.onEnd = { [weak self] _ in self?.forget(id) }
        channel.nextOutput = { [weak connection] in connection?.machine.nextOutput() }
        if connections.count > parts.maximumConnections {
            let error = WireError(.tooManyRequests, "This host serves \(parts.maximumConnections) remotes at once.")
            _ = connection.machine.reply(.error(error), to: nil)
            perform(connection.machine.goodbye(.other("full")), on: id)
        }
        connection.channel.flush()
    }

    private func greeting() -> [UInt8] {
        HostMessage.hello(
            HostHello(
                hostID: parts.identity.id, hostName: parts.identity.name, software: Self.software,
                serverDate: parts.clock.date(at: now), features: Self.features)
        ).line()
    }

    private func received(_ bytes: ArraySlice<UInt8>, on id: Int) {
        guard let connection = connections[id] else { return }
        let now = self.now
        let date = parts.clock.date(at: now)
        connection.machine.receive(bytes, now: now)
        while let actions = connection.machine.nextActions(now: now, date: date) { perform(actions, on: id) }
        // The asker's reply leaves before the others are told.
        connection.channel.flush()
    }

    private func perform(_ actions: [ConnectionMachine.Action], on id: Int) {
        guard let connection = connections[id] else { return }
        for action in actions {
            switch action {
            case .deliver(let command, let message, let peer):
                let asker = Asker(connection: id, message: message)
                if case .requestCueChunk(let request) = command {
                    answer(request, to: asker)
                } else {
                    let source = Source.remote(id: peer.id, name: peer.name)
                    perform(transport.handle(command, from: source, asker: asker, now: now))
                }
            case .subscribe(let hello): welcome(connection, id, hello)
            case .close:
                connection.channel.closeWhenFlushed()
                if connection.channel.isOpen {
                    // A peer that does not read would keep it open.
                    parts.loop.schedule(at: now + 1) { [weak self] in self?.drop(id) }
                }
            }
        }
    }

    /// Everything a remote needs to show the film, in one go.
    private func welcome(_ connection: RemoteConnection, _ id: Int, _ hello: RemoteHello) {
        introduce(connection, id, hello.remoteName.isEmpty ? SafeText.line(hello.remoteID) : hello.remoteName)
        guard let (metadata, snapshot) = views() else { return connection.machine.pushSessionEnded() }
        connection.machine.push(
            metadata: HostMessage.metadata(metadata).line(), snapshot: HostMessage.snapshot(snapshot).line())
        if let shelf, !shelf.isHeld(by: hello.cues) { connection.machine.push(cues: shelf) }
    }

    private func introduce(_ connection: RemoteConnection, _ id: Int, _ name: String) {
        let isNew = connection.name == nil
        connection.name = name
        guard isNew else { return }
        parts.reporter.remoteJoined(name)
        parts.loop.schedule(at: now + Self.staysAfter) { [weak self] in
            guard let self, let connection = connections[id] else { return }
            connection.hasStayed = true
            parts.reporter.remoteStayed(connection.name ?? "")
        }
    }

    private func answer(_ request: CueChunkRequest, to asker: Asker) {
        guard let shelf, transport.hasSession else {
            return reply(.error(WireError(.noSession, "No session is active on this host.")), to: asker)
        }
        switch shelf.answer(request) {
        case .success(let chunk): reply(.cueChunk(chunk), to: asker)
        case .failure(let error): reply(.error(error), to: asker)
        }
    }

    private func reply(_ message: HostMessage, to asker: Asker) {
        guard let connection = connections[asker.connection] else { return }
        perform(connection.machine.reply(message, to: asker.message), on: asker.connection)
        // At once: replies to many commands of one packet must not pile up against the limit of unread ones.
        connection.channel.flush()
    }

    private func drop(_ id: Int) {
        connections[id]?.channel.close()
        forget(id)
    }

    private func forget(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        if let name = connection.name { parts.reporter.remoteLeft(name, hadStayed: connection.hasStayed) }
    }

    // MARK: Actions

    private func perform(_ actions: [TransportAction]) {
        for action in actions {
            switch action {
            case .engine(let request): parts.engine.perform(request)
            case .reply(let asker, let error): reply(to: asker, error)
            case .changed(let change): staleViews.formUnion(change)
            case .save(let state): parts.store.save(state)
            case .note(let note): parts.reporter.noted(note)
            }
        }
    }

    private func reply(to asker: Asker, _ error: WireError?) {
        if let error { return reply(.error(error), to: asker) }
        guard let snapshot = transport.snapshot(at: anchorInstant) else {
            return reply(.error(WireError(.noSession, "No session is active on this host.")), to: asker)
        }
        noteAnchor(snapshot)
        reply(.snapshot(snapshot), to: asker)
    }

    // MARK: Views

    /// Not before what remotes have: a sound on its way is anchored ahead of now.
    private var anchorInstant: SteadyTime { max(now, latestAnchor) }

    private func noteAnchor(_ snapshot: Snapshot) {
        latestAnchor = max(latestAnchor, parts.clock.time(of: snapshot.serverDate))
    }

    private func views() -> (SessionMetadata, Snapshot)? {
        let instant = anchorInstant
        guard let metadata = transport.metadata(at: instant), let snapshot = transport.snapshot(at: instant) else {
            return nil
        }
        noteAnchor(snapshot)
        return (metadata, snapshot)
    }

    // MARK: Turns and time

    private func endTurn() {
        if !staleViews.isEmpty { broadcast() }
        for id in withOutput { connections[id]?.channel.flush() }
        withOutput.removeAll(keepingCapacity: true)
        armTimer()
    }

    private func broadcast() {
        let now = self.now
        let change = staleViews
        staleViews = []
        guard let (metadata, snapshot) = views() else {
            return forEachSubscriber { $0.pushSessionEnded() }
        }
        gate.changed(isPlaying: snapshot.isPlaying, now: now)
        // Encoded once for all remotes.
        let snapshotLine = change.contains(.snapshot) ? HostMessage.snapshot(snapshot).line() : nil
        let metadataLine = change.contains(.metadata) ? HostMessage.metadata(metadata).line() : nil
        forEachSubscriber { $0.push(metadata: metadataLine, snapshot: snapshotLine) }
    }

    private func forEachSubscriber(_ body: (inout ConnectionMachine) -> Void) {
        for (id, connection) in connections where connection.machine.isSubscribed {
            body(&connection.machine)
            withOutput.insert(id)
        }
    }

    private func armTimer() {
        let deadline = [transport.nextDeadline, gate.nextDeadline].compactMap(\.self).min()
        guard deadline != timer?.deadline else { return }
        if let timer { parts.loop.cancel(timer.timer) }
        timer = deadline.map { ($0, parts.loop.schedule(at: $0) { [weak self] in self?.deadlineReached() }) }
    }

    private func deadlineReached() {
        timer = nil
        perform(transport.tick(now: now))
        if gate.tick(now: now) { staleViews.insert(.snapshot) }
    }

    private func sweep() {
        let now = self.now
        for (id, connection) in connections {
            perform(connection.machine.tick(now: now), on: id)
            withOutput.insert(id)
        }
        parts.loop.schedule(at: now + Self.sweepInterval) { [weak self] in self?.sweep() }
    }

    // MARK: End

    /// Says goodbye to every remote and hands the position to the store; the caller stops the loop.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        if let state = transport.listeningState(at: now) { parts.store.save(state) }
        for (id, connection) in connections {
            perform(connection.machine.goodbye(.shutdown), on: id)
            connection.channel.flush()
        }
    }
}

/// A remote's socket and what the hub knows of it.
final class RemoteConnection {
    let channel: Channel
    var machine: ConnectionMachine
    /// Once it has introduced itself.
    var name: String?
    var hasStayed = false

    init(_ channel: Channel, greeting: [UInt8], now: SteadyTime) {
        self.channel = channel
        machine = ConnectionMachine(greeting: greeting, now: now)
    }
}
