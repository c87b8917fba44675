package import WireProtocol

/// What a caller names an intention by; each is resolved by exactly one `RemoteAction.finished`.
package struct CommandTag: Hashable, Sendable {
    package var number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// How a command went well.
package enum CommandReply: Equatable, Sendable {
    case snapshot(Snapshot)
    case cueChunk(CueChunk)
    case schema(SchemaReply)
    /// There was nothing to send: taps that cancel out, a volume that is already set or was overtaken by a newer one.
    case nothingToSend
}

/// Why a command did not.
package enum CommandFailure: Error, Equatable, Sendable {
    /// It never left; doing it again is safe.
    case notSent
    /// The host said no.
    case refused(WireError)
    /// It left, and no reply came before the link broke or 5 s had passed: nobody knows.
    case lost
}

/// Commands that left and wait for their one reply; none is ever sent again.
struct CommandLedger: Sendable {
    /// Seconds to wait for a reply.
    static let timeout = 5.0

    enum Origin: Equatable, Sendable {
        case caller
        case skip
        case volume
        case cues
    }

    struct Entry: Sendable {
        var id: Int
        var origin: Origin
        var tags: [CommandTag]
        var deadline: SteadyTime
    }

    private var entries: [Entry] = []
    private var nextID = 1

    var nextDeadline: SteadyTime? { entries.first?.deadline }

    /// Books a command and gives the id it travels under, unique over all connections.
    mutating func book(_ origin: Origin, _ tags: [CommandTag], now: SteadyTime) -> Int {
        defer { nextID += 1 }
        entries.append(Entry(id: nextID, origin: origin, tags: tags, deadline: now + Self.timeout))
        return nextID
    }

    mutating func finish(_ id: MessageID?) -> Entry? {
        guard case .integer(let number) = id, let place = entries.firstIndex(where: { $0.id == number }) else {
            return nil
        }
        return entries.remove(at: place)
    }

    mutating func expired(now: SteadyTime) -> [Entry] {
        let late = entries.prefix { $0.deadline <= now }
        entries.removeFirst(late.count)
        return Array(late)
    }

    mutating func drain() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}
