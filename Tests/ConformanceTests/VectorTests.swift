import Hub
import RemoteCore
import TestKit
import Testing
import WireProtocol

@Suite("Protocol/vectors: single lines and what they mean")
struct VectorTests {
    // MARK: Lines

    @Test(
        "the line reader makes of each what it should, however the bytes are cut",
        arguments: Vector.all.filter { !$0.isOfConnection })
    func reader(vector: Vector) throws {
        for pieces in [vector.pieces, [vector.bytes], vector.bytes.count < 1_000 ? vector.bytes.map { [$0] } : []]
        where !pieces.isEmpty {
            var framer = LineFramer()
            var results: [Vector.Expectation] = []
            for piece in pieces {
                var frames: [LineFramer.Frame] = []
                framer.append(piece) { frames.append($0) }
                results += try frames.map { try meaning($0, from: vector.sender) }
            }
            if vector.closes { results = Array(results.prefix(vector.expectations.count)) }
            #expect(results == vector.expectations)
        }
    }

    private func meaning(_ frame: LineFramer.Frame, from sender: Vector.Sender) throws -> Vector.Expectation {
        guard case .line(let line) = frame else { return .error(code: "frameTooLarge", re: .null) }
        switch sender {
        case .remote:
            let frame = RemoteFrame(line: line)
            switch frame.content {
            case .success(let message): return .message(try json(message.line(id: frame.id)))
            case .failure(let error): return .error(code: error.code.rawValue, re: try json(frame.id))
            }
        case .host:
            guard let frame = try? HostFrame(line: line) else { return .passedOver }
            if case .unknown = frame.message { return .passedOver }
            return .message(try json(frame.message.line(re: frame.re, id: frame.id)))
        }
    }

    private func json(_ line: [UInt8]) throws -> JSON { try JSON(String(decoding: line, as: UTF8.self)) }

    private func json(_ id: MessageID?) throws -> JSON {
        try json(HostMessage.sessionEnded.line(re: id))["re"]
    }

    // MARK: Connections

    @Test("a connection answers each as it should", arguments: Vector.all.filter { $0.sender == .remote })
    func connection(vector: Vector) throws {
        let date = WireDate(milliseconds: 1_772_396_105_030)
        var machine = ConnectionMachine(greeting: [], now: SteadyTime(nanoseconds: 0))
        func replies() throws -> [JSON] {
            var bytes: [UInt8] = []
            while let next = machine.nextOutput() { bytes += next }
            return try bytes.split(separator: 0x0A).map { try json(Array($0)) }
        }
        func feed(_ bytes: [UInt8]) -> [ConnectionMachine.Action] {
            let now = SteadyTime(nanoseconds: 2)
            machine.receive(bytes, now: now)
            var actions: [ConnectionMachine.Action] = []
            while let next = machine.nextActions(now: now, date: date) { actions += next }
            return actions
        }
        if !vector.isFirst { _ = feed(Array("{\"kind\":\"pong\"}\n".utf8)) }
        var actions: [ConnectionMachine.Action] = []
        for piece in vector.pieces { actions += feed(Array(piece)) }
        var delivered = actions.compactMap { action -> JSON? in
            guard case .deliver(let command, let id, _) = action else { return nil }
            return try? json(RemoteMessage.command(command).line(id: id))
        }
        var said = try replies()
        for expectation in vector.expectations {
            switch expectation {
            case .passedOver: Issue.record("a host passes nothing over")
            case .error(let code, let re):
                let reply = try #require(said.first, "no error")
                said.removeFirst()
                #expect(reply["kind"] == .text("error") && reply["re"] == re)
                #expect(reply["payload"]["code"] == .text(code))
            case .message(let message) where message["payload"]["kind"] == .text("describe"):
                let reply = try #require(said.first, "no schema")
                said.removeFirst()
                #expect(reply["kind"] == .text("schema") && reply["re"] == message["id"])
            case .message(let message) where message["kind"] == .text("command"):
                #expect(delivered.first == message)
                delivered = Array(delivered.dropFirst())
            case .message(let message) where message["kind"] == .text("ping"):
                let reply = try #require(said.first, "no pong")
                said.removeFirst()
                #expect(reply["kind"] == .text("pong") && reply["re"] == message["id"])
                var payload = reply["payload"].object ?? [:]
                payload["serverDate"] = nil
                if case .object(let own) = message["payload"] {
                    #expect(payload == own)
                } else {
                    #expect(payload == ["payload": message["payload"]])
                }
            case .message(let message) where message["kind"] == .text("hello"):
                #expect(actions.contains { if case .subscribe = $0 { true } else { false } })
            case .message: break
            }
        }
        #expect(said.isEmpty && delivered.isEmpty)
        #expect(machine.isClosing == vector.closes)
    }

    // MARK: Remotes

    @Test(
        "a remote takes each as it should, in every state: what it passes over changes nothing and is answered by nothing",
        arguments: Vector.all.filter { $0.sender == .host })
    func remote(vector: Vector) throws {
        for stage in ListeningRemote.Stage.allCases {
            var remote = ListeningRemote(stage)
            let before = remote.facts
            var actions: [RemoteAction] = []
            for piece in vector.pieces { actions += remote.take(piece) }
            if vector.expectations.allSatisfy({ $0 == .passedOver }) {
                #expect(actions == [] && remote.facts == before, "\(stage)")
                #expect(remote.undecodableLines <= vector.expectations.count)
            }
            if vector.expectations == [.error(code: "frameTooLarge", re: .null)] {
                #expect(actions.contains(.close), "\(stage)")
            }
            if vector.expectations.contains(where: { meantKind($0) == "ping" }) {
                let sent = actions.compactMap { action -> RemoteMessage? in
                    guard case .send(let line) = action else { return nil }
                    return try? RemoteFrame(line: line.dropLast()).content.get()
                }
                #expect(sent.contains { if case .pong = $0 { true } else { false } }, "\(stage)")
            }
            // Whatever it was, looking and time go on.
            remote.pass(20)
            #expect(remote.shown >= 0)
        }
    }

    @Test("the remote of the test above is one that listens: good lines change it, in the state that they are for")
    func listeningRemote() throws {
        for (kind, stage) in [
            ("hello", ListeningRemote.Stage.greeted), ("metadata", .connected), ("snapshot", .connected),
            ("sessionEnded", .film), ("error", .film), ("goodbye", .film),
        ] {
            let vectors = Vector.all.filter { $0.sender == .host && $0.expectations.contains { meantKind($0) == kind } }
            #expect(!vectors.isEmpty)
            for vector in vectors {
                // An error that answers a question is news only where one was asked.
                if case .message(let message)? = vector.expectations.first, kind == "error", message["re"] != .null {
                    continue
                }
                var remote = ListeningRemote(stage)
                let before = remote.facts
                for piece in vector.pieces { _ = remote.take(piece) }
                #expect(remote.facts != before, "\(vector.testDescription)")
            }
        }
    }

    private func meantKind(_ expectation: Vector.Expectation) -> String? {
        if case .message(let message) = expectation { message["kind"].text } else { nil }
    }

    // MARK: The collection

    @Test("there are vectors of both directions for everything that is awkward")
    func coverage() {
        #expect(Set(Vector.all.map(\.file)).count == 8)
        #expect(Set(Vector.all.map(\.testDescription)).count == Vector.all.count)
        let codes = Vector.all.flatMap(\.expectations).compactMap { expectation in
            if case .error(let code, _) = expectation { code } else { nil }
        }
        #expect(
            Set(codes) == [
                "malformed", "unknownKind", "unknownCommand", "invalidArgument", "frameTooLarge", "unsupportedProtocol",
            ])
        let commands = Vector.all.flatMap(\.expectations).compactMap { expectation in
            if case .message(let message) = expectation { message["payload"]["kind"].text } else { nil }
        }
        #expect(Set(commands) == Set(CommandTable.entries.map(\.name)))
    }
}
