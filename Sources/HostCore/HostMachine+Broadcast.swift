internal import Hub
internal import Playback
package import WireProtocol

extension HostMachine {
    /// Remotes that are told before the sound gets its orders; the rest of a crowd would keep the sound waiting.
    static let toldFirst = 16

    /// Ends a turn: what has changed in it is told to every remote, once, and after the replies to what caused it.
    package mutating func endTurn(now: SteadyTime) -> [HostAction] {
        if !staleViews.isEmpty { broadcast(now) }
        guard !withOutput.isEmpty else { return takeOrders() }
        let writes = withOutput.map { HostAction.write($0) }
        withOutput.removeAll(keepingCapacity: true)
        return writes.prefix(Self.toldFirst) + takeOrders() + writes.dropFirst(Self.toldFirst)
    }

    private mutating func broadcast(_ now: SteadyTime) {
        let change = staleViews
        staleViews = []
        defer { (owesCues, owesEnd) = (false, false) }
        guard let (metadata, snapshot) = views(now) else {
            // A film that was playing would otherwise be told every second to have ended.
            gate.changed(isPlaying: false, now: now)
            return forEachSubscriber { $0.machine.pushSessionEnded() }
        }
        gate.changed(isPlaying: snapshot.isPlaying, now: now)
        // Encoded once for all remotes.
        let snapshotLine = change.contains(.snapshot) ? HostMessage.snapshot(snapshot).line() : nil
        let metadataLine = change.contains(.metadata) ? HostMessage.metadata(metadata).line() : nil
        let (endsFirst, shelf) = (owesEnd, owesCues ? shelf : nil)
        forEachSubscriber {
            if endsFirst { $0.machine.pushSessionEnded() }
            $0.machine.push(metadata: metadataLine, snapshot: snapshotLine)
            if let shelf { $0.push(cues: shelf) }
        }
    }

    private mutating func forEachSubscriber(_ body: (inout Connection) -> Void) {
        for place in connections.indices where connections.values[place].machine.isSubscribed {
            body(&connections.values[place])
            withOutput.insert(connections.keys[place])
        }
    }

    /// Metadata and snapshot for one instant; `nil` without a session.
    ///
    /// That instant is not before what remotes have: a sound on its way is anchored ahead of now.
    mutating func views(_ now: SteadyTime) -> (SessionMetadata, Snapshot)? {
        let instant = max(now, latestAnchor)
        guard let metadata = transport.metadata(at: instant), let snapshot = transport.snapshot(at: instant) else {
            return nil
        }
        noteAnchor(snapshot)
        return (metadata, snapshot)
    }

    mutating func noteAnchor(_ snapshot: Snapshot) {
        latestAnchor = max(latestAnchor, clock.time(of: snapshot.serverDate))
    }
}
