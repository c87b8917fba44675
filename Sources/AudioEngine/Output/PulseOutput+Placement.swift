internal import CPulse
internal import LinuxSystem
internal import WireProtocol

/// Where the stream that sounds is put.
extension PulseOutput {
    /// What the server has told of itself, and when that last changed.
    struct ServerKnowledge {
        var defaultSink: String?
        var changedAt: SteadyTime?
        var isPipeWire = false

        /// Takes what it tells now; `true` when the default sink is another than a moment ago.
        mutating func learn(_ info: PulseServerInfo, now: SteadyTime) -> Bool {
            isPipeWire = info.isPipeWire
            if defaultSink != nil, info.defaultSink != defaultSink { changedAt = now }
            defaultSink = info.defaultSink
            return changedAt.map { now - $0 < ServerKnowledge.moment } ?? false
        }

        /// Seconds within which a stream follows a new default sink (PipeWire takes some tens of milliseconds).
        private static let moment = 0.5
    }

    var isMisplaced: Bool {
        guard let wantedSink, let sink = stream?.sinkName else { return false }
        return sink != wantedSink
    }

    func learnOfServer(from connection: PulseConnection) {
        connection.readServer { [weak self] info in
            if let info { _ = self?.server.learn(info, now: MonotonicClock.now()) }
        }
    }

    /// Has the stand-in find a place, and the sound follow it there.
    func place(on connection: PulseConnection) {
        if let name = placement?.sinkName { return openStream(connection, on: name) }
        watchdog?.set(after: PulseOutput.patience)
        placement = PulsePlacement(connection, sink: sinkName)
        guard let placement else { return lose(reason: unopened(connection.reason), reconnect: false) }
        placement.onPlaced = { [unowned self] in placed() }
        placement.onEnd = { [unowned self] in placementEnded() }
    }

    private func placementEnded() {
        placement = nil
        // The sound can do without; it only cannot be moved until it is opened again.
        if isOpening { lose(reason: unopened(connection?.reason ?? ""), reconnect: false) }
    }

    private func placed() {
        guard let connection, let name = placement?.sinkName else { return }
        guard let stream else { return isOpening ? openStream(connection, on: name) : () }
        guard isPresent, stream.sinkName != name else { return }
        // Answered in order: when the sink has gone, the end of the stream on it is told before this answer comes.
        // The connection keeps the question, and the stream the connection: what is never answered must keep neither.
        connection.readServer { [weak self, weak connection, weak stream] info in
            guard let self, let info, let connection, let stream else { return }
            let isByDefault = server.learn(info, now: MonotonicClock.now()) && info.defaultSink == name
            connection.readSink(stream.sinkIndex) { [weak self, weak stream] sink in
                guard let self, let sink, let stream, isPresent, self.stream === stream, placement?.sinkName == name
                else { return }
                follow(to: name, from: sink, isByDefault: isByDefault)
            }
        }
    }

    /// The stand-in was moved to `name`, by the user or (`isByDefault`) because the default sink is another now.
    private func follow(to name: String, from sink: PulseSink, isByDefault: Bool) {
        if isRunning, let before = self.sink, sink.hasLostPlug(since: before) { return losePlug(of: sink) }
        if isByDefault, let sinkName {
            if let connection, let placement { connection.moveStream(placement.index, toSink: sinkName) }
            return
        }
        wantedSink = name
        if !isRunning { return reopen() }
        // A new default may come with a plug pushed in or pulled: nothing that sounds goes there unasked, only later.
        if !isByDefault { delegate?.deviceMustMove() }
    }
}
