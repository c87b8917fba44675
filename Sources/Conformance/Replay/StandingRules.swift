internal import RemoteCore
internal import WireProtocol

/// A host's line that no recording needs to forbid: it breaks the specification whatever was asked.
struct Violation: Equatable, Sendable {
    var expected: String
    var got: String
    var section: String

    init(_ expected: String, _ got: String, _ section: String) {
        self.expected = expected
        self.got = got
        self.section = section
    }
}

/// What holds for every line of a host on one connection.
struct StandingRules: Sendable {
    private let clockSlack: Double
    private let film: FilmFacts?
    /// The remote has said hello, so pushes may come.
    var isSubscribed = false
    private var hasGreeted = false
    private var latestDate: WireDate?
    /// A date of the host that was read from its clock, and when it came.
    private var clock: (date: WireDate, at: SteadyTime)?
    private var metadata: SessionMetadata?
    private var chunks: [CueChunk] = []

    init(film: FilmFacts?, clockSlack: Double) {
        self.film = film
        self.clockSlack = clockSlack
    }

    /// The first rule that the line breaks.
    mutating func violation(of line: [UInt8], _ value: JSONValue, now: SteadyTime) -> Violation? {
        let frame: HostFrame
        do throws(WireError) {
            frame = try HostFrame(line: line)
        } catch {
            return Violation("a frame of a host", error.message, "§5")
        }
        if let kind = value["kind"]?.stringValue, let shape = Self.shape(ofKind: kind) {
            var nothing = Facts()
            do throws(Mismatch) {
                try shape.pattern.match(HeardLine(value), learning: &nothing)
            } catch {
                return Violation("\(kind) with \(error.path): \(error.expected)", error.got, shape.section)
            }
        }
        defer { hasGreeted = true }
        if case .hello = frame.message {
            if hasGreeted { return Violation("one hello", "another", "§4") }
        } else if !hasGreeted {
            return Violation("hello as the first line", "another kind", "§4")
        }
        return state(frame, now)
    }

    private mutating func state(_ frame: HostFrame, _ now: SteadyTime) -> Violation? {
        switch frame.message {
        case .hello(let hello): return clockRuns(hello.serverDate, now)
        case .pong(let pong): return pong.serverDate.flatMap { clockRuns($0, now) }
        case .metadata(let metadata):
            guard isSubscribed else { return Violation("no push before hello", "metadata", "§4") }
            self.metadata = metadata
            return position(metadata.currentTime, metadata.duration) ?? dateGrows(metadata.serverDate)
        case .snapshot(let snapshot):
            if let fault = position(snapshot.currentTime, snapshot.duration) { return fault }
            return currentCue(snapshot) ?? dateGrows(snapshot.serverDate)
        case .cueChunk(let chunk): return bundle(chunk)
        default: return nil
        }
    }

    private func position(_ time: Double, _ duration: Double) -> Violation? {
        guard time < 0 || time > duration else { return nil }
        return Violation("currentTime from 0 to duration \(duration)", "\(time)", "§6")
    }

    private func currentCue(_ snapshot: Snapshot) -> Violation? {
        guard let film, film.sessionID == snapshot.sessionID, film.revision == snapshot.revision else { return nil }
        let place = film.place(at: snapshot.currentTime)
        guard place != snapshot.currentIndex else { return nil }
        return Violation(
            "currentIndex \(place) at \(snapshot.currentTime)", "currentIndex \(snapshot.currentIndex)", "§9")
    }

    /// A remote drops what is older than what it has.
    private mutating func dateGrows(_ date: WireDate) -> Violation? {
        if let latestDate, date < latestDate {
            return Violation("a serverDate from \(latestDate.iso8601) on", date.iso8601, "§8")
        }
        latestDate = date
        return nil
    }

    private mutating func clockRuns(_ date: WireDate, _ now: SteadyTime) -> Violation? {
        guard let clock else {
            self.clock = (date, now)
            return nil
        }
        let theirs = Double(date.milliseconds - clock.date.milliseconds) / 1e3
        let ours = now - clock.at
        guard abs(theirs - ours) > clockSlack + 0.001 else { return nil }
        return Violation(
            "a serverDate \(Self.rounded(ours)) s after the connection's first", "\(Self.rounded(theirs)) s", "§8")
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e3).rounded() / 1e3 }

    private mutating func bundle(_ chunk: CueChunk) -> Violation? {
        guard chunk.data.count <= Limits.cueChunkBytes else {
            return Violation("at most \(Limits.cueChunkBytes) bytes of data", "\(chunk.data.count)", "§9")
        }
        guard let metadata, metadata.sessionID == chunk.sessionID else { return nil }
        guard chunk.revision == metadata.revision else {
            return Violation("cues of revision \(metadata.revision)", "of revision \(chunk.revision)", "§9")
        }
        chunks.removeAll { $0.index == chunk.index || $0.revision != chunk.revision }
        chunks.append(chunk)
        guard chunks.count == chunk.totalChunks else { return nil }
        let stream = chunks.sorted { $0.index < $1.index }.flatMap(\.data)
        chunks = []
        guard let bundle = try? CueBundle(gzip: stream) else {
            return Violation("chunks that make a bundle", "no bundle", "§9")
        }
        let digest = CueBundle.digest(of: bundle.cues)
        guard digest == metadata.cueDigest else {
            return Violation("cueDigest \(digest) of the cues sent", metadata.cueDigest, "§9")
        }
        guard bundle.cues.count == metadata.cueCount else {
            return Violation("cueCount \(bundle.cues.count)", "\(metadata.cueCount)", "§5")
        }
        return nil
    }
}
