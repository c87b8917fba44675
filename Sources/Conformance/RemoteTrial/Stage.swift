package import WireProtocol

/// Where a trial is played: the judge's host, what the remote has done so far, and what is to be done next.
package struct Stage: Sendable {
    struct Connection: Sendable {
        let number: Int
        let opened: SteadyTime
        var isOpen = true
        /// When it was let go, by either side.
        var ended: SteadyTime?
        var endedByRemote = false
        /// When the remote's first hello came.
        var greeted: SteadyTime?
        /// When the judge last sent something on it.
        var lastSent: SteadyTime
        var framer = LineFramer()
    }

    /// A line of the remote.
    package struct Received: Sendable {
        let time: SteadyTime
        let connection: Int
        let line: [UInt8]
        let frame: RemoteFrame
        let value: JSONValue?
        /// The ids that waited for a reply when it came.
        let idsWaiting: Set<MessageID>
    }

    /// Something with the moment it happened.
    struct Timed<Content: Sendable>: Sendable {
        let time: SteadyTime
        let content: Content
    }

    private struct LaterLine: Sendable {
        let time: SteadyTime
        let connection: Int
        let line: [UInt8]
        let settles: MessageID?
    }

    /// Lines that are kept of what a remote sends, and of what it says; a thousand a second would be a flood already.
    static let maximumLines = 20_000

    let pace: Pace
    /// A word that no other trial has.
    let name: String
    private let start: SteadyTime
    /// Milliseconds since 1970 at `start`, by the machine's clock.
    private let wall: Int64
    package internal(set) var now: SteadyTime

    var host = HostScript()
    /// What is played; `nil` where nothing is.
    var film: TrialFilm?
    /// Films made before the play begins, for later.
    var spares: [TrialFilm] = []

    private(set) var connections: [Connection] = []
    package private(set) var received: [Received] = []
    private(set) var said: [Timed<String>] = []
    private(set) var typed: [Timed<String>] = []
    /// Lines past the limit.
    private(set) var oversizeLines = 0
    /// Whether it has sent more lines than are kept.
    private(set) var hasFlooded = false
    private(set) var hasExited = false
    /// How it ended, such as `with code 2`, where that is known.
    private(set) var exit: String?
    private(set) var unanswered: Set<MessageID> = []
    private var later: [LaterLine] = []
    private var actions: [TrialAction] = []

    /// Set by `mark`: what came before no longer counts for `commands` and `spoken`.
    private(set) var markedReceived = 0
    private(set) var markedSaid = 0
    private(set) var markedAt: SteadyTime
    /// When the state was last asked for, and how many lines had been said then.
    private(set) var asked: (time: SteadyTime, said: Int)?
    private(set) var pongCount = 0
    private var pongsWanted = 0
    var timings: [Check.Timing] = []

    init(name: String, pace: Pace, now: SteadyTime, wallMilliseconds: Int64) {
        self.name = name
        self.pace = pace
        self.now = now
        start = now
        wall = wallMilliseconds
        markedAt = now
        film = TrialFilm(
            sessionID: "film-\(name)", title: "Night Train \(name)", cues: TrialFilm.shortCues(name), anchor: now)
    }

    // MARK: Time

    /// The host's date at a moment, cut to milliseconds as on the wire.
    func date(_ time: SteadyTime) -> WireDate {
        WireDate(milliseconds: wall + Int64(((time - start + host.skew) * 1000).rounded(.down)))
    }

    /// The moment of a host's date.
    func moment(of date: WireDate) -> SteadyTime {
        start + (Double(date.milliseconds - wall) / 1000 - host.skew)
    }

    /// The latest moment that is a whole millisecond of the host's clock.
    var wholeMillisecond: SteadyTime { moment(of: date(now)) }

    var nextLater: SteadyTime? { later.map(\.time).min() }

    mutating func takeActions() -> [TrialAction] {
        defer { actions = [] }
        return actions
    }

    /// Whether the pong of the last marked ping has come.
    var hasMarkedPong: Bool { pongCount >= pongsWanted }

    // MARK: What is done

    mutating func type(_ lines: [String]) {
        typed += lines.map { Timed(time: now, content: $0) }
        actions.append(.type(Array(lines.map { $0 + "\n" }.joined().utf8)))
    }

    mutating func mark() {
        (markedReceived, markedSaid, markedAt) = (received.count, said.count, now)
    }

    mutating func ask() {
        asked = (now, said.count)
        type([""])
    }

    /// Sends `line`, `delay` seconds from now; `id` is that of the question it answers.
    mutating func send(
        _ line: [UInt8], on connection: Int? = nil, answering id: MessageID? = nil, after delay: Double = 0
    ) {
        guard let number = connection ?? openConnection?.number else { return }
        guard delay > 0 || later.contains(where: { $0.connection == number }) else {
            connections[number - 1].lastSent = now
            if let id { unanswered.remove(id) }
            return actions.append(.send(line, connection: number))
        }
        // A stream keeps its order: nothing overtakes what is held back.
        let last = later.filter { $0.connection == number }.map(\.time).max() ?? now
        later.append(LaterLine(time: max(last, now + delay), connection: number, line: line, settles: id))
    }

    mutating func send(_ message: HostMessage, after delay: Double = 0) {
        send(message.line(), after: delay)
    }

    /// Ends the connection now open.
    mutating func close(_ ending: TrialAction.Ending) {
        guard let number = openConnection?.number else { return }
        finish(number, byRemote: false)
        actions.append(.close(connection: number, ending))
    }

    /// Sends a ping of the host's own, whose pong is waited for.
    mutating func sendMarkedPing() {
        pongsWanted = pongCount + 1
        send(.ping(.object([])))
    }

    mutating func listen(_ isListening: Bool) {
        actions.append(.listen(isListening))
    }

    mutating func sendWhatIsDue() {
        let due = later.filter { $0.time <= now }
        guard !due.isEmpty else { return }
        later.removeAll { $0.time <= now }
        for line in due where connections[line.connection - 1].isOpen {
            connections[line.connection - 1].lastSent = now
            if let id = line.settles { unanswered.remove(id) }
            actions.append(.send(line.line, connection: line.connection))
        }
    }

    // MARK: What happens

    mutating func connected(_ number: Int) {
        // A remote has one connection; what it has left without a word counts for nothing.
        connections.append(Connection(number: number, opened: now, lastSent: now))
        switch host.welcome {
        case .hello: send(hello.line(), on: number)
        case .closed:
            finish(number, byRemote: false)
            actions.append(.close(connection: number, .abrupt))
        case .turnedAway:
            send(hello.line(), on: number)
            send(HostMessage.error(WireError(.tooManyRequests, "There are enough remotes.")).line(), on: number)
            send(HostMessage.goodbye(.other("full")).line(), on: number)
            finish(number, byRemote: false)
            actions.append(.close(connection: number, .orderly))
        }
    }

    mutating func ended(_ number: Int) {
        if connections[number - 1].isOpen { finish(number, byRemote: true) }
    }

    private mutating func finish(_ number: Int, byRemote: Bool) {
        connections[number - 1].isOpen = false
        connections[number - 1].ended = now
        connections[number - 1].endedByRemote = byRemote
        later.removeAll { $0.connection == number }
        unanswered = []
    }

    mutating func received(_ bytes: some Collection<UInt8>, _ number: Int) {
        guard connections[number - 1].isOpen else { return }
        var frames: [LineFramer.Frame] = []
        connections[number - 1].framer.append(bytes) { frames.append($0) }
        for frame in frames {
            guard case .line(let line) = frame else {
                oversizeLines += 1
                continue
            }
            guard received.count < Self.maximumLines else {
                hasFlooded = true
                continue
            }
            let read = RemoteFrame(line: line)
            received.append(
                Received(
                    time: now, connection: number, line: line, frame: read, value: try? JSONReader.value(of: line),
                    idsWaiting: unanswered))
            if case .success(.hello) = read.content, connections[number - 1].greeted == nil {
                connections[number - 1].greeted = now
            }
            if case .success(.pong) = read.content { pongCount += 1 }
            if case .success(.command) = read.content, let id = read.id { unanswered.insert(id) }
            answer(read, on: number)
        }
    }

    mutating func said(_ line: String) {
        guard said.count < Self.maximumLines else { return }
        said.append(Timed(time: now, content: line))
    }

    mutating func exited(_ how: String?) {
        (hasExited, exit) = (true, how)
    }
}
