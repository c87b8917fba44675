package import WireProtocol

/// One remote's connection as the host sees it: bytes and time in, messages and bytes out; no socket.
package struct ConnectionMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// Answer by `reply` exactly once.
        case deliver(Command, id: MessageID?, from: Peer)
        /// The remote introduced itself: push metadata, snapshot, and cues unless it holds them.
        case subscribe(RemoteHello)
        /// Close once what waits has been written; `reason` is for the log.
        case close(reason: String)
    }

    /// Who a remote says it is.
    package struct Peer: Equatable, Sendable {
        package var id: String
        package var name: String
    }

    enum State: Equatable, Sendable {
        /// Nothing but the greeting has passed.
        case silent
        /// Frames have come, no `hello`: it gets replies only.
        case anonymous
        case subscribed(Peer)
        /// What waits is still written, nothing more is read.
        case closing
    }

    private enum Arrival: Sendable {
        case frame(LineFramer.Frame)
        /// The first byte of another protocol.
        case foreign
    }

    /// Seconds of silence after which the host asks a subscribed remote whether it is there.
    ///
    /// One without `hello` gets replies only, so it is never asked.
    package static let probeAfter = Limits.idleSeconds / 2

    private(set) var state = State.silent
    private var framer = LineFramer()
    private var arrivals: ArraySlice<Arrival> = []
    private var commands: TokenBucket
    private var pongBytes: TokenBucket
    private var hellos: TokenBucket
    private var pace: InputPace
    /// When the frame began that is still without its end.
    private var frameBegan: SteadyTime?
    private var outbox = Outbox()
    private var faultsInARow = 0
    private let connectedAt: SteadyTime
    private var lastHeard: SteadyTime
    private var hasProbed = false
    /// A byte other than a space or line end has come: it tells this protocol from others, in whatever pieces.
    private var hasBegun = false
    /// The peer left its replies unread: nothing more is kept for it.
    private var isDropped = false

    /// A new connection, to which `greeting`, the host's `hello` line, is sent first.
    package init(greeting: [UInt8], now: SteadyTime, pongBytesPerSecond: Int = Limits.pongBytesPerSecond) {
        connectedAt = now
        lastHeard = now
        commands = TokenBucket(burst: Limits.commandBurst, perSecond: Limits.commandsPerSecond, now: now)
        pongBytes = TokenBucket(burst: pongBytesPerSecond, perSecond: pongBytesPerSecond, now: now)
        hellos = TokenBucket(burst: Limits.helloBurst, perSecond: Limits.hellosPerSecond, now: now)
        pace = InputPace(now: now)
        _ = outbox.reply(greeting)
    }

    package var isClosing: Bool { state == .closing }
    /// It has said something that could be understood.
    package private(set) var hasSpoken = false
    /// When to read on, for a peer that says more than it may; `nil` at once.
    package var restsUntil: SteadyTime? { pace.restsUntil }

    package var isSubscribed: Bool {
        if case .subscribed = state { true } else { false }
    }

    // MARK: Reading

    /// Takes what the socket gave; then ask `nextActions` until it has none.
    package mutating func receive(_ bytes: some Collection<UInt8>, now: SteadyTime) {
        guard state != .closing else { return }
        lastHeard = now
        hasProbed = false
        if !hasBegun, let first = bytes.first(where: { !Self.isBlank($0) }) {
            hasBegun = true
            if first != UInt8(ascii: "{") {
                arrivals = [.foreign]
                return
            }
        }
        let wasBetweenFrames = framer.pendingBytes == 0
        var frames = 0
        framer.append(bytes) {
            arrivals.append(.frame($0))
            frames += 1
        }
        pace.took(bytes: bytes.count, frames: frames, now: now)
        if framer.pendingBytes == 0 {
            frameBegan = nil
        } else if wasBetweenFrames || frames > 0 {
            frameBegan = now
        }
    }

    /// What the next frame asks for, `nil` when there is none; `date` is the host's for a `pong`.
    ///
    /// One frame at a time, so that the answers to several in one packet leave in the order of the questions.
    package mutating func nextActions(now: SteadyTime, date: WireDate) -> [Action]? {
        guard state != .closing, !arrivals.isEmpty else {
            arrivals = []
            return nil
        }
        switch arrivals.removeFirst() {
        case .frame(.line(let line)):
            return take(RemoteFrame(line: line), now, date)
        case .frame(.tooLarge):
            let error = WireError(.frameTooLarge, "A frame has at most \(Limits.frameBytes) bytes.")
            return fault(error, id: nil) + close("frame too large")
        case .foreign:
            // Neither a typing person nor a program begins like this; a scanner or an HTTP client does.
            let error = WireError(.malformed, "This port speaks JSON, one object per line; see the protocol.")
            return fault(error, id: nil) + close("not this protocol")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09
    }

    private mutating func take(_ frame: RemoteFrame, _ now: SteadyTime, _ date: WireDate) -> [Action] {
        if state == .silent { state = .anonymous }
        switch frame.content {
        case .failure(let error):
            return fault(error, id: frame.id)
        case .success(let message):
            hasSpoken = true
            let faultsBefore = faultsInARow
            let actions = take(message, id: frame.id, now, date)
            // One that can be read and not be answered is faulty too.
            if faultsInARow == faultsBefore { faultsInARow = 0 }
            return actions
        }
    }

    private mutating func take(
        _ message: RemoteMessage, id: MessageID?, _ now: SteadyTime, _ date: WireDate
    ) -> [Action] {
        switch message {
        case .hello(let hello):
            guard hellos.take(now: now) else {
                return refuse("At most \(Limits.hellosPerSecond) hello a second; this one was dropped.", id: id)
            }
            return greet(hello, id: id)
        case .command(let command):
            guard commands.take(now: now) else {
                return refuse("At most \(Limits.commandsPerSecond) commands a second; this one was dropped.", id: id)
            }
            if case .describe(let name) = command { return describe(name, id: id) }
            return [.deliver(command, id: id, from: peer)]
        case .ping(let payload):
            guard pongBytes.hasSome(now: now) else {
                return refuse("At most \(Limits.pongBytesPerSecond) bytes of pongs a second.", id: id)
            }
            return answer(Pong(payload: payload, serverDate: date), to: id)
        case .pong: return []
        case .goodbye: return close("goodbye")
        }
    }

    private var peer: Peer {
        if case .subscribed(let peer) = state { peer } else { Peer(id: "unnamed", name: "") }
    }

    private mutating func greet(_ hello: RemoteHello, id: MessageID?) -> [Action] {
        guard hello.protocolVersion == 1 else {
            let error = WireError(
                .unsupportedProtocol, "This host speaks protocol 1, the remote \(hello.protocolVersion).")
            return fault(error, id: id) + close("protocol \(hello.protocolVersion)")
        }
        state = .subscribed(Peer(id: hello.remoteID, name: hello.remoteName))
        return [.subscribe(hello)]
    }

    /// A pong is longer than its ping: by the date, and fiftyfold where that wrote numbers with exponents; and deeper
    /// by the object around a payload that is none.
    private mutating func answer(_ pong: Pong, to id: MessageID?) -> [Action] {
        guard pong.depth <= Limits.jsonDepth else {
            return fault(WireError(.invalidArgument, "The pong to this ping would be nested too deep."), id: id)
        }
        guard let line = HostMessage.pong(pong).lineWithinFrame(re: id) else {
            pongBytes.spend(Limits.frameBytes)
            return fault(WireError(.invalidArgument, "The pong to this ping would be longer than a frame."), id: id)
        }
        pongBytes.spend(line.count)
        return reply(line)
    }

    /// What needs neither a session nor the host.
    private mutating func describe(_ name: String?, id: MessageID?) -> [Action] {
        switch SchemaShelf.answer(name: name) {
        case .success(let schema): return reply(.schema(schema), to: id)
        case .failure(let error): return fault(error, id: id)
        }
    }

    private mutating func refuse(_ sentence: String, id: MessageID?) -> [Action] {
        reply(.error(WireError(.tooManyRequests, sentence)), to: id)
    }

    private mutating func fault(_ error: WireError, id: MessageID?) -> [Action] {
        faultsInARow += 1
        let actions = reply(.error(error), to: id)
        return faultsInARow >= Limits.faultyFramesInARow ? actions + close("too many faulty frames") : actions
    }

    private mutating func close(_ reason: String) -> [Action] {
        guard state != .closing else { return [] }
        state = .closing
        outbox.dropPushes()
        return [.close(reason: reason)]
    }

    // MARK: Writing

    /// Queues the one answer to a delivered command; the actions close a connection that does not read.
    package mutating func reply(_ message: HostMessage, to id: MessageID?) -> [Action] {
        reply(message.line(re: id))
    }

    private mutating func reply(_ line: [UInt8]) -> [Action] {
        guard !isDropped else { return [] }
        guard outbox.reply(line) else {
            // It would not read a goodbye either.
            outbox = Outbox()
            isDropped = true
            return close("too many unread replies")
        }
        return []
    }

    /// Queues a push for a subscribed remote; an older one of the kind that still waits is replaced.
    package mutating func push(metadata: [UInt8]?, snapshot: [UInt8]?) {
        guard isSubscribed else { return }
        if let metadata { outbox.push(metadata: metadata) }
        if let snapshot { outbox.push(snapshot: snapshot) }
    }

    package mutating func push(cues: CueShelf) {
        guard isSubscribed else { return }
        outbox.push(cues: cues.lines)
    }

    package mutating func pushSessionEnded() {
        guard isSubscribed else { return }
        outbox.pushSessionEnded(HostMessage.sessionEnded.line())
    }

    /// Says goodbye and reads no more.
    package mutating func goodbye(_ reason: GoodbyeReason) -> [Action] {
        guard state != .closing else { return [] }
        _ = outbox.reply(HostMessage.goodbye(reason).line())
        return close(reason.text)
    }

    /// The next bytes for the socket, to be asked for only when the previous ones are written.
    package mutating func nextOutput() -> [UInt8]? {
        outbox.next()
    }

    // MARK: Time

    /// When `tick` has something to do.
    package var nextDeadline: SteadyTime? {
        switch state {
        case .closing: nil
        case .silent: connectedAt + Limits.secondsToFirstFrame
        case .anonymous: min(lastHeard + Limits.idleSeconds, frameDeadline)
        case .subscribed: min(lastHeard + (hasProbed ? Limits.idleSeconds : Self.probeAfter), frameDeadline)
        }
    }

    private var frameDeadline: SteadyTime {
        frameBegan.map { $0 + Limits.secondsPerFrame } ?? SteadyTime(nanoseconds: .max)
    }

    package mutating func tick(now: SteadyTime) -> [Action] {
        guard let deadline = nextDeadline, now >= deadline else { return [] }
        if state != .silent, now - lastHeard < Limits.idleSeconds, now < frameDeadline {
            hasProbed = true
            _ = outbox.reply(HostMessage.ping(.object([])).line())
            return []
        }
        return goodbye(.timeout)
    }
}
