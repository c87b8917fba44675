import Foundation
import TestKit
import Testing

/// `allspeak-conformance record` between real programs.
@Suite("A run that is recorded")
struct RecorderTests {
    /// A recorder in front of `host`.
    private struct Recorder {
        let child: Child
        let port: Int
        let file: String

        init(to host: Int, in folder: TemporaryFolder) throws {
            file = folder("run.jsonl")
            let (near, far) = try Child.channel()
            let log = LineLog(reading: near)
            child = try Child(
                try Programs.path("allspeak-conformance"),
                ["record", "127.0.0.1:0", "127.0.0.1:\(host)", "--output", file, "--name", "run", "--about", "A run."],
                errors: far, environment: try Programs.environment(folder), inheriting: false)
            close(far)
            let port = log.first(within: 10) { line in
                line.text.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) }
            }
            guard let port else { throw TestFailure("the recorder did not start: \(log.text)") }
            self.port = port
        }
    }

    private func steer(_ port: Int) throws {
        let phone = try Client([Repository.path("examples/remote.py"), "127.0.0.1", "\(port)"])
        let tablet = try RawClient(port: port)
        _ = try tablet.message("hello")
        tablet.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"t","name":"Tablet"}}}"#)
        _ = try tablet.message("snapshot")
        usleep(300_000)
        for (id, command) in [
            #""kind":"seek","time":9"#, #""kind":"play""#, #""kind":"skip","seconds":2.5"#, #""kind":"pause""#,
            #""kind":"skip","seconds":"x""#,
        ].enumerated() {
            let mark = tablet.log.count
            tablet.send(#"{"kind":"command","id":\#(id),"payload":{\#(command)}}"#)
            _ = try tablet.reply(to: id, after: mark)
            usleep(120_000)
        }
        tablet.send("this is no frame")
        _ = try tablet.message("error")
        usleep(100_000)
        withExtendedLifetime(phone) {}
    }

    @Test("is a recording that a fresh host passes, and a broken one does not")
    func recordAndReplay() throws {
        let folder = try TemporaryFolder("record")
        let first = try StagedHost()
        let recorder = try Recorder(to: first.port, in: folder)
        try steer(recorder.port)
        recorder.child.signal(SIGINT)
        #expect(recorder.child.exitCode(within: 5) == 0)
        first.end()
        let text = try String(contentsOfFile: recorder.file, encoding: .utf8)
        #expect(text.contains(#""sendsBytes":"this is no frame\n""#))
        #expect(text.contains(#""plus":2.5"#) && text.contains(#"{"$var":"session"}"#))
        #expect(text.contains(#""on":"r2""#))

        let second = try StagedHost()
        defer { second.end() }
        let run = try ConformanceRun(["host", "127.0.0.1:\(second.port)", "--recordings", recorder.file])
        #expect(run.code == 0, "\(run.output)\n\(text)")
        let hand = try ChangingProxy(to: second.port, #""code":"malformed""#, #""code":"internal""#)
        #expect(try ConformanceRun(["host", "127.0.0.1:\(hand.port)", "--recordings", recorder.file]).code == 1)
    }

    @Test("that began after others had steered passes on the host it was made with")
    func changedBefore() throws {
        let folder = try TemporaryFolder("record")
        let host = try StagedHost()
        defer { host.end() }
        func newcomer(_ port: Int) throws -> RawClient {
            let client = try RawClient(port: port)
            client.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"n","name":"Newcomer"}}}"#)
            _ = try client.message("snapshot")
            usleep(200_000)
            return client
        }
        let before = try newcomer(host.port)
        before.send(#"{"kind":"command","id":1,"payload":{"kind":"seek","time":5}}"#)
        _ = try before.reply(to: 1)
        let recorder = try Recorder(to: host.port, in: folder)
        let client = try newcomer(recorder.port)
        client.send(#"{"kind":"command","id":1,"payload":{"kind":"setVolume","volume":0.5}}"#)
        _ = try client.reply(to: 1)
        recorder.child.signal(SIGINT)
        #expect(recorder.child.exitCode(within: 5) == 0)
        let text = try String(contentsOfFile: recorder.file, encoding: .utf8)
        #expect(text.contains(#""volume":false"#))
        let run = try ConformanceRun(["host", "127.0.0.1:\(host.port)", "--recordings", recorder.file])
        #expect(run.code == 0, "\(run.output)\n\(text)")
    }

    @Test("leaves no file where no remote came")
    func nothingRecorded() throws {
        let folder = try TemporaryFolder("record")
        let recorder = try Recorder(to: 1, in: folder)
        recorder.child.signal(SIGINT)
        #expect(recorder.child.exitCode(within: 5) == 0)
        #expect(!FileManager.default.fileExists(atPath: recorder.file))
    }

    @Test("is on the disk in whole lines when the recorder is killed")
    func killed() throws {
        let folder = try TemporaryFolder("record")
        let host = try StagedHost()
        defer { host.end() }
        let recorder = try Recorder(to: host.port, in: folder)
        try steer(recorder.port)
        recorder.child.kill()
        let text = try String(contentsOfFile: recorder.file, encoding: .utf8)
        #expect(text.hasSuffix("\n") && text.contains(#""sends":{"kind":"command","id":3"#))
        let run = try ConformanceRun(["host", "127.0.0.1:\(host.port)", "--recordings", recorder.file])
        #expect(run.code == 0, "\(run.output)\n\(text)")
    }

    @Test("passes on long cues, many remotes, and ends where there is no host")
    func passesOn() throws {
        let folder = try TemporaryFolder("record")
        let host = try StagedHost()
        let recorder = try Recorder(to: host.port, in: folder)
        let clients = try (0..<8).map { _ in try RawClient(port: recorder.port) }
        for client in clients {
            client.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"c"}}}"#)
        }
        for client in clients {
            let last: Bool? = client.first { frame in
                frame["kind"].text == "cueChunk"
                    && frame["payload"]["index"].number == (frame["payload"]["totalChunks"].number ?? 0) - 1
                    ? true : nil
            }
            #expect(last == true)
        }
        host.end()
        let late = try RawClient(port: recorder.port)
        #expect(late.log.waitForEnd(within: 5))
        recorder.child.signal(SIGTERM)
        #expect(recorder.child.exitCode(within: 5) == 0)
    }
}
