import Hub
import WireProtocol

/// A connection machine with a hand-turned clock, and the far end's reading of what it writes.
struct Peer {
    static let greeting = HostMessage.hello(
        HostHello(
            hostID: "h1", hostName: "Host", software: "test", serverDate: WireDate(milliseconds: 0), features: [])
    ).line()

    var machine: ConnectionMachine
    var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    let date = WireDate(milliseconds: 1_750_000_000_000)

    init(pongBytesPerSecond: Int = Limits.pongBytesPerSecond) {
        machine = ConnectionMachine(greeting: Self.greeting, now: now, pongBytesPerSecond: pongBytesPerSecond)
    }

    mutating func send(_ text: String) -> [ConnectionMachine.Action] {
        send(Array(text.utf8))
    }

    mutating func send(_ bytes: [UInt8]) -> [ConnectionMachine.Action] {
        machine.receive(bytes, now: now)
        var actions: [ConnectionMachine.Action] = []
        while let next = machine.nextActions(now: now, date: date) { actions += next }
        return actions
    }

    @discardableResult
    mutating func wait(_ seconds: Double) -> [ConnectionMachine.Action] {
        now = now + seconds
        return machine.tick(now: now)
    }

    /// Everything that waits, as the frames a remote would read; empties the machine.
    mutating func read() throws -> [HostFrame] {
        var bytes: [UInt8] = []
        while let next = machine.nextOutput() { bytes += next }
        return try bytes.split(separator: 0x0A).map { line throws in try HostFrame(line: line) }
    }

    /// What waits, one word a frame: `hello`, `error 3 malformed`, `goodbye timeout`.
    mutating func readWords() throws -> [String] {
        try read().map { frame in
            let re =
                switch frame.re {
                case .integer(let number)?: " \(number)"
                case .text(let text)?: " \(text)"
                case nil: ""
                }
            return switch frame.message {
            case .hello: "hello"
            case .metadata(let metadata): "metadata\(re) \(metadata.title)"
            case .snapshot(let snapshot): "snapshot\(re) \(snapshot.currentIndex)"
            case .cueChunk(let chunk): "cueChunk\(re) \(chunk.index)"
            case .sessionEnded: "sessionEnded"
            case .schema(.names(let names)): "schema\(re) of \(names.count)"
            case .schema(.schema(let name, _)): "schema\(re) \(name)"
            case .error(let error): "error\(re) \(error.code.rawValue)"
            case .ping: "ping"
            case .pong: "pong\(re)"
            case .goodbye(let reason): "goodbye \(reason.text)"
            case .unknown(let kind): "unknown \(kind)"
            }
        }
    }
}

enum Line {
    static let hello = #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r1","name":"Phone"}}}"# + "\n"
    static let play = #"{"kind":"command","id":1,"payload":{"kind":"play"}}"# + "\n"
    static let ping = #"{"kind":"ping","id":2,"payload":{"t":5}}"# + "\n"
    static let pong = #"{"kind":"pong","payload":{}}"# + "\n"
    static let goodbye = #"{"kind":"goodbye","payload":{"reason":"finished"}}"# + "\n"
    static let garbage = "{nonsense\n"
    static let unknownKind = #"{"kind":"dance","id":3}"# + "\n"
    static let badCommand = #"{"kind":"command","id":4,"payload":{"kind":"seek"}}"# + "\n"
}

func snapshotLine(_ number: Int) -> [UInt8] {
    HostMessage.snapshot(snapshot(number)).line()
}

func snapshot(_ number: Int) -> Snapshot {
    Snapshot(
        sessionID: "film", revision: 1, currentTime: Double(number), duration: 1e6, currentIndex: number,
        isPlaying: true, serverDate: WireDate(milliseconds: 1_750_000_000_000))
}

func metadataLine(_ title: String) -> [UInt8] {
    HostMessage.metadata(
        SessionMetadata(
            sessionID: "film", revision: 1, title: title, duration: 10, cueCount: 0, cueDigest: "", isPlaying: false,
            currentTime: 0, serverDate: WireDate(milliseconds: 0), tracks: [])
    ).line()
}

/// What a test did not expect and cannot go on with.
struct TestProblem: Error {
    var text: String

    init(_ text: String) { self.text = text }
}
