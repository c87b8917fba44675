internal import Hub
package import Playback
package import WireProtocol

/// A whole host without sockets, sound and disk: the transport machine, every connection, and who is told what when.
///
/// Pure: bytes, engine events and time come in, actions and bytes go out. A turn is what happens at one instant; after
/// its last event comes `endTurn`, which tells every remote once what has changed, and hands on what the sound is to do.
package struct HostMachine: Sendable {
    /// One remote's connection and what the host knows of it.
    struct Connection: Sendable {
        var machine: ConnectionMachine
        /// Once it has introduced itself; safe to show.
        var name: String?
        var hasStayed = false
        /// The cues it has, or has been sent.
        var heldCues: RemoteHello.HeldCues?

        /// Sends cues that it does not hold.
        mutating func push(cues shelf: CueShelf) {
            guard !shelf.isHeld(by: heldCues) else { return }
            machine.push(cues: shelf)
            heldCues = .init(sessionID: shelf.sessionID, digest: shelf.digest)
        }
    }

    /// What is to be done a fixed time after its cause, so that the oldest is always the next.
    struct Errand: Sendable {
        enum Kind { case tellOfStay, cut }

        /// Seconds from the cause.
        static let delay = 1.0

        var at: SteadyTime
        var kind: Kind
        var connection: Int
    }

    /// Seconds between two looks at connections that may have fallen silent.
    static let sweepInterval = 1.0
    /// The words of `hello`'s `features`.
    package static let features = ["cues", "tracks", "volume", "describe"]

    let clock: ServerClock
    let card: HostCard
    var doorkeeper: Doorkeeper
    var transport: TransportMachine
    var shelf: CueShelf?
    var connections: [Int: Connection] = [:]
    var errands: ArraySlice<Errand> = []
    var sweepAt: SteadyTime
    var gate = BroadcastGate()
    /// Pushes owed to every remote at the end of this turn.
    var staleViews: Change = []
    /// Remotes that do not hold the present cues are owed them at the end of this turn.
    var owesCues = false
    /// Another session has taken the place of one that remotes were not told the end of.
    var owesEnd = false
    /// Connections that may have something to write at the end of this turn.
    var withOutput: Set<Int> = []
    /// The latest instant an anchor was given for: remotes take an earlier one for an older one.
    var latestAnchor = SteadyTime(nanoseconds: 0)
    /// What the event at hand asks of its connections, to be done at once.
    var pending: [HostAction] = []
    /// What this turn asks of sound, store and log.
    ///
    /// It waits until remotes have been told: each of these wakes another thread, which on a busy core runs first
    /// (told 0.1 ms later, measured on two cores).
    var orders: [HostAction] = []

    /// A host without a session, which takes `maximumConnections` remotes at once.
    package init(card: HostCard, clock: ServerClock, maximumConnections: Int = Limits.connections, now: SteadyTime) {
        self.card = card
        self.clock = clock
        doorkeeper = Doorkeeper(places: maximumConnections)
        transport = TransportMachine(clock: clock)
        sweepAt = now + Self.sweepInterval
    }

    // MARK: Sound

    /// Applies a command that no remote sent.
    package mutating func command(_ command: Command, now: SteadyTime) -> [HostAction] {
        perform(transport.handle(command, from: .host, asker: nil, now: now), now)
        return takePending()
    }

    /// Takes what the sound reports.
    package mutating func engineReported(_ event: EngineEvent, now: SteadyTime) -> [HostAction] {
        perform(transport.handle(event, now: now), now)
        return takePending()
    }

    /// Says goodbye to every remote and hands over the position; the machine is of no use afterwards.
    package mutating func stop(now: SteadyTime) -> [HostAction] {
        if let state = transport.listeningState(at: now) { orders.append(.save(state)) }
        for id in connections.keys.sorted() {
            // All of them at once, however many: the host waits for none.
            guard connections[id]?.machine.goodbye(.shutdown).isEmpty == false else { continue }
            startClosing(id, now)
            pending.append(.write(id))
        }
        return takePending() + takeOrders()
    }

    // MARK: Time

    /// When `tick` has something to do.
    package var nextDeadline: SteadyTime {
        var deadline = sweepAt
        if let next = transport.nextDeadline { deadline = min(deadline, next) }
        if let next = gate.nextDeadline { deadline = min(deadline, next) }
        if let next = errands.first?.at { deadline = min(deadline, next) }
        return deadline
    }

    /// Does what is due.
    package mutating func tick(now: SteadyTime) -> [HostAction] {
        perform(transport.tick(now: now), now)
        if gate.tick(now: now) { staleViews.insert(.snapshot) }
        while let errand = errands.first, errand.at <= now {
            errands.removeFirst()
            run(errand)
        }
        if sweepAt <= now {
            sweepAt = now + Self.sweepInterval
            sweep(now)
        }
        return takePending()
    }

    mutating func takePending() -> [HostAction] {
        defer { pending = [] }
        return pending
    }

    mutating func takeOrders() -> [HostAction] {
        defer { orders = [] }
        return orders
    }

    /// Carries out what the transport wants, as far as it is the machine's own business.
    mutating func perform(_ actions: [TransportAction], _ now: SteadyTime) {
        for action in actions {
            switch action {
            case .engine(let request): orders.append(.engine(request))
            case .reply(let asker, let error): reply(to: asker, error, now)
            case .changed(let change): staleViews.formUnion(change)
            case .save(let state): orders.append(.save(state))
            case .note(let note): orders.append(.note(note))
            }
        }
    }
}
