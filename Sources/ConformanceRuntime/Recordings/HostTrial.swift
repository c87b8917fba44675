internal import Conformance
internal import LinuxSystem
internal import Transport
internal import WireProtocol

/// Carries out a replay against a host that listens somewhere, in real time.
final class HostTrial {
    private final class Link {
        var connector: Connector?
        var channel: Channel?
        var framer = LineFramer()
        var unsent: [UInt8] = []
        var isReading = true
    }

    private let loop: EventLoop
    private let host: [Endpoint]
    private let stage: StageCommand
    private let onCheck: (Check) -> Void
    private var run: ReplayRun
    private var links: [Int: Link] = [:]
    /// Said their last and not closed yet.
    private var parting: [Int: Link] = [:]
    private var timer: (deadline: SteadyTime, timer: EventLoop.Timer)?

    init(
        _ recordings: [Recording], host: [Endpoint], stage: StageCommand, pace: ReplayPace, loop: EventLoop,
        onCheck: @escaping (Check) -> Void
    ) {
        self.loop = loop
        self.host = host
        self.stage = stage
        self.onCheck = onCheck
        run = ReplayRun(recordings, pace: pace, now: MonotonicClock.now())
    }

    /// Returns when the last recording is done.
    func runToEnd() {
        stage.onOutcome = { [weak self] in self?.happened(.staged($0)) }
        loop.onTurnEnd = { [weak self] in self?.armTimer() }
        perform(run.begin(now: MonotonicClock.now()))
        if !run.isFinished { loop.run() }
        loop.onTurnEnd = {}
        links = [:]
        parting = [:]
    }

    private func happened(_ event: ReplayEvent) {
        perform(run.handle(event, now: MonotonicClock.now()))
    }

    private func perform(_ actions: [ReplayAction]) {
        for action in actions {
            switch action {
            case .connect(let id): connect(id)
            case .send(let id, let bytes): links[id]?.unsent += bytes
            case .disconnect(let id): disconnect(id)
            case .read(let id, let reads):
                links[id]?.isReading = reads
                links[id]?.channel?.isReading = reads
            case .stage(let words): stage.perform(words)
            case .check(let check): onCheck(check)
            case .finished: loop.stop()
            }
        }
        // Lines of one moment are one packet: what the host does between two of them is no part of a recording.
        for link in links.values where !link.unsent.isEmpty { link.channel?.flush() }
    }

    private func armTimer() {
        let deadline = run.nextDeadline
        guard deadline != timer?.deadline else { return }
        if let timer { loop.cancel(timer.timer) }
        timer = deadline.map { ($0, loop.schedule(at: $0) { [weak self] in self?.deadlineReached() }) }
    }

    private func deadlineReached() {
        timer = nil
        perform(run.tick(now: MonotonicClock.now()))
    }

    // MARK: Connections

    private func connect(_ id: Int) {
        let link = Link()
        links[id] = link
        link.connector = Connector(to: host, loop: loop) { [weak self, weak link] result in
            link?.connector = nil
            switch result {
            case .failure(let error): self?.happened(.refused(id, reason: error.sentence))
            case .success(let channel): self?.connected(id, channel)
            }
        }
    }

    private func connected(_ id: Int, _ channel: Channel) {
        guard let link = links[id] else { return }
        link.channel = channel
        channel.isReading = link.isReading
        channel.onBytes = { [weak self] in self?.received($0, on: id) }
        channel.onEnd = { [weak self] _ in self?.ended(id) }
        channel.nextOutput = { [weak link] in
            guard let link, !link.unsent.isEmpty else { return nil }
            defer { link.unsent = [] }
            return link.unsent
        }
        happened(.connected(id))
    }

    private func received(_ bytes: ArraySlice<UInt8>, on id: Int) {
        guard let link = links[id] else { return }
        var events: [ReplayEvent] = []
        link.framer.append(bytes) { frame in
            switch frame {
            case .line(let line): events.append(.line(id, line))
            case .tooLarge: events.append(.lineTooLong(id))
            }
        }
        events.forEach(happened)
    }

    private func ended(_ id: Int) {
        parting[id] = nil
        guard links.removeValue(forKey: id) != nil else { return }
        happened(.ended(id))
    }

    private func disconnect(_ id: Int) {
        guard let link = links.removeValue(forKey: id) else { return }
        link.connector?.cancel()
        guard let channel = link.channel, channel.isOpen else { return }
        // What has been sent is to arrive; a connection cut off with unread bytes is reset.
        channel.isReading = true
        parting[id] = link
        channel.closeWhenFlushed()
    }
}
