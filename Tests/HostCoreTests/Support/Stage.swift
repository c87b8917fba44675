import HostCore
import Playback
import WireProtocol

/// A host's machine with hand-turned time, and what its remotes have been sent.
struct Stage {
    static let device = OutputState(name: "Headphones", latency: 0.05, isPresent: true, volume: 0.8)

    static func film(id: String = "film", revision: Int = 1, cues: [Cue] = Stage.cues) -> PlaybackSession {
        PlaybackSession(
            id: id, title: "The Film",
            tracks: [
                .init(id: "orig", label: "Original", duration: 100), .init(id: "dub", label: "Dub", duration: 60),
            ],
            revision: revision, cueDigest: CueBundle.digest(of: cues), timeline: CueTimeline(cues))
    }

    static let cues = [Cue(index: 1, start: 5, end: 6, text: "one"), Cue(index: 2, start: 20, end: 22, text: "two")]

    private(set) var machine: HostMachine
    private(set) var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    /// Everything but writing, in order, as text.
    private(set) var deeds: [String] = []
    /// Lines each connection has been sent and not yet asked about.
    private var lines: [Int: [String]] = [:]
    /// Remotes that do not read.
    var deaf: Set<Int> = []
    /// Whether writing is a deed, too.
    var notesWrites = false

    init(maximumConnections: Int = 64) {
        let wall: Int64 = 1_750_000_000_000_000_000
        machine = HostMachine(
            card: HostCard(id: "h1", name: "living-room", software: "test"),
            clock: ServerClock(now: now, wallNanoseconds: wall), maximumConnections: maximumConnections, now: now)
    }

    mutating func open(_ film: PlaybackSession = Stage.film(), at position: Double = 10) {
        perform(
            machine.open(film, activeTrackID: "orig", position: position, output: Self.device, now: now))
        endTurn()
    }

    mutating func refresh(_ film: PlaybackSession, fallback: String = "orig") {
        perform(machine.refreshSession(film, fallback: fallback, now: now))
        endTurn()
    }

    mutating func end() {
        perform(machine.endSession(because: "it has been deleted", now: now))
        endTurn()
    }

    mutating func closeSession() {
        perform(machine.closeSession(now: now))
        endTurn()
    }

    /// Connects, says hello under that name, and forgets what was answered.
    mutating func join(_ id: Int, _ name: String, holding held: String = "") {
        connect(id)
        say(hello(name, holding: held), on: id)
    }

    func hello(_ name: String, holding held: String = "") -> String {
        #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"\#(name)","name":"\#(name)"}\#(held)}}"#
    }

    mutating func connect(_ id: Int) {
        perform(machine.connect(id, now: now))
        endTurn()
    }

    mutating func say(_ texts: String..., on id: Int) {
        machine.receive(Array(texts.map { $0 + "\n" }.joined().utf8), on: id, now: now)
        while let actions = machine.nextActions(on: id, now: now) { perform(actions) }
        endTurn()
    }

    mutating func command(_ payload: String, id: Int, on connection: Int) {
        say(#"{"kind":"command","id":\#(id),"payload":\#(payload)}"#, on: connection)
    }

    mutating func engine(_ event: EngineEvent) {
        perform(machine.engineReported(event, now: now))
        endTurn()
    }

    mutating func leave(_ id: Int) {
        machine.disconnected(id)
        endTurn()
    }

    mutating func makeRoom() -> [HostAction] { machine.makeRoom() }

    mutating func stop() {
        perform(machine.stop(now: now))
    }

    /// Lets seconds pass, doing what is due at its own instant.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while machine.nextDeadline <= end {
            now = max(now, machine.nextDeadline)
            perform(machine.tick(now: now))
            endTurn()
        }
        now = end
    }

    /// What a connection has been sent since the last look.
    mutating func heard(_ id: Int) -> [String] {
        lines.removeValue(forKey: id) ?? []
    }

    /// The kinds of these, `re` added: `snapshot 7`.
    mutating func kinds(_ id: Int) -> [String] {
        heard(id).map { line in
            guard let json = try? JSONReader.value(of: Array(line.utf8)[...]) else { return "no JSON: \(line)" }
            let re = json["re"]?.integerValue.map { " \($0)" } ?? ""
            return (json["kind"]?.stringValue ?? "?") + re
        }
    }

    private mutating func endTurn() {
        perform(machine.endTurn(now: now))
    }

    private mutating func perform(_ actions: [HostAction]) {
        for action in actions {
            switch action {
            case .write(let id):
                if notesWrites { deeds.append("write \(id)") }
                guard !deaf.contains(id) else { continue }
                while let bytes = machine.nextOutput(of: id) {
                    lines[id, default: []] += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(
                        String.init)
                }
            case .engine(let request): deeds.append("engine \(request)")
            case .save(let state): deeds.append("save \(state.position)")
            case .note: deeds.append("note")
            case .remote(let note): deeds.append("\(note)")
            case .close(let id): deeds.append("close \(id)")
            case .cut(let id): deeds.append("cut \(id)")
            }
        }
    }

    mutating func forgetDeeds() { deeds = [] }
}
