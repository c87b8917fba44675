internal import RemoteCore
internal import WireProtocol

/// One remote of a recording: its connection, and what has been heard on it.
struct RemoteEnd: Sendable {
    enum State: Equatable {
        case connecting
        case open
        case ended
    }

    /// A line that a host may send unasked, at any time.
    struct Push: Sendable {
        var kind: String
        var line: HeardLine
        var serial: Int
        var at: SteadyTime
        /// Place among the lines of all connections.
        var order: Int
    }

    let link: Int
    /// Seconds that its clock is ahead of the runner's.
    let clock: Double
    var rules: StandingRules
    var state = State.connecting
    var isReading = true
    /// Lines of the recording that want an answer or a word other than a push, in the order of the file.
    var ordered: ArraySlice<Int>
    /// The line that wants the end of the connection.
    let ending: Int?
    var pushes: [Push] = []
    /// How many lines have come.
    var serial = 0
    /// How many had come when the last thing was done that a push may be about.
    var actionFloor = 0
    /// Snapshots that answered something: the line of the recording, and how many lines had come with it.
    var replies: [(place: Int, serial: Int)] = []
    /// By push kind: the last line that was expected.
    var matched: [String: Int] = [:]
    var offset = ClockOffset()
    private var openedAt: SteadyTime?
    private var sent: [JSONKey: SteadyTime] = [:]

    init(
        link: Int, clock: Double, rules: StandingRules, ordered: ArraySlice<Int>, ending: Int?, now: SteadyTime
    ) {
        self.link = link
        self.clock = clock
        self.rules = rules
        self.ordered = ordered
        self.ending = ending
        openedAt = now + clock
    }

    /// A line of which the host has the only copy of the answer.
    mutating func asked(_ id: JSONValue?, now: SteadyTime) {
        guard let id, let key = JSONKey(id) else { return }
        sent[key] = now
    }

    /// When the question was sent that `frame` answers.
    mutating func question(of frame: JSONValue) -> SteadyTime? {
        frame["re"].flatMap(JSONKey.init).flatMap { sent.removeValue(forKey: $0) }
    }

    /// Sets the remote's clock by a line that tells the host's.
    mutating func learnClock(from frame: JSONValue, sentAt: SteadyTime?, now: SteadyTime) {
        guard let date = frame["payload"]?["serverDate"]?.stringValue.flatMap(WireDate.init(iso8601:)) else { return }
        switch frame["kind"]?.stringValue {
        case "hello": if let openedAt { offset.hello(serverDate: date, opened: openedAt, received: now + clock) }
        case "pong":
            if let sentAt { offset.pong(sent: sentAt + clock, serverDate: date, received: now + clock) }
        default: break
        }
    }

    /// The line as patterns see it.
    func look(at frame: JSONValue, hostNow: Double?, now: SteadyTime) -> HeardLine {
        var line = HeardLine(frame, hostNow: hostNow)
        if let anchor = line.anchor, offset.isMeasured {
            line.shown = anchor.position(at: now + clock, clock: offset)
        }
        return line
    }
}

/// An `id` or `re`, to find one by the other.
struct JSONKey: Hashable, Sendable {
    private let text: String

    init?(_ value: JSONValue) {
        switch value {
        case .integer(let number): text = "i\(number)"
        case .string(let word): text = "s\(word)"
        default: return nil
        }
    }
}
