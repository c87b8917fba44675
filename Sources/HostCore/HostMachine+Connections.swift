internal import Hub
internal import Playback
package import WireProtocol

extension HostMachine {
    /// How many connections there are, closing ones included.
    package var connectionCount: Int { connections.count }

    /// A remote has connected; `id` is new, and names the connection from now on.
    package mutating func connect(_ id: Int, now: SteadyTime) -> [HostAction] {
        precondition(connections[id] == nil, "a connection has an id of its own")
        let hello = HostHello(
            hostID: card.id, hostName: card.name, software: card.software, serverDate: clock.date(at: now),
            features: Self.features)
        let greeting = HostMessage.hello(hello).line()
        connections[id] = Connection(machine: ConnectionMachine(greeting: greeting, now: now))
        switch doorkeeper.arrived(id) {
        case .welcome: break
        case .welcomeInstead(let other): turnAway(other, now)
        case .full: turnAway(id, now)
        }
        pending.append(.write(id))
        return takePending()
    }

    private mutating func turnAway(_ id: Int, _ now: SteadyTime) {
        let error = WireError(.tooManyRequests, "This host serves \(doorkeeper.places) remotes at once.")
        _ = connections[id]?.machine.reply(.error(error), to: nil)
        guard let actions = connections[id]?.machine.goodbye(.other("full")) else { return }
        perform(actions, on: id, now)
        pending.append(.write(id))
    }

    /// Cuts off the connection that has been silent longest, where there is one: the system has no room for another.
    package mutating func makeRoom() -> [HostAction] {
        guard let id = doorkeeper.longestSilent else { return [] }
        disconnected(id)
        return [.cut(id)]
    }

    /// Until when that connection is not to be read, since it says more than it may; `nil` for one that may go on.
    package func restsUntil(_ id: Int) -> SteadyTime? {
        connections[id]?.machine.restsUntil
    }

    /// Takes what the socket gave; then ask `nextActions` until it has none.
    package mutating func receive(_ bytes: some Collection<UInt8>, on id: Int, now: SteadyTime) {
        connections[id]?.machine.receive(bytes, now: now)
    }

    /// What the next frame of that connection asks for, `nil` when there is none.
    ///
    /// One frame at a time: its reply is written before the next is read, so that the replies to many commands of one
    /// packet do not pile up against the limit of unread ones.
    package mutating func nextActions(on id: Int, now: SteadyTime) -> [HostAction]? {
        let wasSilent = connections[id]?.machine.hasSpoken == false
        guard let actions = connections[id]?.machine.nextActions(now: now, date: clock.date(at: now)) else {
            return nil
        }
        if wasSilent, connections[id]?.machine.hasSpoken == true, !doorkeeper.spoke(id) {
            turnAway(id, now)
        } else {
            perform(actions, on: id, now)
        }
        if pending.last != .write(id) { pending.append(.write(id)) }
        return takePending()
    }

    /// The connection is no more.
    package mutating func disconnected(_ id: Int) {
        doorkeeper.left(id)
        guard let connection = connections.removeValue(forKey: id) else { return }
        withOutput.remove(id)
        if let name = connection.name { orders.append(.remote(.left(name: name, hadStayed: connection.hasStayed))) }
    }

    /// The next bytes for that connection's socket, to be asked for only when the previous ones are written.
    package mutating func nextOutput(of id: Int) -> [UInt8]? {
        connections[id]?.machine.nextOutput()
    }

    mutating func perform(_ actions: [ConnectionMachine.Action], on id: Int, _ now: SteadyTime) {
        for action in actions {
            switch action {
            case .deliver(let command, let message, let peer):
                let asker = Asker(connection: id, message: message)
                if case .requestCueChunk(let request) = command {
                    answer(request, to: asker, now)
                } else {
                    let source = Source.remote(id: peer.id, name: peer.name)
                    perform(transport.handle(command, from: source, asker: asker, now: now), now)
                }
            case .subscribe(let hello): welcome(id, hello, now)
            case .close: close(id, now)
            }
        }
    }

    private mutating func close(_ id: Int, _ now: SteadyTime) {
        guard doorkeeper.mayTakeLeave(id) else {
            pending.append(.cut(id))
            disconnected(id)
            return
        }
        startClosing(id, now)
    }

    mutating func startClosing(_ id: Int, _ now: SteadyTime) {
        pending.append(.close(id))
        // A peer that does not read would keep it open.
        errands.append(Errand(at: now + Errand.delay, kind: .cut, connection: id))
    }

    /// Everything a remote needs to show the film, in one go.
    private mutating func welcome(_ id: Int, _ hello: RemoteHello, _ now: SteadyTime) {
        introduce(id, hello.remoteName.isEmpty ? SafeText.line(hello.remoteID) : hello.remoteName, now)
        guard let (metadata, snapshot) = views(now) else {
            connections[id]?.machine.pushSessionEnded()
            return
        }
        connections[id]?.machine.push(
            metadata: HostMessage.metadata(metadata).line(), snapshot: HostMessage.snapshot(snapshot).line())
        connections[id]?.heldCues = hello.cues
        if let shelf { connections[id]?.push(cues: shelf) }
    }

    private mutating func introduce(_ id: Int, _ name: String, _ now: SteadyTime) {
        let isNew = connections[id]?.name == nil
        connections[id]?.name = name
        guard isNew else { return }
        orders.append(.remote(.joined(name: name)))
        errands.append(Errand(at: now + Errand.delay, kind: .tellOfStay, connection: id))
    }

    private mutating func answer(_ request: CueChunkRequest, to asker: Asker, _ now: SteadyTime) {
        guard let shelf, transport.hasSession else { return reply(.error(Self.noSession), to: asker, now) }
        switch shelf.answer(request) {
        case .success(let chunk): reply(.cueChunk(chunk), to: asker, now)
        case .failure(let error): reply(.error(error), to: asker, now)
        }
    }

    static let noSession = WireError(.noSession, "No session is active on this host.")

    /// Answers with a snapshot taken now, or with the error.
    mutating func reply(to asker: Asker, _ error: WireError?, _ now: SteadyTime) {
        if let error { return reply(.error(error), to: asker, now) }
        guard let snapshot = transport.snapshot(at: max(now, latestAnchor)) else {
            return reply(.error(Self.noSession), to: asker, now)
        }
        noteAnchor(snapshot)
        reply(.snapshot(snapshot), to: asker, now)
    }

    private mutating func reply(_ message: HostMessage, to asker: Asker, _ now: SteadyTime) {
        guard let actions = connections[asker.connection]?.machine.reply(message, to: asker.message) else { return }
        perform(actions, on: asker.connection, now)
        pending.append(.write(asker.connection))
    }

    mutating func run(_ errand: Errand) {
        let id = errand.connection
        switch errand.kind {
        case .cut:
            guard connections[id] != nil else { return }
            pending.append(.cut(id))
            disconnected(id)
        case .tellOfStay:
            guard let name = connections[id]?.name else { return }
            connections[id]?.hasStayed = true
            orders.append(.remote(.stayed(name: name)))
        }
    }

    mutating func sweep(_ now: SteadyTime) {
        for id in connections.keys.sorted() {
            guard let actions = connections[id]?.machine.tick(now: now) else { continue }
            perform(actions, on: id, now)
            withOutput.insert(id)
        }
    }
}
