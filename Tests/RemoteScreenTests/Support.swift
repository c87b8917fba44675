import RemoteCore
import TextScreen
import WireProtocol

@testable import RemoteScreen

/// Virtual time: seconds after an arbitrary start.
func at(_ seconds: Double) -> SteadyTime {
    SteadyTime(nanoseconds: 1_000_000_000_000) + seconds
}

/// As terminals measure the texts of these tests: CJK letters and pictures are wide, marks of Hebrew and accents narrow.
let measure = TextMeasure { scalar in
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: -1
    case 0x300...0x36F, 0x591...0x5C7, 0x200B...0x200F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1FAFF: 2
    default: 1
    }
}

func someCues(_ count: Int) -> [Cue] {
    (0..<count).map { Cue(index: $0 + 1, start: Double($0) * 4, end: Double($0) * 4 + 3, text: "Line \($0 + 1)") }
}

let laptop = HostEntry(id: "laptop-id", name: "Laptop", address: "192.168.1.5:42557", isOnThisMachine: false)
let tower = HostEntry(id: "tower-id", name: "Tower", address: "192.168.1.6:42557", isOnThisMachine: true)

/// A host in virtual time that does what it is told.
struct FilmHost {
    var sessionID = "film"
    var title = "The Night Train"
    var tracks = [("a", "Español"), ("b", "Deutsch")]
    var track = "a"
    var cues: [Cue] = someCues(100)
    var duration = 400.0
    var position = 0.0
    /// When it stood there.
    var since = at(0)
    var isPlaying = false
    var volume: Double? = 0.5
    var by: String?
    var output: Snapshot.Output?

    func position(_ now: SteadyTime) -> Double {
        min(duration, position + (isPlaying ? max(0, now - since) : 0))
    }

    mutating func move(to position: Double, _ now: SteadyTime) {
        (self.position, since) = (min(duration, max(0, position)), now)
    }

    mutating func apply(_ command: Command, by: String?, _ now: SteadyTime) {
        let here = position(now)
        self.by = by
        switch command {
        case .play, .pause, .togglePlayPause:
            move(to: here, now)
            isPlaying = command == .play || (command == .togglePlayPause && !isPlaying)
        case .skip(let seconds): move(to: here + seconds, now)
        case .seek(let time): move(to: time, now)
        case .switchTrack(let id):
            move(to: here, now)
            track = id
        case .setVolume(let value): volume = value
        case .requestCueChunk, .describe: break
        }
    }

    func date(_ now: SteadyTime) -> WireDate {
        WireDate(milliseconds: 1_790_000_000_000 + Int64(((now - at(0)) * 1000).rounded()))
    }

    func snapshot(_ now: SteadyTime) -> Snapshot {
        Snapshot(
            sessionID: sessionID, revision: 1, currentTime: position(now), duration: duration,
            currentIndex: CueTimeline(cues).currentIndex(at: position(now)), isPlaying: isPlaying,
            serverDate: date(now), activeTrackID: track, volume: volume, output: output)
    }

    func metadata(_ now: SteadyTime) -> SessionMetadata {
        SessionMetadata(
            sessionID: sessionID, revision: 1, title: title, duration: duration, cueCount: cues.count,
            cueDigest: CueBundle.digest(of: cues), isPlaying: isPlaying, currentTime: position(now),
            serverDate: date(now), tracks: tracks.map { .init(id: $0.0, label: $0.1) }, activeTrackID: track, by: by)
    }
}

/// A screen with a connection machine behind it, and a host behind that.
struct Stage {
    var machine = RemoteMachine(.init(remoteID: "remote", remoteName: "This phone", seed: 7))
    var screen: RemoteScreen
    var reader = PlainReader()
    var host: FilmHost
    var now = at(0)
    /// Whether the host answers at once.
    var answers = true
    private var attempt = 0
    private var unanswered: [(id: Int, command: Command)] = []
    private(set) var intents: [RemoteScreen.Intent] = []
    private(set) var said: [String] = []

    init(
        _ size: ScreenSize = ScreenSize(columns: 40, rows: 12), host: FilmHost = FilmHost(),
        options: RemoteScreen.Options = .init(), measure: TextMeasure = measure
    ) {
        self.host = host
        var options = options
        options.ownName = "This phone"
        screen = RemoteScreen(options: options, size: size, measure: measure, now: at(0))
        listen()
    }

    /// Connected to the host's film, with its cues.
    static func connected(
        _ size: ScreenSize = ScreenSize(columns: 40, rows: 12), host: FilmHost = FilmHost(),
        options: RemoteScreen.Options = .init(), measure: TextMeasure = measure
    ) -> Stage {
        var options = options
        options.address = options.address ?? "laptop.local"
        var stage = Stage(size, host: host, options: options, measure: measure)
        stage.connect()
        return stage
    }

    mutating func connect(withFilm: Bool = true) {
        note(machine.start(now: now))
        note(machine.connectSucceeded(attempt: attempt, now: now))
        greet()
        guard withFilm else { return }
        push()
        sendCues()
    }

    mutating func greet() {
        receive(
            .hello(
                HostHello(
                    protocolVersion: 1, hostID: "laptop-id", hostName: "Laptop", software: "test",
                    serverDate: host.date(now), features: [])))
    }

    mutating func push() {
        receive(.metadata(host.metadata(now)))
        receive(.snapshot(host.snapshot(now)))
    }

    /// So many chunks, or all.
    mutating func sendCues(_ most: Int = .max) {
        let chunks = CueChunks(CueBundle(sessionID: host.sessionID, revision: 1, cues: host.cues))
        for place in 0..<min(most, chunks.count) { if let chunk = chunks[place] { receive(.cueChunk(chunk)) } }
    }

    mutating func receive(_ message: HostMessage, re: Int? = nil) {
        note(machine.received(message.line(re: re.map { .integer($0) }), attempt: attempt, now: now))
    }

    mutating func lose() { note(machine.closed(attempt: attempt, now: now)) }
    mutating func reconnect() {
        note(machine.tick(now: now))
        note(machine.connectSucceeded(attempt: attempt, now: now))
        greet()
    }

    /// Another remote's doing.
    mutating func other(_ name: String?, _ command: Command) {
        host.apply(command, by: name, now)
        push()
    }

    // MARK: Hand

    mutating func press(_ keys: String) {
        for key in keys { press(.character(key)) }
    }

    mutating func press(_ key: ScreenInput.Key) { give(.input(.key(key))) }

    mutating func tap(_ row: Int, _ column: Int) { give(.input(.tapped(row: row, column: column))) }

    /// Feeds the screen and does what it wants.
    mutating func give(_ event: RemoteScreen.Event) {
        let wanted = screen.handle(event, now: now)
        intents += wanted
        listen()
        for intent in wanted {
            switch intent {
            case .command(let command, let ticket):
                note(machine.command(command, tag: CommandTag(ticket), now: now))
            case .tapSkip(let seconds, let ticket): note(machine.tapSkip(seconds, tag: CommandTag(ticket), now: now))
            case .turnVolume(let value, let ticket):
                note(machine.turnVolume(to: value, tag: CommandTag(ticket), now: now))
            case .connect, .connectTo, .quit, .suspend, .bell, .redraw: break
            }
        }
        if answers { answer() }
    }

    mutating func takeIntents() -> [RemoteScreen.Intent] {
        defer { intents = [] }
        return intents
    }

    // MARK: Machine

    private mutating func note(_ actions: [RemoteAction]) {
        var pings: [JSONValue] = []
        for action in actions {
            switch action {
            case .connect(let number, _): attempt = number
            case .send(let bytes):
                let frame = RemoteFrame(line: bytes.dropLast())
                if case .success(.command(let command)) = frame.content, case .integer(let id) = frame.id {
                    unanswered.append((id, command))
                }
                if case .success(.ping(let payload)) = frame.content { pings.append(payload) }
            case .finished(let tag, let result): give(.finished(ticket: tag.number, result))
            case .close, .changed, .loadCues, .storeCues: break
            }
        }
        give(link: machine.view)
        for ping in pings { receive(.pong(Pong(payload: ping, serverDate: host.date(now)))) }
    }

    private mutating func give(link view: RemoteView) {
        intents += screen.handle(.link(view), now: now)
        listen()
    }

    /// The host does and answers what it was told.
    mutating func answer() {
        while !unanswered.isEmpty {
            let (id, command) = unanswered.removeFirst()
            if case .requestCueChunk = command { continue }
            host.apply(command, by: "This phone", now)
            receive(.snapshot(host.snapshot(now)), re: id)
            receive(.metadata(host.metadata(now)))
        }
    }

    mutating func refuse(_ message: String) {
        while !unanswered.isEmpty {
            receive(.error(WireError(.trackFailed, message)), re: unanswered.removeFirst().id)
        }
    }

    /// Lets `seconds` pass, with ticks at the deadlines of both; gives how often the screen was woken.
    @discardableResult
    mutating func pass(_ seconds: Double) -> Int {
        let end = now + seconds
        var wakes = 0
        while true {
            let ofScreen = screen.nextDeadline(after: now)
            let ofReader = reader.nextDeadline(screen, after: now)
            let next = [machine.nextDeadline, ofScreen, ofReader].compactMap(\.self).min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let ofScreen, ofScreen <= now { wakes += 1 }
            give(.tick)
            if let deadline = machine.nextDeadline, deadline <= now {
                note(machine.tick(now: now))
                if answers { answer() }
            }
            precondition(wakes < 100_000, "a deadline does not move on")
        }
        now = end
        listen()
        return wakes
    }

    private mutating func listen() { said += reader.say(screen, now: now) }

    mutating func heard() -> [String] {
        defer { said = [] }
        return said
    }

    // MARK: Eye

    var rows: [String] { screen.canvas(at: now).lines }
    var text: String { rows.joined(separator: "\n") }
    func row(_ part: String) -> String? { rows.first { $0.contains(part) } }
}

extension Canvas {
    /// As it reads, without the spaces at the ends.
    var lines: [String] {
        rows.indices.map { row in
            var line = text(row)
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// What part of a row has this role.
    func role(of part: String) -> Role? {
        for row in rows { if let run = row.first(where: { $0.text.contains(part) }) { return run.role } }
        return nil
    }
}
