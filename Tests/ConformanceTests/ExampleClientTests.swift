import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

@Suite("Clients in other languages, against the real host")
struct ExampleClientTests {
    private let host: PlayingHost

    init() throws {
        host = try PlayingHost()
    }

    private func python(port: Int? = nil) throws -> Client {
        let client = try Client(
            ["/usr/bin/python3", Repository.path("examples/remote.py"), "127.0.0.1", "\(port ?? host.port)"])
        try client.line("Line 1", within: 10)
        return client
    }

    /// Seconds of film that the client shows, asked by an empty line.
    private func shown(_ client: Client) throws -> Double {
        let mark = client.output.count
        try client.type("")
        let clock = try client.line("Night Train", after: mark).prefix { $0 != " " }.split(separator: ":")
        return try #require(Double(clock[0])) * 60 + (try #require(Double(clock[1])))
    }

    // MARK: Python

    @Test("the Python client has less than a hundred lines and needs nothing but the standard library")
    func size() throws {
        let text = try Repository.text("examples/remote.py")
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
        #expect(try #require(text.split(separator: "\n").map(\.count).max()) <= 120)
    }

    @Test("Python: five quick taps arrive as one skip of five; taps that cancel out arrive not at all")
    func coalescing() throws {
        let client = try python()
        for _ in 0..<5 { try client.type("+1") }
        #expect(try host.event("skip")["seconds"].number == 5)
        try client.line("Line 2")
        try client.type("+3", "-3", "pause", "seek 20")
        _ = try host.event("seek")
        #expect(host.events().map { $0["event"].text } == ["skip", "seek"])
    }

    @Test("Python: the window is 250 ms after the latest tap, and 1 s after the first")
    func window() throws {
        let client = try python()
        /// Taps `count` times, a tenth of a second apart; false where the machine was too busy for that.
        func tap(_ count: Int) throws -> Bool {
            var last = MonotonicClock.now()
            var isSteady = true
            for _ in 0..<count {
                try client.type("+0.125")
                usleep(100_000)
                let now = MonotonicClock.now()
                if now - last > 0.2 { isSteady = false }
                last = now
            }
            return isSteady
        }
        func sums(of count: Int) throws -> [Double] {
            for _ in 0..<5 {
                let mark = host.log.count
                let isSteady = try tap(count)
                var sums: [Double] = []
                while sums.reduce(0, +) < Double(count) / 8 {
                    let seconds = host.events(after: mark).compactMap { $0["seconds"].number }
                    if seconds.count == sums.count { usleep(10_000) }
                    sums = seconds
                }
                if isSteady { return sums }
            }
            throw TestFailure("the machine is too busy to tap in time")
        }
        #expect(try sums(of: 5) == [0.625])
        let long = try sums(of: 15)
        #expect(long.count == 2 && long.reduce(0, +) == 1.875)
        #expect((1.0...1.5).contains(long.first ?? 0), "\(long)")
    }

    @Test("Python: what was tapped before another command goes first")
    func order() throws {
        let client = try python()
        try client.type("+1", "+3", "seek 10", "-0.5")
        client.endInput()
        #expect(try client.ended() == 0)
        let events = host.events()
        #expect(events.map { $0["event"].text } == ["skip", "seek", "skip"])
        #expect(events.map { $0["to"].number } == [4, 10, 9.5])
    }

    @Test("Python: it shows the line and counts the position on between two messages, within 30 ms")
    func interpolation() throws {
        let client = try python()
        try client.type("cue 4")
        try client.line("Line 4")
        #expect(try shown(client) == PlayingHost.start(ofLine: 4))
        try client.type("play")
        try client.line("playing")
        let reference = try RawClient(port: host.port)
        for id in 1...20 {
            // Three moments: the host's position before and after, and the client's between them.
            let before = try position(reference, id: 2 * id)
            let between = try shown(client)
            let after = try position(reference, id: 2 * id + 1)
            #expect(before - 0.03 <= between && between <= after + 0.03, "\(before) \(between) \(after)")
        }
    }

    /// The host's position: a play while playing changes nothing and is answered with the state.
    private func position(_ client: RawClient, id: Int) throws -> Double {
        client.send(#"{"kind":"command","id":\#(id),"payload":{"kind":"play"}}"#)
        return try #require(try client.reply(to: id)["payload"]["currentTime"].number)
    }

    @Test("Python: track by number, and what the host refuses is told")
    func refusals() throws {
        let client = try python()
        try client.type("track 2")
        _ = try host.event("track")
        try client.type("volume 40", "dance")
        try client.line("volume 40: outputLost")
        try client.line("not understood: dance")
    }

    @Test("Python: cues that the host does not push are asked for, chunk by chunk, and wrong ones are not shown")
    func pulling() throws {
        let example = try Examples.lines("host")
        func line(_ kind: String) throws -> String {
            try #require(example.first { $0.contains(#""kind":"\#(kind)""#) && !$0.contains(#""currentTime":0,"#) })
        }
        let metadata = try line("metadata")
        let chunk = try JSON(try line("cueChunk"))
        let right = try #require(Data(base64Encoded: chunk["payload"]["data"].text ?? ""))
        // Whole and well-formed, but for another film's digest.
        let other = try #require(try Examples.lines("bundle").first).replacing("Two lines", with: "Three lines")
        let wrong = Data(Gzip.compress(Array(other.utf8)))
        @Sendable func reply(_ id: JSON, _ index: Double, _ data: Data) throws -> String {
            var frame = try #require(chunk.replacing(["re"], by: id))
            for (key, value) in [
                ("index", JSON.number(index)), ("totalChunks", .number(2)), ("data", .text(data.base64EncodedString())),
            ] { frame = try #require(frame.replacing(["payload", key], by: value)) }
            return try frame.line + "\n"
        }
        let hello = try line("hello")
        let served = LockedLines()
        let peer = try FakePeer { descriptor in
            FakePeer.say(hello + "\n" + metadata + "\n", on: descriptor)
            let log = LineLog(reading: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
            var mark = 0
            for attempt in 0..<4 {
                let request = log.first(after: mark, within: 8) { line -> JSON? in
                    mark = line.place + 1
                    let json = try? JSON(line.text)
                    return json?["payload"]["kind"].text == "requestCueChunk" ? json : nil
                }
                guard let request, let index = request["payload"]["index"].number else { return }
                served.add("\(index)")
                let data = attempt < 2 ? wrong : right
                let piece = index == 0 ? Data(data.prefix(100)) : Data(data.dropFirst(100))
                FakePeer.say((try? reply(request["id"], index, piece)) ?? "", on: descriptor)
            }
            _ = log.first(within: 20) { $0.text.contains("never") ? true : nil }
        }
        let client = try Client(
            ["/usr/bin/python3", Repository.path("examples/remote.py"), "127.0.0.1", "\(peer.port)"])
        try client.line("Two lines, \"quoted\"", within: 15)
        #expect(!client.output.text.contains("Three lines"))
        #expect(served.lines == ["0.0", "1.0", "0.0", "1.0"])
    }

    @Test("Python: it connects again by itself, and sends nothing twice")
    func reconnecting() throws {
        let answers = LockedLines()
        let target = host.port
        // A connection that takes the first command and then breaks; the next ones lead to the host.
        let peer = try FakePeer { remote in
            answers.add("connected")
            guard answers.lines.count == 1 else {
                guard let host = try? RawClient.connect(port: target) else { return }
                Thread.detachNewThread { relay(from: host, to: remote) }
                relay(from: remote, to: host)
                close(host)
                return
            }
            FakePeer.say((try? Examples.lines("host").prefix(3).joined(separator: "\n") + "\n") ?? "", on: remote)
            FakePeer.wait(for: "\"seek\"", on: remote)
        }
        let client = try Client(
            ["/usr/bin/python3", Repository.path("examples/remote.py"), "127.0.0.1", "\(peer.port)"])
        try client.line("Night Train")
        try client.type("seek 12")
        try client.line("not sent: seek 12")
        try client.line("Line 1", within: 10)
        #expect(host.events().isEmpty)
        try client.type("+2")
        #expect(try host.event("skip")["seconds"].number == 2)
        #expect(host.events().count == 1)
        host.end()
        try client.line("not connected", after: client.output.count - 1)
        try client.type("play")
        try client.line("not sent: play")
    }

    // MARK: Shell

    private func shell(_ arguments: String...) throws -> (code: Int32, text: String) {
        let client = try Client(
            [Repository.path("examples/remote.sh")] + arguments, ["ALLSPEAK_HOST": "127.0.0.1:\(host.port)"])
        return (try client.ended(), client.output.text)
    }

    @Test("the shell client: status, play, pause, skip, seek")
    func shellCommands() throws {
        #expect(try shell("seek", "10") == (0, "0:10 paused\n"))
        #expect(try shell("status") == (0, "0:10 paused Night Train: Line 4\n"))
        #expect(try shell("skip", "-3") == (0, "0:07 paused\n"))
        #expect(try shell("skip", "+0.5") == (0, "0:07.5 paused\n"))
        let played = try shell("play")
        #expect(played.code == 0 && played.text.hasSuffix("playing\n"))
        #expect(try shell("pause").text.hasSuffix("paused\n"))
        #expect(try shell("toggle").text.hasSuffix("playing\n"))
        #expect(host.events().map { $0["event"].text } == ["seek", "skip", "skip", "play", "pause", "play"])
    }

    @Test("the shell client: watch tells each change, until it is ended")
    func shellWatch() throws {
        let watch = try Client(
            [Repository.path("examples/remote.sh"), "watch"], ["ALLSPEAK_HOST": "127.0.0.1:\(host.port)"])
        try watch.line("0:00 paused Night Train")
        #expect(try shell("seek", "20").code == 0)
        try watch.line("0:20 paused Night Train")
        host.end()
        #expect(try watch.ended() == 69)
    }

    @Test("the shell client: wrong use is 64, no host is 69")
    func shellFailures() throws {
        #expect(try shell("seek", "soon").code == 64)
        #expect(try shell("dance").code == 64)
        #expect(try shell("skip").code == 64)
        host.end()
        #expect(try shell("play").code == 69)
    }
}
