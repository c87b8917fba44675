import TestKit
import Testing
import WireProtocol

@Suite("A running host, over TCP")
struct RunningHostTests {
    @Test("it answers each vector as it should")
    func vectors() throws {
        let host = try PlayingHost()
        for vector in Vector.all where vector.sender == .remote {
            do {
                try replay(vector, on: host)
            } catch {
                Issue.record("\(vector.testDescription): \(error)")
            }
        }
    }

    private func replay(_ vector: Vector, on host: PlayingHost) throws {
        let name = vector.testDescription
        let client = try RawClient(port: host.port)
        _ = try client.message("hello")
        var mark = client.log.count
        if !vector.isFirst {
            client.send(#"{"kind":"ping","id":"before"}"#)
            _ = try client.message("pong", after: mark)
            mark = client.log.count
        }
        for piece in vector.pieces { client.send(bytes: piece) }
        if !vector.closes { client.send(#"{"kind":"ping","id":"the end"}"#) }
        let ended = vector.closes ? client.log.waitForEnd(within: 5) : isPong(client, after: mark)
        try #require(ended, "\(name): \(client.log.text.suffix(500))")
        let said = try client.log.lines.dropFirst(mark).map { try JSON($0.text) }
            .filter { $0["re"] != .text("the end") }
        // Whoever has said hello gets pushes beside.
        let pushes: Set = ["metadata", "snapshot", "cueChunk", "sessionEnded"]
        let saidHello = vector.expectations.contains { meant($0)?["kind"].text == "hello" }
        var replies = saidHello ? said.filter { !pushes.contains($0["kind"].text ?? "") } : said
        if saidHello { #expect(said.contains { $0["kind"].text == "metadata" }, "\(name)") }
        for expectation in vector.expectations {
            if case .error(let code, let re) = expectation {
                try #require(!replies.isEmpty, "\(name)")
                let reply = replies.removeFirst()
                #expect(reply["kind"] == .text("error") && reply["re"] == re, "\(name)")
                #expect(reply["payload"]["code"] == .text(code), "\(name)")
            } else if let message = meant(expectation), ["ping", "command"].contains(message["kind"].text) {
                // Before its end a connection need not be heard out.
                if vector.closes && replies.isEmpty { continue }
                try #require(!replies.isEmpty, "\(name)")
                let reply = replies.removeFirst()
                #expect(reply["re"] == message["id"], "\(name)")
                let isPing = message["kind"] == .text("ping")
                #expect((reply["kind"] == .text("pong")) == isPing, "\(name)")
                let misread = ["malformed", "unknownKind", "unknownCommand", "invalidArgument"]
                #expect(!misread.contains(reply["payload"]["code"].text ?? ""), "\(name)")
            }
        }
        #expect(replies.isEmpty, "\(name)")
    }

    private func meant(_ expectation: Vector.Expectation) -> JSON? {
        if case .message(let message) = expectation { message } else { nil }
    }

    private func isPong(_ client: RawClient, after mark: Int) -> Bool {
        client.first(after: mark) { $0["re"].text == "the end" ? true : nil } ?? false
    }
}
