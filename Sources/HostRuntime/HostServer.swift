internal import HostCore
internal import LinuxSystem
internal import Playback
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// The host at work: one loop that carries sockets, sound and time to the host's machine, and its actions back.
///
/// Confined to its loop. It decides nothing.
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

    private let parts: Parts
    private var machine: HostMachine
    private var channels: [Int: Channel] = [:]
    private var lastConnection = 0
    private var timer: (deadline: SteadyTime, timer: EventLoop.Timer)?
    private var isStopping = false

    init(_ parts: Parts) {
        self.parts = parts
        let card = HostCard(
            id: parts.identity.id, name: parts.identity.name, software: "allspeak-host \(ProgramSyntax.version)")
        machine = HostMachine(
            card: card, clock: parts.clock, maximumConnections: parts.maximumConnections, now: MonotonicClock.now())
        parts.loop.onTurnEnd = { [weak self] in self?.endTurn() }
    }

    // Read anew for each event: a turn may handle many, and a reply tells the position of its own instant.
    private var now: SteadyTime { MonotonicClock.now() }

    // MARK: Session

    /// Makes `session` the active one, paused at `position`.
    func open(_ session: PlaybackSession, activeTrackID: String, position: Double, output: OutputState?) {
        perform(machine.open(session, activeTrackID: activeTrackID, position: position, output: output, now: now))
    }

    /// The library's record of the session has changed.
    func sessionUpdated(_ updates: [SessionUpdate]) {
        for update in updates {
            switch update {
            case .changed(let session, let fallback):
                perform(machine.refreshSession(session, fallback: fallback, now: now))
            case .deleted:
                perform(machine.endSession(because: "it has been deleted from the library", now: now))
            }
        }
    }

    /// A command that no remote sent.
    func command(_ command: Command) {
        perform(machine.command(command, now: now))
    }

    func engineReported(_ events: [EngineEvent]) {
        for event in events { perform(machine.engineReported(event, now: now)) }
    }

    /// Says goodbye to every remote and hands the position to the store; the caller stops the loop.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        perform(machine.stop(now: now))
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
        channels[id] = channel
        channel.onBytes = { [weak self] bytes in self?.received(bytes, on: id) }
        channel.onEnd = { [weak self] _ in self?.ended(id) }
        channel.nextOutput = { [weak self] in self?.machine.nextOutput(of: id) }
        perform(machine.connect(id, now: now))
    }

    /// Takes a descriptor back from a connection that has not said anything; false where there is none.
    func makeRoom() -> Bool {
        let actions = machine.makeRoom()
        perform(actions)
        return !actions.isEmpty
    }

    private func received(_ bytes: ArraySlice<UInt8>, on id: Int) {
        let now = self.now
        machine.receive(bytes, on: id, now: now)
        while let actions = machine.nextActions(on: id, now: now) { perform(actions) }
        if let instant = machine.restsUntil(id) { channels[id]?.rest(until: instant) }
    }

    private func ended(_ id: Int) {
        channels[id] = nil
        machine.disconnected(id)
    }

    // MARK: Actions

    private func perform(_ actions: [HostAction]) {
        for action in actions {
            switch action {
            case .engine(let request): parts.engine.perform(request)
            case .save(let state): parts.store.save(state)
            case .note(let note): parts.reporter.noted(note)
            case .remote(let note): parts.reporter.noted(note)
            case .write(let id): channels[id]?.flush()
            case .close(let id): channels[id]?.closeWhenFlushed()
            case .cut(let id):
                channels[id]?.close()
                channels[id] = nil
            }
        }
    }

    // MARK: Turns and time

    private func endTurn() {
        perform(machine.endTurn(now: now))
        armTimer()
    }

    private func armTimer() {
        let deadline = machine.nextDeadline
        guard deadline != timer?.deadline else { return }
        if let timer { parts.loop.cancel(timer.timer) }
        timer = (deadline, parts.loop.schedule(at: deadline) { [weak self] in self?.deadlineReached() })
    }

    private func deadlineReached() {
        timer = nil
        perform(machine.tick(now: now))
    }
}
