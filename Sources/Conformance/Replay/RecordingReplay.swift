internal import RemoteCore
internal import WireProtocol

/// Replays one recording: plays its remotes and judges what the host says.
///
/// The lines of the file are carried out in their order. One that does something waits until all that is expected
/// above it has been heard, and for its time; a host that takes longer moves the rest of the recording back.
struct RecordingReplay: Sendable {
    /// What has become of an expected line.
    enum Expectation: Equatable, Sendable {
        /// The replay has not come to it.
        case ahead
        case awaited(until: SteadyTime, floor: Int)
        case heard(at: SteadyTime, order: Int, serial: Int)
        /// A newer push of its kind came instead.
        case overtaken

        var isSettled: Bool {
            switch self {
            case .heard, .overtaken: true
            case .ahead, .awaited: false
            }
        }
    }

    struct Ban: Sendable {
        var line: Int
        var from: SteadyTime
        var until: SteadyTime
    }

    /// The `id` of the ping that each connection ends with: what a host had to say before it has come before its pong.
    static let lastID = "the end"
    /// Of these only the newest counts.
    static let latestWins: Set<String> = ["metadata", "snapshot"]
    static let pushKinds: Set<String> = ["metadata", "snapshot", "cueChunk", "sessionEnded", "ping"]

    let recording: Recording
    let pace: ReplayPace
    let film: FilmFacts?
    var facts: Facts
    var remotes: [String: RemoteEnd] = [:]
    var names: [Int: String] = [:]
    var expectations: [Int: Expectation] = [:]
    /// The places that are awaited, in the order of the file.
    var open: [Int] = []
    /// Why the last line of the right kind was not the expected one, by place.
    var nearMisses: [Int: String] = [:]
    var bans: [Ban] = []
    var times = ReplyTimes()
    private(set) var outcome: Check.Outcome?
    /// Where the specification says what was broken.
    private(set) var section: String
    private(set) var pointer = 0
    private var origin: SteadyTime
    private var nextLink: Int
    private var isStaging = false
    private var awaitsLastWords: Set<Int>?
    var order = 0

    init(_ recording: Recording, film: FilmFacts?, firstLink: Int, pace: ReplayPace, now: SteadyTime) {
        self.recording = recording
        self.pace = pace
        self.film = film
        facts = film.map(Facts.init(of:)) ?? Facts()
        facts.positionSlack = pace.positionSlack
        section = recording.section
        origin = now
        nextLink = firstLink
    }

    var lines: [Recording.Line] { recording.lines }

    // MARK: Events

    mutating func begin(now: SteadyTime) -> [ReplayAction] { advance(now) }

    mutating func handle(_ event: ReplayEvent, now: SteadyTime) -> [ReplayAction] {
        guard outcome == nil else { return [] }
        switch event {
        case .connected(let link):
            if let name = names[link] { remotes[name]?.state = .open }
        case .refused(_, let reason): return fail("a connection", reason, "§3")
        case .line(let link, let bytes):
            guard let name = names[link], remotes[name]?.link == link else { return [] }
            if let failed = heard(bytes, on: name, now) { return failed }
        case .lineTooLong(let link):
            guard names[link] != nil else { return [] }
            return fail("lines of at most \(Limits.frameBytes) bytes", "a longer one", "§3")
        case .ended(let link):
            guard let name = names[link], remotes[name]?.link == link else { return [] }
            if let failed = ended(name, now) { return failed }
        case .staged(let outcome):
            isStaging = false
            switch outcome {
            case .done: break
            case .unable(let reason): return finish(.skipped(reason: "needs \(reason)"))
            case .failed(let reason): return fail("a stage that works", reason, recording.section)
            }
        }
        return advance(now)
    }

    var nextDeadline: SteadyTime? {
        guard outcome == nil else { return nil }
        var deadlines = bans.map(\.until)
        for place in open {
            if case .awaited(let until, _)? = expectations[place] { deadlines.append(until) }
        }
        if pointer < lines.count, !isStaging, isSettled { deadlines.append(due(lines[pointer])) }
        if let lastWordsBy { deadlines.append(lastWordsBy) }
        return deadlines.min()
    }

    mutating func tick(now: SteadyTime) -> [ReplayAction] {
        guard outcome == nil else { return [] }
        for place in open {
            guard case .awaited(let until, _)? = expectations[place], now >= until else { continue }
            if isOptional(place) {
                settle(place, .overtaken)
                continue
            }
            let line = lines[place]
            return fail(described(line), nearMisses[place] ?? "nothing in time", line.section ?? recording.section)
        }
        bans.removeAll { now >= $0.until }
        if let lastWordsBy, now >= lastWordsBy {
            return fail("a pong to the last ping", "nothing within \(pace.patience) s", "§8")
        }
        return advance(now)
    }

    private func isOptional(_ place: Int) -> Bool {
        if case .hear(_, let hearing) = lines[place].step { hearing.isOptional } else { false }
    }

    // MARK: Going on

    func due(_ line: Recording.Line) -> SteadyTime { origin + line.at }

    /// Whether all that is expected so far has come.
    private var isSettled: Bool {
        open.allSatisfy(isOptional) && !remotes.values.contains { $0.state == .connecting }
    }

    mutating func advance(_ now: SteadyTime) -> [ReplayAction] {
        var actions: [ReplayAction] = []
        while outcome == nil, pointer < lines.count {
            let line = lines[pointer]
            switch line.step {
            case .hear, .ended: expect(line, now)
            case .never(_, let seconds):
                bans.append(Ban(line: pointer, from: due(line), until: due(line) + seconds))
            default:
                guard isSettled, !isStaging, now >= due(line) else { return actions }
                // What came late moves the rest back, so that pauses keep their length.
                origin = max(origin, now + -line.at)
                actions += perform(line, now)
            }
            pointer += 1
        }
        guard outcome == nil, pointer == lines.count, isSettled, bans.isEmpty, !isStaging else { return actions }
        return actions + (awaitsLastWords == nil ? askForLastWords(now) : [])
    }

    private mutating func expect(_ line: Recording.Line, _ now: SteadyTime) {
        if expectations[pointer] == nil || expectations[pointer] == .ahead {
            let isOfState = Self.latestWins.contains(line.pattern?.frameKind ?? "")
            let (within, floor) = (self.within(line), isOfState ? remotes[line.remote]?.actionFloor ?? 0 : 0)
            expectations[pointer] = .awaited(until: max(now, due(line)) + within, floor: floor)
            open.append(pointer)
        }
        if case .ended = line.step, remotes[line.remote]?.state == .ended {
            settle(pointer, .heard(at: now, order: order, serial: 0))
        }
        // It may have come already.
        settleAllPushes()
    }

    mutating func settle(_ place: Int, _ state: Expectation) {
        expectations[place] = state
        open.removeAll { $0 == place }
    }

    private func within(_ line: Recording.Line) -> Double {
        switch line.step {
        case .hear(_, let hearing): hearing.within ?? pace.patience
        case .ended(let within): within ?? pace.patience
        default: pace.patience
        }
    }

    private mutating func perform(_ line: Recording.Line, _ now: SteadyTime) -> [ReplayAction] {
        let name = line.remote
        switch line.step {
        case .connect(let clock):
            let link = nextLink
            nextLink += 1
            names[link] = name
            let (ordered, ending) = wanted(of: name, from: pointer)
            remotes[name] = RemoteEnd(
                link: link, clock: clock, rules: StandingRules(film: film, clockSlack: pace.clockSlack),
                ordered: ordered, ending: ending, now: now)
            return [.connect(link)]
        case .disconnect:
            guard let link = remotes[name]?.link else { return [] }
            remotes[name] = nil
            return [.disconnect(link)]
        case .stopReading, .startReading:
            guard pace.canStall else {
                return finish(.skipped(reason: "needs a way to the host without buffers, which a network is not"))
            }
            guard let link = remotes[name]?.link else { return [] }
            let reads = line.step == .startReading
            remotes[name]?.isReading = reads
            return [.read(link, reads)]
        case .send(let utterance): return send(utterance, line, now)
        case .stage(let words):
            raiseFloors()
            isStaging = true
            return [.stage(words)]
        case .rest, .hear, .never, .ended: return []
        }
    }

    private mutating func send(_ utterance: Utterance, _ line: Recording.Line, _ now: SteadyTime) -> [ReplayAction] {
        guard let remote = remotes[line.remote] else { return [] }
        let clock = (Double(now.nanoseconds) / 1e9 * 1e6).rounded() / 1e6 + remote.clock
        guard let bytes = utterance.encoded(facts, remoteClock: clock) else {
            return fail("line \(line.number) can be filled in", "a variable is not known", recording.section)
        }
        var kind: String?
        if case .frame(let frame) = utterance { kind = frame["kind"]?.stringValue }
        if kind == "hello" {
            remotes[line.remote]?.rules.isSubscribed = true
            remotes[line.remote]?.actionFloor = remote.serial
        }
        if line.isCausal { raiseFloors() }
        remotes[line.remote]?.asked(utterance.id, now: now)
        return [.send(remote.link, bytes)]
    }

    private mutating func raiseFloors() {
        for name in remotes.keys {
            let serial = remotes[name]?.serial ?? 0
            remotes[name]?.actionFloor = serial
            // Nothing that is still awaited can be among them.
            remotes[name]?.pushes.removeAll { Self.latestWins.contains($0.kind) }
        }
    }

    /// The lines that the connection begun at `place` has to bring other than pushes, and its end.
    private func wanted(of name: String, from place: Int) -> (ArraySlice<Int>, Int?) {
        var ordered: [Int] = []
        for index in lines.indices.dropFirst(place + 1) where lines[index].remote == name {
            switch lines[index].step {
            case .connect: return (ordered[...], nil)
            case .ended: return (ordered[...], index)
            case .hear(let pattern, _) where !Self.isPush(pattern): ordered.append(index)
            default: break
            }
        }
        return (ordered[...], nil)
    }

    static func isPush(_ pattern: Pattern) -> Bool {
        pattern.re == nil && pattern["re"] == nil && pushKinds.contains(pattern.frameKind ?? "")
    }

    // MARK: End

    private var lastWordsBy: SteadyTime?

    private mutating func askForLastWords(_ now: SteadyTime) -> [ReplayAction] {
        let open = remotes.values.filter { $0.state == .open && $0.isReading }.map(\.link)
        awaitsLastWords = Set(open)
        lastWordsBy = now + pace.patience
        guard !open.isEmpty else { return succeed() }
        let ping = Array(#"{"kind":"ping","id":"\#(Self.lastID)"}"#.utf8) + [0x0A]
        return open.sorted().map { .send($0, ping) }
    }

    mutating func lastWords(on link: Int) -> [ReplayAction] {
        awaitsLastWords?.remove(link)
        return awaitsLastWords?.isEmpty == true ? succeed() : []
    }

    private mutating func succeed() -> [ReplayAction] {
        for place in expectations.keys.sorted() {
            guard case .hear(_, let hearing) = lines[place].step, hearing.isAfterPrevious, place > 0,
                case .heard(let at, let order, _)? = expectations[place],
                case .heard(let earlier, let earlierOrder, _)? = expectations[place - 1]
            else { continue }
            let isEarly = pace.orderSlack > 0 ? earlier - at > pace.orderSlack : order < earlierOrder
            if isEarly {
                return fail(
                    "\(described(lines[place])) after line \(lines[place - 1].number)", "before it",
                    lines[place].section ?? recording.section)
            }
        }
        return finish(.passed)
    }

    func described(_ line: Recording.Line) -> String {
        switch line.step {
        case .hear(let pattern, _): "line \(line.number): \(line.remote) hears \(pattern.text)"
        case .ended: "line \(line.number): the host ends the connection of \(line.remote)"
        default: "line \(line.number)"
        }
    }

    mutating func fail(_ expected: String, _ got: String, _ section: String) -> [ReplayAction] {
        self.section = section
        return finish(.failed(expected: expected, got: got))
    }

    private mutating func finish(_ outcome: Check.Outcome) -> [ReplayAction] {
        self.outcome = outcome
        return remotes.values.map(\.link).sorted().map { .disconnect($0) }
    }
}
