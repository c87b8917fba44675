package import WireProtocol

/// What the user wants; every tag is settled exactly once, and nothing is ever sent twice.
extension RemoteMachine {
    /// Seconds of one tap or seek beyond which a number is an accident (a thousand hours).
    private static let longestTime = 3_600_000.0

    /// Sends `command` at once; taps still pending go out before it, so that the order stays the user's.
    package mutating func command(_ command: Command, tag: CommandTag, now: SteadyTime) -> [RemoteAction] {
        guard case .connected = connection else { return refuse(tag, .notSent) }
        guard isSound(command) else {
            return refuse(tag, .refused(WireError(.invalidArgument, "That number is out of range.")))
        }
        switch command {
        case .setVolume(let value):
            // An older turn must not overtake it.
            finish(\.volumeTags, .success(.nothingToSend))
            volume.set(value, now: now)
            send(command, .volume, [tag], now)
            changes.insert(.volume)
        case .skip(let seconds):
            flushPendingSkip(now)
            sendSkip(seconds, [tag], now)
        case .requestCueChunk, .describe:
            send(command, .caller, [tag], now)
        case .play, .pause, .togglePlayPause, .seek, .switchTrack:
            flushPendingSkip(now)
            send(command, .caller, [tag], now)
        }
        return handOver()
    }

    /// Adds a skip tap; its tag is settled with the command that carries the sum.
    package mutating func tapSkip(_ seconds: Double, tag: CommandTag, now: SteadyTime) -> [RemoteAction] {
        guard case .connected = connection else { return refuse(tag, .notSent) }
        guard isSound(.skip(seconds: seconds)) else {
            return refuse(tag, .refused(WireError(.invalidArgument, "That number is out of range.")))
        }
        // Taps may come later than the deadline of the window they would join.
        if let release = skips.release(at: now) { sendSkip(release, now) }
        skips.tap(seconds, now: now)
        skipTags.append(tag)
        changes.insert([.pendingSkip, .playback])
        return handOver()
    }

    /// Sends the taps so far without waiting for their window.
    package mutating func flushSkips(now: SteadyTime) -> [RemoteAction] {
        flushPendingSkip(now)
        return handOver()
    }

    /// Turns the volume to `value`, 0 to 1; its tag is settled with the command that carries the latest value.
    package mutating func turnVolume(to value: Double, tag: CommandTag, now: SteadyTime) -> [RemoteAction] {
        guard case .connected = connection else { return refuse(tag, .notSent) }
        guard isSound(.setVolume(value)) else {
            return refuse(tag, .refused(WireError(.invalidArgument, "A volume is a number from 0 to 1.")))
        }
        if let release = volume.release(at: now) { sendVolume(release, now) }
        volume.turn(to: value, now: now)
        volumeTags.append(tag)
        changes.insert(.volume)
        return handOver()
    }

    private func isSound(_ command: Command) -> Bool {
        switch command {
        case .skip(let seconds), .seek(let seconds): abs(seconds) <= Self.longestTime
        case .setVolume(let value): (0...1).contains(value)
        case .play, .pause, .togglePlayPause, .switchTrack, .requestCueChunk, .describe: true
        }
    }

    private mutating func refuse(_ tag: CommandTag, _ failure: CommandFailure) -> [RemoteAction] {
        actions.append(.finished(tag, .failure(failure)))
        return handOver()
    }

    private mutating func flushPendingSkip(_ now: SteadyTime) {
        if let release = skips.flush() { sendSkip(release, now) }
    }

    mutating func sendSkip(_ release: SkipCoalescer.Release, _ now: SteadyTime) {
        switch release {
        case .send(let seconds):
            let tags = skipTags
            skipTags = []
            sendSkip(seconds, tags, now)
        case .nothing:
            finish(\.skipTags, .success(.nothingToSend))
            changes.insert(.pendingSkip)
        }
    }

    private mutating func sendSkip(_ seconds: Double, _ tags: [CommandTag], _ now: SteadyTime) {
        let id = send(.skip(seconds: seconds), .skip, tags, now)
        preview.sent(id: id, seconds: seconds, from: book.anchor)
        changes.insert([.pendingSkip, .playback])
    }

    mutating func sendVolume(_ release: VolumeThrottle.Release, _ now: SteadyTime) {
        switch release {
        case .send(let value):
            let tags = volumeTags
            volumeTags = []
            send(.setVolume(value), .volume, tags, now)
        case .nothing:
            finish(\.volumeTags, .success(.nothingToSend))
        }
    }

    @discardableResult
    private mutating func send(
        _ command: Command, _ origin: CommandLedger.Origin, _ tags: [CommandTag], _ now: SteadyTime
    ) -> Int {
        let id = ledger.book(origin, tags, now: now)
        actions.append(.send(RemoteMessage.command(command).line(id: .integer(id))))
        return id
    }

    /// Does what the cue download asks for.
    mutating func perform(_ steps: [CueDownload.Step], _ now: SteadyTime) {
        for step in steps {
            switch step {
            case .request(let request): send(.requestCueChunk(request), .cues, [], now)
            case .load(let key): actions.append(.loadCues(key))
            case .store(let key, let cues): actions.append(.storeCues(key, cues))
            case .published: changes.insert(.cues)
            }
        }
    }

    /// Settles a command that left.
    mutating func settle(
        _ entry: CommandLedger.Entry, _ outcome: Result<CommandReply, CommandFailure>, anchor: Anchor? = nil
    ) {
        for tag in entry.tags { actions.append(.finished(tag, outcome)) }
        switch entry.origin {
        case .skip:
            preview.ended(id: entry.id, at: anchor ?? book.anchor)
            changes.insert([.pendingSkip, .playback])
        case .volume:
            if case .failure = outcome { volume.sendingFailed() }
        case .caller, .cues: break
        }
    }

    /// Settles what has not left, or need not.
    mutating func finish(
        _ tags: WritableKeyPath<RemoteMachine, [CommandTag]>, _ outcome: Result<CommandReply, CommandFailure>
    ) {
        for tag in self[keyPath: tags] { actions.append(.finished(tag, outcome)) }
        self[keyPath: tags] = []
    }
}
