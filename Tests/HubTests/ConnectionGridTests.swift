import Hub
import Testing
import WireProtocol

/// The states a connection can be in when something happens.
enum Stage: String, CaseIterable, Sendable {
    case silent, anonymous, subscribed, closing

    /// A peer in this state that has read everything so far.
    func peer() throws -> Peer {
        var peer = Peer()
        switch self {
        case .silent: break
        case .anonymous: _ = peer.send(Line.ping)
        case .subscribed: _ = peer.send(Line.hello)
        case .closing: _ = peer.machine.goodbye(.shutdown)
        }
        _ = try peer.read()
        return peer
    }
}

private func text(_ actions: [ConnectionMachine.Action]) -> String {
    actions.map {
        switch $0 {
        case .deliver(_, _, let peer): "deliver from \(peer.id)"
        case .subscribe(let hello): "subscribe \(hello.remoteID)"
        case .close(let reason): "close: \(reason)"
        }
    }.joined(separator: ", ")
}

@Suite("Every message in every state of a connection")
struct ConnectionGridTests {
    /// Checks `stage | actions | what the peer then reads` for each line of the table.
    private func check(_ table: String, _ step: (inout Peer) -> [ConnectionMachine.Action]) throws {
        var seen: Set<Stage> = []
        for row in table.split(separator: "\n") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.split(separator: " ").joined(separator: " ")
            }
            let stage = try #require(Stage(rawValue: cells[0]))
            var peer = try stage.peer()
            let actions = text(step(&peer))
            let read = try peer.readWords().joined(separator: ", ")
            #expect([actions, read] == Array(cells[1...]), "\(stage)")
            seen.insert(stage)
        }
        #expect(seen.count == Stage.allCases.count)
    }

    @Test("hello subscribes; a second one renews the subscription")
    func hello() throws {
        try check(
            """
            silent     | subscribe r1 |
            anonymous  | subscribe r1 |
            subscribed | subscribe r1 |
            closing    |              |
            """
        ) { $0.send(Line.hello) }
    }

    @Test("a command is delivered with who sent it")
    func command() throws {
        try check(
            """
            silent     | deliver from unnamed |
            anonymous  | deliver from unnamed |
            subscribed | deliver from r1      |
            closing    |                      |
            """
        ) { $0.send(Line.play) }
    }

    @Test("a ping is answered by a pong")
    func ping() throws {
        try check(
            """
            silent     | | pong 2
            anonymous  | | pong 2
            subscribed | | pong 2
            closing    | |
            """
        ) { $0.send(Line.ping) }
    }

    @Test("a pong needs no answer")
    func pong() throws {
        try check(
            """
            silent     | |
            anonymous  | |
            subscribed | |
            closing    | |
            """
        ) { $0.send(Line.pong) }
    }

    @Test("goodbye closes")
    func goodbye() throws {
        try check(
            """
            silent     | close: goodbye |
            anonymous  | close: goodbye |
            subscribed | close: goodbye |
            closing    |                |
            """
        ) { $0.send(Line.goodbye) }
    }

    @Test("what is not JSON is told, and the connection lives on")
    func garbage() throws {
        try check(
            """
            silent     | | error malformed
            anonymous  | | error malformed
            subscribed | | error malformed
            closing    | |
            """
        ) { $0.send(Line.garbage) }
    }

    @Test("an unknown kind is told with its id")
    func unknownKind() throws {
        try check(
            """
            silent     | | error 3 unknownKind
            anonymous  | | error 3 unknownKind
            subscribed | | error 3 unknownKind
            closing    | |
            """
        ) { $0.send(Line.unknownKind) }
    }

    @Test("a command that lacks its argument is told, not delivered")
    func badCommand() throws {
        try check(
            """
            silent     | | error 4 invalidArgument
            anonymous  | | error 4 invalidArgument
            subscribed | | error 4 invalidArgument
            closing    | |
            """
        ) { $0.send(Line.badCommand) }
    }

    @Test("another protocol is refused")
    func otherProtocol() throws {
        try check(
            """
            silent     | close: protocol 2 | error 9 unsupportedProtocol
            anonymous  | close: protocol 2 | error 9 unsupportedProtocol
            subscribed | close: protocol 2 | error 9 unsupportedProtocol
            closing    |                   |
            """
        ) { $0.send(#"{"kind":"hello","id":9,"payload":{"protocol":2,"remote":{"id":"r"}}}"# + "\n") }
    }

    @Test("a frame over the limit is refused and closes")
    func tooLarge() throws {
        try check(
            """
            silent     | close: frame too large | error frameTooLarge
            anonymous  | close: frame too large | error frameTooLarge
            subscribed | close: frame too large | error frameTooLarge
            closing    |                        |
            """
        ) { $0.send([UInt8](repeating: UInt8(ascii: "{"), count: Limits.frameBytes)) }
    }

    @Test("pushes go to subscribers only")
    func pushes() throws {
        try check(
            """
            silent     | |
            anonymous  | |
            subscribed | | metadata Film, snapshot 7
            closing    | |
            """
        ) {
            $0.machine.push(metadata: metadataLine("Film"), snapshot: snapshotLine(7))
            return []
        }
    }

    @Test("the end of the session is told to subscribers only")
    func sessionEnded() throws {
        try check(
            """
            silent     | |
            anonymous  | |
            subscribed | | sessionEnded
            closing    | |
            """
        ) {
            $0.machine.pushSessionEnded()
            return []
        }
    }

    @Test("the host's goodbye is the last thing sent, once")
    func hostGoodbye() throws {
        try check(
            """
            silent     | close: shutdown | goodbye shutdown
            anonymous  | close: shutdown | goodbye shutdown
            subscribed | close: shutdown | goodbye shutdown
            closing    |                 |
            """
        ) {
            $0.machine.push(metadata: metadataLine("Film"), snapshot: snapshotLine(7))
            return $0.machine.goodbye(.shutdown)
        }
    }

    @Test("after 10 s without a first frame a connection is closed; after 30 s of silence a subscriber is asked")
    func shortSilence() throws {
        try check(
            """
            silent     | close: timeout | goodbye timeout
            anonymous  |                |
            subscribed |                | ping
            closing    |                |
            """
        ) { peer in [10.0, 20].flatMap { peer.wait($0) } }
    }

    @Test("after 60 s of silence it is closed")
    func longSilence() throws {
        try check(
            """
            silent     | close: timeout | goodbye timeout
            anonymous  | close: timeout | goodbye timeout
            subscribed | close: timeout | ping, goodbye timeout
            closing    |                |
            """
        ) { peer in [30.0, 30].flatMap { peer.wait($0) } }
    }

    @Test("the clock's next appointment")
    func deadlines() throws {
        let expected: [Stage: Double?] = [.silent: 10, .anonymous: 60, .subscribed: 30, .closing: nil]
        for stage in Stage.allCases {
            let peer = try stage.peer()
            #expect(peer.machine.nextDeadline.map { $0 - peer.now } == expected[stage], "\(stage)")
        }
    }
}
