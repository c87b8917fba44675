import FuzzKit
import RemoteCore
import WireProtocol

/// A remote machine, its shell, and what it has promised.
struct Walk {
    var machine: RemoteMachine
    var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    var attempt = 0
    /// Between `connectSucceeded` and the end of that connection.
    var isOpen = false
    var asked = 0
    var outcomes: [Int: Result<CommandReply, CommandFailure>] = [:]
    var taps: [Int: Double] = [:]
    var sentIDs: Set<MessageID> = []
    /// Commands without a reply, in order.
    var unanswered: [MessageID] = []
    var sentSkips = 0.0
    var wanted: [RemoteHello.HeldCues] = []

    init(staysWithHost: Bool) {
        machine = RemoteMachine(
            .init(remoteID: "remote", remoteName: "Phone", staysWithHost: staysWithHost, seed: 7))
    }

    // MARK: Events

    mutating func opened() {
        if case .connecting = machine.view.connection { isOpen = true }
        note(machine.connectSucceeded(attempt: attempt, now: now))
    }

    mutating func host(_ message: HostMessage, re: MessageID? = nil) {
        receive(message.line(re: re))
    }

    mutating func receive(_ bytes: [UInt8]) {
        note(machine.received(bytes, attempt: attempt, now: now))
    }

    mutating func tag() -> CommandTag {
        asked += 1
        return CommandTag(asked)
    }

    mutating func tap(_ seconds: Double) {
        let tag = tag()
        taps[tag.number] = seconds
        note(machine.tapSkip(seconds, tag: tag, now: now))
    }

    /// Lets time pass, with a tick at each deadline on the way.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        var ticks = 0
        while let next = machine.nextDeadline, next <= end {
            now = max(now, next)
            note(machine.tick(now: now))
            ticks += 1
            must(ticks < 5_000, "ticking comes to an end")
            // An attempt that is retried at once has no time of its own.
            if let next = machine.nextDeadline { must(next > now, "after a tick the next one lies ahead") }
        }
        now = end
        note(machine.tick(now: now))
    }

    // MARK: What the machine wants

    mutating func note(_ actions: [RemoteAction]) {
        for action in actions {
            switch action {
            case .connect(let number, _):
                must(number > attempt, "attempts are counted")
                must(!isOpen, "one connection at a time")
                attempt = number
            case .send(let bytes): sent(bytes)
            case .close: isOpen = false
            case .finished(let tag, let outcome):
                must((1...asked).contains(tag.number), "a tag is one of ours")
                must(outcomes.updateValue(outcome, forKey: tag.number) == nil, "a tag is settled once")
            case .changed(let changes): must(!changes.isEmpty, "a change is one")
            case .loadCues(let key): wanted.append(key)
            case .storeCues(let key, let cues):
                must(CueBundle.digest(of: cues) == key.digest, "only checked cues are stored")
            }
        }
        checkView()
    }

    private mutating func sent(_ bytes: [UInt8]) {
        must(isOpen, "nothing is sent without a connection")
        mustBeOneLine(bytes)
        must(bytes.count <= Limits.frameBytes, "what is sent fits a frame")
        let frame = RemoteFrame(line: bytes.dropLast())
        guard case .success(let message) = frame.content else { return must(false, "what is sent can be read") }
        guard case .command(let command) = message else { return }
        guard let id = frame.id, sentIDs.insert(id).inserted else { return must(false, "each command has an id") }
        unanswered.append(id)
        if case .skip(let seconds) = command { sentSkips += seconds }
    }

    private func checkView() {
        let view = machine.view
        mustBeSafe(view.title ?? "", "a title")
        mustBeSafe(view.hostName ?? "", "a host's name")
        mustBeSafe(view.by ?? "", "who did it")
        mustBeSafe(view.output?.name ?? "", "an output's name")
        mustBeSafe(view.lastError?.message ?? "", "an error")
        for track in view.tracks { mustBeSafe(track.label, "a track's label") }
        if let position = view.position(at: now) {
            must(position >= 0 && position.isFinite, "a position can be shown")
            must(view.duration <= 0 || position <= view.duration, "a position is in the film")
        }
        if let volume = view.volume(at: now) { must((0...1).contains(volume), "a volume is 0 to 1") }
        if case .ready(let timeline) = view.cues {
            must(!timeline.cues.isEmpty, "ready cues are some")
            if let index = view.currentCueIndex(at: now) {
                must(timeline.cues.indices.contains(index), "a cue is there")
            }
            if let next = view.nextCueChange(after: now) { must(next > now, "the next cue lies ahead") }
        }
        if case .connected = view.connection { must(isOpen, "connected is open") }
    }

    // MARK: End

    mutating func finish() {
        note(machine.stop(now: now))
        must(!isOpen, "a stopped remote has no connection")
        must(outcomes.count == asked, "every tag is settled")
        let left = taps.reduce(0.0) { sum, tap in
            switch outcomes[tap.key] {
            case .failure(.notSent): sum
            // Refused here, before it was sent.
            case .failure(.refused(let error)) where error.message == "That number is out of range.": sum
            default: sum + tap.value
            }
        }
        must(sentSkips == left, "what was sent is exactly what was not told as unsent")
        pass(VolumeThrottle.settling)
        must(machine.nextDeadline == nil, "a stopped remote waits for nothing")
    }
}
