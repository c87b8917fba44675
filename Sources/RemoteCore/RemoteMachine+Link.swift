internal import WireProtocol

/// Opening, losing and ending the connection.
extension RemoteMachine {
    /// The actions so far, and one word on what changed in the view.
    mutating func handOver() -> [RemoteAction] {
        if !changes.isEmpty { actions.append(.changed(changes)) }
        defer {
            actions = []
            changes = []
        }
        return actions
    }

    mutating func setConnection(_ new: ConnectionState) {
        connection = new
        changes.insert(.status)
    }

    func isOpen(_ attempt: Int) -> Bool {
        switch connection {
        case .greeted(attempt, _), .connected(attempt): true
        default: false
        }
    }

    mutating func connect(to target: ReconnectSchedule.Target, _ now: SteadyTime) {
        lastAttempt += 1
        connectBegan = now
        setConnection(.connecting(attempt: lastAttempt, deadline: now + Self.connectTimeout))
        actions.append(.connect(attempt: lastAttempt, target))
    }

    /// Closes a connection that is of no use any more, and tries again.
    mutating func drop(_ now: SteadyTime) {
        actions.append(.close)
        connectionLost(now)
    }

    mutating func connectionLost(_ now: SteadyTime) {
        letGo(now)
        let next = schedule.nextAttempt(now: now, random: random.fraction())
        if next.time <= now {
            connect(to: next.target, now)
        } else {
            setConnection(.disconnected(nextAttempt: next))
        }
    }

    /// Stops trying; closes what is open or being opened.
    mutating func end(_ reason: EndReason, _ now: SteadyTime) {
        switch connection {
        case .connecting, .greeted, .connected: actions.append(.close)
        case .idle, .disconnected, .ended: break
        }
        letGo(now)
        setConnection(.ended(reason))
    }

    /// Settles every open intention: what left is lost, what did not is not sent.
    private mutating func letGo(_ now: SteadyTime) {
        if case .connected = connection { lostSince = watch?.lastHeard ?? now }
        watch = nil
        framer = LineFramer()
        for entry in ledger.drain() { settle(entry, .failure(.lost)) }
        if preview.seconds != 0 || skips.isPending { changes.insert([.pendingSkip, .playback]) }
        preview.clear()
        skips.cancel()
        volume.disconnected()
        changes.insert(.volume)
        finish(\.skipTags, .failure(.notSent))
        finish(\.volumeTags, .failure(.notSent))
        download.disconnected()
    }

    mutating func pingIfDue(_ now: SteadyTime) {
        guard let payload = watch?.ping(now: now) else { return }
        actions.append(.send(RemoteMessage.ping(payload).line()))
    }
}

/// Steele, Lea and Flood's SplitMix64: small, seedable, good enough to spread retries.
struct SplitMix64: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 up to 1.
    mutating func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
