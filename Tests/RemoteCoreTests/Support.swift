import WireProtocol

@testable import RemoteCore

/// Virtual time: seconds after an arbitrary start.
func at(_ seconds: Double) -> SteadyTime {
    SteadyTime(nanoseconds: 1_000_000_000_000) + seconds
}

/// The host's date, seconds after an arbitrary one, cut to milliseconds as on the wire.
func date(_ seconds: Double) -> WireDate {
    WireDate(milliseconds: 1_790_000_000_000 + Int64((seconds * 1000).rounded(.down)))
}

let film = "11111111-1111-1111-1111-111111111111"
let otherFilm = "22222222-2222-2222-2222-222222222222"

func someCues(_ count: Int, text: String = "Line") -> [Cue] {
    (0..<count).map { Cue(index: $0 + 1, start: Double($0) * 2, end: Double($0) * 2 + 1.5, text: "\(text) \($0)") }
}

/// Cues that do not compress well, so that a bundle needs several chunks.
func noisyCues(_ count: Int) -> [Cue] {
    var random = SplitMix64(state: 42)
    return (0..<count).map { place in
        let text = (0..<8).map { _ in String(random.next(), radix: 36) }.joined()
        return Cue(index: place + 1, start: Double(place), end: Double(place) + 0.5, text: text)
    }
}

func chunks(of cues: [Cue], session: String = film, revision: Int = 1) -> [CueChunk] {
    let all = CueChunks(CueBundle(sessionID: session, revision: revision, cues: cues))
    return (0..<all.count).compactMap { all[$0] }
}

func metadata(
    _ session: String = film, revision: Int = 1, cues: [Cue] = [], time: Double = 0, playing: Bool = false,
    dated: Double = 0, duration: Double = 120, title: String = "Film", track: String? = nil, by: String? = nil
) -> SessionMetadata {
    SessionMetadata(
        sessionID: session, revision: revision, title: title, duration: duration, cueCount: cues.count,
        cueDigest: CueBundle.digest(of: cues), isPlaying: playing, currentTime: time, serverDate: date(dated),
        tracks: [.init(id: "a", label: "Original"), .init(id: "b", label: "Dub")], activeTrackID: track, by: by)
}

func snapshot(
    _ session: String = film, revision: Int = 1, time: Double = 0, playing: Bool = false, dated: Double = 0,
    duration: Double = 120, index: Int = 0, track: String? = nil, volume: Double? = nil
) -> Snapshot {
    Snapshot(
        sessionID: session, revision: revision, currentTime: time, duration: duration, currentIndex: index,
        isPlaying: playing, serverDate: date(dated), activeTrackID: track, volume: volume)
}

func hello(_ version: Int = 1, dated: Double = 0, name: String = "Laptop", id: String = "host") -> HostMessage {
    .hello(
        HostHello(
            protocolVersion: version, hostID: id, hostName: name, software: "test", serverDate: date(dated),
            features: []))
}

/// Plays host and shell to one machine, in virtual time, and keeps what the machine did.
struct Bench {
    var machine: RemoteMachine
    var now = at(0)
    var attempt = 0
    var sent: [RemoteFrame] = []
    var outcomes: [CommandTag: [Result<CommandReply, CommandFailure>]] = [:]
    var connects: [ReconnectSchedule.Target] = []
    var closes = 0
    var stored: [[Cue]] = []
    var lookedFor: [RemoteHello.HeldCues] = []
    var changed: ViewChanges = []

    init(token: String? = nil, staysWithHost: Bool = false) {
        machine = RemoteMachine(
            .init(remoteID: "remote", remoteName: "Phone", token: token, staysWithHost: staysWithHost, seed: 7))
    }

    /// Connected, with a session of `cues` at `time`.
    static func connected(
        cues: [Cue] = [], time: Double = 0, playing: Bool = false, duration: Double = 120
    ) -> Bench {
        var bench = Bench()
        bench.start()
        bench.open()
        bench.host(hello())
        bench.host(.metadata(metadata(cues: cues, time: time, playing: playing, duration: duration)))
        bench.host(.snapshot(snapshot(time: time, playing: playing, duration: duration, volume: 0.5)))
        return bench
    }

    var view: RemoteView { machine.view }
    var position: Double? { machine.view.position(at: now) }

    mutating func note(_ actions: [RemoteAction]) {
        changed = []
        for action in actions {
            switch action {
            case .connect(let number, let target):
                attempt = number
                connects.append(target)
            case .send(let bytes): sent.append(RemoteFrame(line: bytes.dropLast()))
            case .close: closes += 1
            case .finished(let tag, let outcome): outcomes[tag, default: []].append(outcome)
            case .changed(let parts): changed = parts
            case .loadCues(let key): lookedFor.append(key)
            case .storeCues(_, let cues): stored.append(cues)
            }
        }
    }

    mutating func start() { note(machine.start(now: now)) }
    mutating func open() { note(machine.connectSucceeded(attempt: attempt, now: now)) }
    mutating func fail() { note(machine.connectFailed(attempt: attempt, now: now)) }
    mutating func close() { note(machine.closed(attempt: attempt, now: now)) }
    mutating func wake() { note(machine.wake(now: now)) }
    mutating func stop() { note(machine.stop(now: now)) }
    mutating func raw(_ text: String) { note(machine.received(Array(text.utf8), attempt: attempt, now: now)) }

    mutating func host(_ message: HostMessage, re: Int? = nil) {
        note(machine.received(message.line(re: re.map { .integer($0) }), attempt: attempt, now: now))
    }

    mutating func tap(_ seconds: Double, _ tag: Int) {
        note(machine.tapSkip(seconds, tag: CommandTag(tag), now: now))
    }

    mutating func turn(_ value: Double, _ tag: Int) {
        note(machine.turnVolume(to: value, tag: CommandTag(tag), now: now))
    }

    mutating func command(_ command: Command, _ tag: Int) {
        note(machine.command(command, tag: CommandTag(tag), now: now))
    }

    /// Lets `seconds` pass, with a tick at each deadline on the way.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        var ticks = 0
        while let next = machine.nextDeadline, next <= end {
            now = max(now, next)
            note(machine.tick(now: now))
            ticks += 1
            precondition(ticks < 100_000, "a deadline does not move on")
        }
        now = end
    }

    func outcome(_ tag: Int) -> Result<CommandReply, CommandFailure>? {
        let all = outcomes[CommandTag(tag)] ?? []
        precondition(all.count < 2, "tag \(tag) settled twice")
        return all.first
    }

    /// Commands sent so far with their ids.
    var commands: [(id: Int, command: Command)] {
        sent.compactMap { frame in
            guard case .success(.command(let command)) = frame.content, case .integer(let id) = frame.id else {
                return nil
            }
            return (id, command)
        }
    }

    var pings: [JSONValue] {
        sent.compactMap { frame in
            guard case .success(.ping(let payload)) = frame.content else { return nil }
            return payload
        }
    }

    var hellos: [RemoteHello] {
        sent.compactMap { frame in
            guard case .success(.hello(let hello)) = frame.content else { return nil }
            return hello
        }
    }
}
