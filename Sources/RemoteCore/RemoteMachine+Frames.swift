internal import WireProtocol

/// What the host says.
extension RemoteMachine {
    mutating func takeLine(_ line: [UInt8], _ now: SteadyTime) {
        let frame: HostFrame
        do throws(WireError) {
            frame = try HostFrame(line: line)
        } catch {
            undecodableLines += 1
            return
        }
        if case .greeted(let attempt, _) = connection {
            takeBeforeHello(frame.message, attempt, now)
        } else {
            take(frame, now)
        }
    }

    /// Until the host has introduced itself, nothing else it says counts but its reasons to refuse us.
    private mutating func takeBeforeHello(_ message: HostMessage, _ attempt: Int, _ now: SteadyTime) {
        switch message {
        case .hello(let hello): takeHello(hello, attempt, now)
        case .error(let error): takeError(error, now)
        case .goodbye(let reason): takeGoodbye(reason, now)
        case .ping(let payload): answerPing(payload)
        case .metadata, .snapshot, .cueChunk, .sessionEnded, .schema, .pong, .unknown: break
        }
    }

    private mutating func takeHello(_ hello: HostHello, _ attempt: Int, _ now: SteadyTime) {
        if configuration.staysWithHost, let hostID, hostID != hello.hostID {
            // Another host has the port that ours had; ours is to be looked up.
            schedule.hostLeft()
            return drop(now)
        }
        hostName = SafeText.line(hello.hostName, maximumCharacters: Limits.nameCharacters)
        hostID = hello.hostID
        guard hello.protocolVersion == Self.protocolVersion else {
            return end(.incompatible(hostVersion: hello.protocolVersion), now)
        }
        schedule.connectionProven(now: now)
        clock.hello(serverDate: hello.serverDate, opened: connectBegan, received: now)
        // The host may be another process with another clock; nothing it says now is older than what we hold.
        book.connectionRenewed()
        lostSince = nil
        hostHasEnded = false
        lastError = nil
        setConnection(.connected(attempt: attempt))
    }

    private mutating func take(_ frame: HostFrame, _ now: SteadyTime) {
        switch frame.message {
        case .hello, .unknown: break
        case .ping(let payload): answerPing(payload)
        case .pong(let pong): takePong(pong, now)
        case .metadata(let metadata): takeMetadata(metadata.safeToShow, now)
        case .sessionEnded: takeSessionEnded()
        case .goodbye(let reason): takeGoodbye(reason, now)
        case .snapshot(let snapshot):
            let snapshot = snapshot.safeToShow
            takeSnapshot(snapshot, now)
            reply(frame.re, .success(.snapshot(snapshot)), anchor: Anchor(snapshot))
        case .cueChunk(let chunk):
            let entry = frame.re.flatMap { ledger.finish($0) }
            perform(download.take(chunk, isReply: entry?.origin == .cues, now: now), now)
            changes.insert(.cues)
            if let entry { settle(entry, .success(.cueChunk(chunk))) }
        case .schema(let schema):
            if let entry = ledger.finish(frame.re) { settle(entry, .success(.schema(schema))) }
        case .error(let error):
            guard frame.re != nil else { return takeError(error, now) }
            guard let entry = ledger.finish(frame.re) else { return }
            if entry.origin == .cues { download.refused(error, now: now) }
            settle(entry, .failure(.refused(error)))
        }
    }

    private mutating func reply(
        _ id: MessageID?, _ outcome: Result<CommandReply, CommandFailure>, anchor: Anchor
    ) {
        guard let id, let entry = ledger.finish(id) else { return }
        settle(entry, outcome, anchor: anchor)
    }

    /// A number written without its exponent may grow a hundredfold; then the sign of life has to do.
    private mutating func answerPing(_ payload: JSONValue) {
        let pong = RemoteMessage.pong(Pong(payload: payload)).lineWithinFrame()
        actions.append(.send(pong ?? RemoteMessage.pong(Pong(payload: .object([]))).line()))
    }

    private mutating func takePong(_ pong: Pong, _ now: SteadyTime) {
        guard let sent = watch?.answered(pong.payload), let date = pong.serverDate else { return }
        notingChanges(now) { $0.clock.pong(sent: sent, serverDate: date, received: now) }
        watch?.measured(isSettled: clock.isSettled)
    }

    private mutating func takeMetadata(_ metadata: SessionMetadata, _ now: SteadyTime) {
        if let held = book.metadata, held.sessionID != metadata.sessionID { preview.clear() }
        notingChanges(now) { $0.book.take(metadata) }
        perform(download.take(metadata, now: now), now)
    }

    private mutating func takeSnapshot(_ snapshot: Snapshot, _ now: SteadyTime) {
        var verdict = AnchorBook.Verdict.dropped
        notingChanges(now) { verdict = $0.book.take(snapshot) }
        guard verdict != .dropped else { return }
        if volume.hostReported(snapshot.volume) { changes.insert(.volume) }
    }

    private mutating func takeSessionEnded() {
        book.sessionEnded()
        preview.clear()
        volume.hostReported(nil)
        _ = download.sessionEnded()
        changes.insert([.status, .session, .playback, .volume, .cues])
    }

    private mutating func takeError(_ error: WireError, _ now: SteadyTime) {
        lastError = error
        changes.insert(.status)
        switch error.code {
        case .unsupportedProtocol: end(.incompatible(hostVersion: nil), now)
        case .unauthorized: end(.unauthorized(error), now)
        default: break
        }
    }

    private mutating func takeGoodbye(_ reason: GoodbyeReason, _ now: SteadyTime) {
        switch reason {
        case .finished: return end(.finished, now)
        case .shutdown:
            schedule.hostLeft()
            hostHasEnded = true
        case .timeout, .other: break
        }
        drop(now)
    }
}
