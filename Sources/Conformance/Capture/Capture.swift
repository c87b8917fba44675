package import WireProtocol

/// Turns what passes between a host and its remotes into the lines of a recording, as it happens.
///
/// Pure: what passed and when comes in, lines come out. A push is held back for a moment: one that a newer follows, or
/// that somebody's command follows, cannot be counted on.
package struct Capture: Sendable {
    private struct Held: Sendable {
        var line: Recording.Line
        var at: SteadyTime
        /// The push's kind, where it is one of which the newest counts.
        var push: String?
    }

    /// Seconds a line is held back.
    package static let holdingTime = 0.05
    /// Bytes of an unfinished line that are kept.
    private static let maximumPending = 4 * Limits.frameBytes

    private let origin: SteadyTime
    private var header: Recording
    private var headerText: String?
    /// Whether the host's snapshots have told a volume; `nil` before the first.
    private var hasVolume: Bool?
    private var turnsVolume = false
    private var generaliser = Generaliser()
    private var held: [Held] = []
    private var remotes: [Int: String] = [:]
    private var pending: [Int: [UInt8]] = [:]
    private var framers: [Int: LineFramer] = [:]
    /// Connections so far.
    package private(set) var count = 0

    /// The header's `film` and `start` are filled in by what the host first tells.
    package init(name: String, about: String, section: String, now: SteadyTime) {
        origin = now
        header = Recording(name: name, about: about, section: section, lines: [])
    }

    /// Bytes of the header's line: what is learnt while the run goes on finds room in it.
    private static let roomForVolume = #","volume":false"#.utf8.count

    // MARK: What passes

    package mutating func connected(_ id: Int, now: SteadyTime) {
        count += 1
        remotes[id] = "r\(count)"
        framers[id] = LineFramer()
        add(id, .connect(clock: 0), now)
    }

    /// Bytes of a remote.
    package mutating func sent(_ bytes: ArraySlice<UInt8>, on id: Int, now: SteadyTime) {
        pending[id, default: []] += bytes
        while let end = pending[id]?.firstIndex(of: 0x0A), let line = pending[id]?[..<end] {
            pending[id]?.removeSubrange(...end)
            guard let name = remotes[id] else { return }
            let utterance = line.isEmpty ? .text("\n") : generaliser.said(Array(line), on: name)
            if case .frame(let frame) = utterance, frame["kind"] == .string("command"),
                frame["payload"]?["kind"] == .string("setVolume")
            {
                turnsVolume = true
            }
            add(id, .send(utterance), now)
        }
        if pending[id]?.count ?? 0 > Self.maximumPending { flushPending(id, now) }
    }

    /// Bytes of the host.
    package mutating func heard(_ bytes: ArraySlice<UInt8>, on id: Int, now: SteadyTime) {
        guard let name = remotes[id] else { return }
        flushPending(id, now)
        var lines: [[UInt8]] = []
        framers[id]?.append(bytes) { frame in
            if case .line(let line) = frame { lines.append(line) }
        }
        for line in lines {
            learnStart(line)
            guard let pattern = generaliser.heard(line, on: name) else { continue }
            renameHeld()
            add(id, .hear(pattern, Recording.Hearing()), now)
        }
    }

    /// A remote that holds cues names their session before the host has.
    private mutating func renameHeld() {
        for index in held.indices {
            guard case .send(.frame(let frame)) = held[index].line.step else { continue }
            held[index].line.step = .send(.frame(generaliser.naming(frame)))
        }
    }

    package mutating func ended(_ id: Int, byHost: Bool, now: SteadyTime) {
        flushPending(id, now)
        add(id, byHost ? .ended(within: nil) : .disconnect, now)
        remotes[id] = nil
    }

    /// A piece of a line that the host did not wait for.
    private mutating func flushPending(_ id: Int, _ now: SteadyTime) {
        guard let bytes = pending[id], !bytes.isEmpty else { return }
        pending[id] = []
        add(id, .send(String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .bytes(bytes)), now)
    }

    // MARK: Lines

    private mutating func add(_ id: Int, _ step: Recording.Step, _ now: SteadyTime) {
        let at = ((now - origin) * 1e3).rounded() / 1e3
        let line = Recording.Line(number: 0, at: at, remote: remotes[id] ?? "", step: step)
        var push: String?
        if case .hear(let pattern, _) = step, RecordingReplay.isPush(pattern), let kind = pattern.frameKind,
            RecordingReplay.latestWins.contains(kind)
        {
            push = kind
            // Unless it begins a course that others refer to.
            held.removeAll {
                $0.push == kind && $0.line.remote == line.remote && !$0.line.leads && now - $0.at < Self.holdingTime
            }
        }
        if line.isCausal {
            for index in held.indices {
                guard held[index].push != nil, case .hear(let pattern, var hearing) = held[index].line.step,
                    !held[index].line.leads, now - held[index].at < Self.holdingTime
                else { continue }
                hearing.isOptional = true
                held[index].line.step = .hear(pattern, hearing)
            }
        }
        held.append(Held(line: line, at: now, push: push))
    }

    /// When `lines` has something to give.
    package var nextDeadline: SteadyTime? { held.first.map { $0.at + Self.holdingTime } }

    /// The lines that are certain by `now`, each as JSON text; all of them at the end.
    package mutating func lines(now: SteadyTime, isEnd: Bool = false) -> [String] {
        var lines: [String] = []
        let isKnown = hasStart || isEnd || (held.first.map { now - $0.at > 2 } ?? false)
        guard isKnown else { return [] }
        if headerText == nil {
            let text = headerLine
            headerText = text
            lines.append(text)
        }
        while let first = held.first, isEnd || now - first.at >= Self.holdingTime {
            lines.append(Pattern.text(of: first.line.json))
            held.removeFirst()
        }
        return lines
    }

    // MARK: Header

    /// The header, made as long as it may become by spaces at its end.
    private var headerLine: String {
        var header = header
        // Only who turns it needs to know whether there is one.
        if turnsVolume { header.film.hasVolume = hasVolume ?? false }
        var bare = header
        bare.film.hasVolume = nil
        let text = Pattern.text(of: header.headerJSON)
        let room = Pattern.text(of: bare.headerJSON).utf8.count + Self.roomForVolume
        return text + String(repeating: " ", count: max(0, room - text.utf8.count))
    }

    /// What is to stand in place of the header that `lines` gave, with the same number of bytes; `nil` where that is right.
    package mutating func correctedHeader() -> String? {
        let text = headerLine
        guard let headerText, headerText != text else { return nil }
        self.headerText = text
        return text
    }

    private var hasStart = false

    private mutating func learnStart(_ line: [UInt8]) {
        guard !hasStart || hasVolume == nil, let frame = try? HostFrame(line: line) else { return }
        if case .snapshot(let snapshot) = frame.message, hasVolume == nil { hasVolume = snapshot.volume != nil }
        guard !hasStart else { return }
        // What is written stays as it is.
        let written = headerText.map { _ in header }
        defer { if let written { header = written } }
        switch frame.message {
        case .metadata(let metadata):
            header.film.tracks = metadata.tracks.count
            header.film.cues = metadata.cueCount
            header.start.track = metadata.tracks.firstIndex { $0.id == metadata.activeTrackID } ?? 0
            start(metadata.currentTime, metadata.duration, metadata.isPlaying)
        case .snapshot(let snapshot): start(snapshot.currentTime, snapshot.duration, snapshot.isPlaying)
        case .sessionEnded:
            header.start.hasSession = false
            hasStart = true
        default: break
        }
    }

    private mutating func start(_ position: Double, _ duration: Double, _ isPlaying: Bool) {
        hasStart = true
        header.film.seconds = duration.rounded(.down)
        header.start.isPlaying = isPlaying
        header.start.position =
            position >= duration && duration > 0 ? .end : .seconds((position * 1e3).rounded() / 1e3)
    }
}

extension Recording.Line {
    /// Whether pushes to everybody may be about it.
    var isCausal: Bool {
        switch step {
        case .stage: return true
        case .send(.frame(let frame)):
            return frame["kind"] == .string("command")
                && frame["payload"]?["kind"] != .string("requestCueChunk")
        default: return false
        }
    }

    /// Whether it gives its anchor a name.
    var leads: Bool {
        guard case .hear(let pattern, _) = step, case .number(let number)? = pattern["payload"]?["currentTime"] else {
            return false
        }
        return number.anchor != nil
    }
}
