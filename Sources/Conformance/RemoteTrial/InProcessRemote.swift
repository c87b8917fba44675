internal import RemoteCore
package import WireProtocol

/// This project's remote machine with a keyboard and a voice, so that the trials can be played on virtual time.
///
/// It takes the typed words and says the lines of `Protocol/conformance.md`.
package struct InProcessRemote: Sendable {
    /// What it wants of the world.
    package enum Wish: Sendable {
        case connect(attempt: Int)
        case send([UInt8])
        case close
        case say(String)
    }

    private var machine: RemoteMachine
    private var words: [CommandTag: String] = [:]
    private var cache: [String: [Cue]] = [:]
    private var lastTag = 0

    package init(seed: UInt64 = 1) {
        machine = RemoteMachine(.init(remoteID: "in-process", remoteName: "in-process", seed: seed))
    }

    package var nextDeadline: SteadyTime? { machine.nextDeadline }

    package mutating func start(now: SteadyTime) -> [Wish] { wishes(machine.start(now: now), now) }

    package mutating func connectSucceeded(attempt: Int, now: SteadyTime) -> [Wish] {
        wishes(machine.connectSucceeded(attempt: attempt, now: now), now)
    }

    package mutating func connectFailed(attempt: Int, now: SteadyTime) -> [Wish] {
        wishes(machine.connectFailed(attempt: attempt, now: now), now)
    }

    package mutating func closed(attempt: Int, now: SteadyTime) -> [Wish] {
        wishes(machine.closed(attempt: attempt, now: now), now)
    }

    package mutating func received(_ bytes: [UInt8], attempt: Int, now: SteadyTime) -> [Wish] {
        wishes(machine.received(bytes, attempt: attempt, now: now), now)
    }

    package mutating func tick(now: SteadyTime) -> [Wish] { wishes(machine.tick(now: now), now) }

    /// Takes one typed line.
    package mutating func typed(_ line: String, now: SteadyTime) -> [Wish] {
        if line.isEmpty { return [.say(state(now))] }
        if line.hasPrefix("+") || line.hasPrefix("-"), let seconds = Double(line) {
            return wishes(machine.tapSkip(seconds, tag: tag(line), now: now), now)
        }
        if line.hasPrefix("volume "), let percent = Double(line.dropFirst(7)) {
            return wishes(machine.turnVolume(to: percent / 100, tag: tag(line), now: now), now)
        }
        guard let command = command(line) else { return [.say("not understood: \(line)")] }
        return wishes(machine.command(command, tag: tag(line), now: now), now)
    }

    private mutating func tag(_ line: String) -> CommandTag {
        lastTag += 1
        words[CommandTag(lastTag)] = line
        return CommandTag(lastTag)
    }

    private func command(_ line: String) -> Command? {
        let parts = line.split(separator: " ").map(String.init)
        switch (parts.first, parts.count > 1 ? parts[1] : nil) {
        case ("play", nil): return .play
        case ("pause", nil): return .pause
        case ("toggle", nil): return .togglePlayPause
        case ("seek", let time?):
            let steps = time.split(separator: ":").map { Double($0) }
            return steps.contains(nil) ? nil : .seek(time: steps.reduce(0) { $0 * 60 + ($1 ?? 0) })
        case ("cue", let number?):
            guard case .ready(let timeline) = machine.view.cues else { return nil }
            return timeline.cues.first { $0.index == Int(number) }.map { .seek(time: $0.start) }
        case ("track", let number?):
            let tracks = machine.view.tracks
            guard let place = Int(number), tracks.indices.contains(place - 1) else { return nil }
            return .switchTrack(trackID: tracks[place - 1].id)
        default: return nil
        }
    }

    private func state(_ now: SteadyTime) -> String {
        let view = machine.view
        guard let position = view.position(at: now) else { return "-:-- no film" }
        let hundredths = Int((position * 100).rounded())
        let padded = [hundredths / 100 % 60, hundredths % 100].map { $0 < 10 ? "0\($0)" : "\($0)" }
        var cue = ""
        if case .ready(let timeline) = view.cues, let place = view.currentCueIndex(at: now),
            timeline.cues.indices.contains(place)
        {
            cue = SafeText.line(timeline.cues[place].text)
        }
        let state = view.isPlaying ? "playing" : "paused"
        return "\(hundredths / 6000):\(padded[0]).\(padded[1]) \(state) \(view.title ?? ""): \(cue)"
    }

    private mutating func wishes(_ actions: [RemoteAction], _ now: SteadyTime) -> [Wish] {
        var wishes: [Wish] = []
        for action in actions {
            switch action {
            case .connect(let attempt, _): wishes.append(.connect(attempt: attempt))
            case .send(let bytes): wishes.append(.send(bytes))
            case .close: wishes.append(.close)
            case .finished(let tag, let result):
                let word = words.removeValue(forKey: tag) ?? ""
                switch result {
                case .success: break
                case .failure(.refused(let error)):
                    wishes.append(.say("\(word): \(error.code.rawValue): \(error.message)"))
                case .failure(.notSent), .failure(.lost): wishes.append(.say("not sent: \(word)"))
                }
            case .changed: break
            case .loadCues(let key):
                guard let cues = cache[key.digest] else { continue }
                wishes += self.wishes(machine.cuesLoaded(cues, sessionID: key.sessionID, now: now), now)
            case .storeCues(let key, let cues): cache[key.digest] = cues
            }
        }
        return wishes
    }
}
