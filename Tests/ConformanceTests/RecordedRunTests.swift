import Foundation
import TestKit
import Testing
import WireProtocol

@Suite("Everything that both sides say conforms to the schema")
struct RecordedRunTests {
    @Test(
        "a run of the real programs, of the examples and of a remote that makes every mistake, taken down on the wire")
    func run() throws {
        let host = try PlayingHost()
        let tap = try Tap(to: host.port)
        let address = "127.0.0.1:\(tap.port)"

        // Our own remote, command by command, beside one that follows.
        let program = try Programs.path("allspeak-remote")
        let watch = try Client([program, "--host", address, "watch", "--json"])
        try watch.line("Night Train")
        for arguments in [
            ["status"], ["play"], ["toggle"], ["skip", "+1", "+3"], ["seek", "7.5"], ["seek", "--cue", "4"],
            ["track", "2"],
            ["volume", "40"], ["pause"], ["cues"],
        ] {
            let client = try Client([program, "--host", address] + arguments)
            let code = try client.ended()
            // A film on a clock has no volume.
            #expect((code == 0) == (arguments[0] != "volume"), "\(arguments): \(client.output.text)")
        }
        watch.signal(SIGTERM)
        #expect(try watch.ended() == 0)

        // The examples.
        let python = try Client(["/usr/bin/python3", Repository.path("examples/remote.py"), "127.0.0.1", "\(tap.port)"])
        try python.line("Night Train")
        try python.type("play", "toggle", "+1", "seek 0:05", "cue 2", "track 1", "volume 40", "pause")
        try python.line("outputLost")
        python.endInput()
        #expect(try python.ended() == 0)
        for word in ["status", "play", "pause"] {
            let shell = try Client([Repository.path("examples/remote.sh"), word], ["ALLSPEAK_HOST": address])
            #expect(try shell.ended() == 0)
        }

        // One that makes every mistake: what it says is not to conform, what it hears is.
        let rude = try Tap(to: host.port)
        let client = try RawClient(port: rude.port)
        for line in try Examples.refused() + Examples.lines("remote") where !line.contains("goodbye") {
            client.send(line)
        }
        client.send(
            #"{"kind":"command","id":77,"payload":{"kind":"requestCueChunk","sessionID":"x","revision":1,"index":0}}"#)
        client.send(
            #"{"kind":"command","id":78,"payload":{"kind":"requestCueChunk","sessionID":"\#(host.sessionID)","revision":1,"index":9}}"#
        )
        _ = try client.reply(to: 78)
        host.end()
        _ = try client.message("goodbye")

        let passed = tap.passed + rude.passed.filter { $0.sender == "host" }
        #expect(tap.oversize + rude.oversize == 0)
        let questions = passed.map { SchemaCheck.Question(schema: "\($0.sender).json", line: $0.line) }
        for (question, answer) in zip(questions, try SchemaCheck.answers(questions)) {
            #expect(answer == .valid, "\(question.line)")
        }
        // The run was worth something only if it had everything in it.
        func kinds(_ sender: String) throws -> Set<String> {
            Set(try passed.filter { $0.sender == sender }.map { try JSON($0.line)["kind"].text ?? "" })
        }
        #expect(
            try kinds("host") == ["hello", "metadata", "snapshot", "cueChunk", "schema", "error", "pong", "goodbye"])
        #expect(try kinds("remote").isSuperset(of: ["hello", "command", "ping"]))
        let commands = try passed.filter { $0.sender == "remote" }.compactMap {
            try JSON($0.line)["payload"]["kind"].text
        }
        // The last two came from the one that makes mistakes.
        #expect(Set(commands).union(["requestCueChunk", "describe"]) == Set(CommandTable.entries.map(\.name)))
        #expect(passed.count > 150)
    }
}
