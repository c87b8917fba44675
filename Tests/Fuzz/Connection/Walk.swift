import FuzzKit
import Hub
import WireProtocol

/// A connection machine, and a plain model of what it owes.
struct Walk {
    /// A line that is owed, in order; pushes are not among them.
    enum Owed: Equatable {
        case greeting, probe, goodbye
        /// The machine's own answer: a pong or an error.
        case answer(MessageID?)
        /// The host's answer to a delivered command.
        case reply(Int, to: MessageID?)
    }

    static let greeting = HostMessage.hello(
        HostHello(
            hostID: "h1", hostName: "Host", software: "fuzz", serverDate: WireDate(milliseconds: 0), features: [])
    ).line()

    var machine: ConnectionMachine
    var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    let date = WireDate(milliseconds: 1_750_000_000_000)
    let start: SteadyTime
    var lastHeard: SteadyTime
    var framer = LineFramer()
    /// The first byte that is no space or line end has been seen.
    var hasBegun = false
    var hasFrame = false
    /// When the unfinished frame began, if there is one.
    var frameBegan: SteadyTime
    var hellos = 0
    var delivered: [MessageID?] = []
    var lastReply = 0
    var owed: [Owed] = [.greeting]
    /// The newest hello.
    var hello: RemoteHello?
    var isClosed = false
    var isDropped = false
    var pushed = 0

    init() {
        machine = ConnectionMachine(greeting: Self.greeting, now: now)
        (start, lastHeard, frameBegan) = (now, now, now)
    }

    // MARK: What comes in

    mutating func receive(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        machine.receive(bytes, now: now)
        if isClosed {
            return must(machine.nextActions(now: now, date: date) == nil, "a closed connection reads nothing")
        }
        lastHeard = now
        if !hasBegun, let first = bytes.first(where: { ![0x0A, 0x0D, 0x20, 0x09].contains($0) }) {
            hasBegun = true
            if first != UInt8(ascii: "{") {
                take(expecting: .answer(nil), closing: true)
                return must(machine.nextActions(now: now, date: date) == nil, "nothing follows another protocol")
            }
        }
        let wasBetweenFrames = framer.pendingBytes == 0
        var frames: [LineFramer.Frame] = []
        framer.append(bytes) { frames.append($0) }
        if wasBetweenFrames || !frames.isEmpty { frameBegan = now }
        must(machine.restsUntil.map { $0 > now } ?? true, "who says too much is listened to later")
        for frame in frames where !isClosed { take(frame) }
        must(machine.nextActions(now: now, date: date) == nil, "there are no more actions than frames")
    }

    private mutating func take(_ frame: LineFramer.Frame) {
        hasFrame = true
        guard case .line(let line) = frame else { return take(expecting: .answer(nil), closing: true) }
        let frame = RemoteFrame(line: line)
        switch frame.content {
        case .failure: take(expecting: .answer(frame.id), closing: nil)
        case .success(.ping): take(expecting: .answer(frame.id), closing: nil)
        case .success(.pong): take(expecting: nil, closing: false)
        case .success(.goodbye): take(expecting: nil, closing: true)
        case .success(.hello(let hello)) where hello.protocolVersion != 1:
            hellos += 1
            // One too many is refused for that, whatever it says.
            take(expecting: .answer(frame.id), closing: hellos > Limits.helloBurst ? nil : true)
        case .success(.hello(let hello)):
            guard let actions = machine.nextActions(now: now, date: date) else {
                return must(false, "a hello is taken")
            }
            hellos += 1
            guard actions == [.subscribe(hello)] else {
                must(hellos > Limits.helloBurst, "some hellos are always welcome")
                owed.append(.answer(frame.id))
                return note(actions)
            }
            must(machine.isSubscribed, "a hello subscribes")
            self.hello = hello
        case .success(.command(let command)):
            guard let actions = machine.nextActions(now: now, date: date) else {
                return must(false, "a command is taken")
            }
            guard case .deliver(let taken, let id, let sender)? = actions.first, actions.count == 1 else {
                // Too many of them.
                owed.append(.answer(frame.id))
                return note(actions)
            }
            must(taken == command && id == frame.id, "a command is delivered as it was sent")
            must(sender.id == hello?.remoteID ?? "unnamed" && sender.name == hello?.remoteName ?? "", "by its sender")
            delivered.append(id)
        }
    }

    /// Takes a frame's actions, which may be a close and nothing else; with `closing` `nil` it need not be.
    private mutating func take(expecting answer: Owed?, closing: Bool?) {
        guard let actions = machine.nextActions(now: now, date: date) else { return must(false, "a frame is taken") }
        if let answer { owed.append(answer) }
        note(actions)
        if let closing, !isDropped { must(isClosed == closing, "the frame \(closing ? "closes" : "does not close")") }
    }

    mutating func note(_ actions: [ConnectionMachine.Action]) {
        for action in actions {
            guard case .close(let reason) = action else { return must(false, "only a close is expected") }
            must(!isClosed, "a connection closes once")
            isClosed = true
            if reason == "too many unread replies" { dropped() }
        }
        must(machine.isClosing == isClosed, "a close is told")
    }

    private mutating func dropped() {
        isDropped = true
        owed = []
    }

    // MARK: What the host does

    mutating func reply(_ place: Int, isLong: Bool) {
        guard !delivered.isEmpty else { return }
        let id = delivered.remove(at: place % delivered.count)
        lastReply += 1
        let wasClosed = isClosed
        if !isDropped { owed.append(.reply(lastReply, to: id)) }
        note(machine.reply(isLong ? Line.chunk("reply", lastReply) : Line.snapshot("reply", lastReply), to: id))
        // A connection that closes already is dropped without a word.
        var copy = machine
        if wasClosed, !isDropped, copy.nextOutput() == nil { dropped() }
    }

    mutating func push(metadata: Bool, snapshot: Bool) {
        pushed += 1
        machine.push(
            metadata: metadata ? Line.pushed(metadata: pushed) : nil,
            snapshot: snapshot ? Line.snapshot("push", pushed).line() : nil)
    }

    mutating func goodbye() {
        if !isClosed { owed.append(.goodbye) }
        note(machine.goodbye(.shutdown))
        must(isClosed, "a goodbye closes")
    }

    mutating func tick() {
        let isDue = machine.nextDeadline.map { $0 <= now } ?? false
        let wasClosed = isClosed
        let actions = machine.tick(now: now)
        if isDue { owed.append(actions.isEmpty ? .probe : .goodbye) }
        note(actions)
        if wasClosed { return must(actions.isEmpty && !isDue, "a closed connection has no deadline") }
        let isLate =
            now - lastHeard >= Limits.idleSeconds
            || (hasFrame
                ? framer.pendingBytes > 0 && now - frameBegan >= Limits.secondsPerFrame
                : now - start >= Limits.secondsToFirstFrame)
        must(isClosed == isLate, "a silent peer is given up, a living one is not")
        if !isClosed { must(machine.nextDeadline.map { $0 > now } ?? false, "after a tick the next one lies ahead") }
    }
}
