import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// Whatever a person, or what stands at the other end, does to the remote: one sentence, the right exit code.
    @Suite("Bad input to the remote")
    struct BadRemoteInput {
        private let stage: Stage

        init() throws {
            stage = try Stage()
        }

        @Test(
            "a wrong argument",
            arguments: [
                ["rewind"], ["play", "now"], ["pause", "1"], ["toggle", "x"], ["status", "x"], ["discover", "x"],
                ["cues", "x"], ["watch", "x"], ["skip"], ["skip", "far"], ["skip", "+1", "x"], ["skip", "nan"],
                ["skip", "inf"], ["skip", "1e400"], ["seek"], ["seek", "later"], ["seek", "1:2:3:4"], ["seek", "1:75"],
                ["seek", "-5"],
                ["seek", "1", "2"], ["seek", "--cue"], ["seek", "--cue", "first"], ["seek", "1", "--cue", "2"],
                ["track"], ["track", "1", "2"], ["volume", "loud"], ["volume", "101"], ["volume", "-1"],
                ["volume", "nan"], ["volume", "1", "2"], ["--frobnicate"], ["play", "--loud"], ["play", "--json=yes"],
                ["status", "--host"], ["status", "--host", "127.0.0.1:0"], ["status", "--host", "127.0.0.1:70000"],
                ["status", "--host", "127.0.0.1:http"], ["status", "--host", "[::1]:x"], ["status", "--host", ""],
            ])
        func usage(arguments: [String]) throws {
            // An address that answers nothing: what is wrong is to be told before anything is tried.
            let place = arguments.contains("--host") ? [] : ["--host", "127.0.0.1:9"]
            let outcome = try stage.remote(arguments + place, within: 10)
            #expect(outcome.code == 64)
            #expect(outcome.output.isEmpty)
            #expect(try outcome.sentence().contains("See: allspeak-remote"))
        }

        @Test(
            "help for every command",
            arguments: [
                nil, "discover", "status", "play", "pause", "toggle", "skip", "seek", "track", "volume", "cues",
                "watch",
            ])
        func help(command: String?) throws {
            let outcome = try stage.remote([command, "--help"].compactMap(\.self))
            #expect(outcome.code == 0)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.output.hasPrefix("allspeak-remote"))
            #expect(outcome.output.contains("--host HOST[:PORT]"))
        }

        @Test("JSON from every command is one value that another parser reads")
        func json() throws {
            // A system output, for its volume.
            let stage = try Stage(hasSound: true)
            let host = try stage.host(try Film.standard().arguments)
            for command in [
                ["status"], ["play"], ["pause"], ["toggle"], ["skip", "+1"], ["skip", "+1", "-1"], ["seek", "1:00"],
                ["seek", "--cue", "3"], ["track", "2"], ["track", "Orig"], ["volume"],
            ] {
                let outcome = try stage.remote(command + ["--json"], at: host).succeeded()
                #expect(try outcome.json()["connection"].text == "connected", "\(command)")
                #expect(outcome.errors.isEmpty)
            }
            #expect(try stage.remote("cues", "--json", at: host).succeeded().json().array?.count == Film.lines.count)
            let sessions = try stage.hostCommand(["sessions", "list", "--json", "--data", stage.data]).succeeded()
                .json()
            #expect(sessions.array?.count == 1)
            #expect(sessions[0]["id"].text == host.sessionID)
        }

        @Test("a line, a track or a time that the film does not have")
        func outOfTheFilm() throws {
            let host = try stage.host(try Film.standard().arguments)
            for (arguments, word) in [
                (["seek", "--cue", "31"], "1 to 30"), (["seek", "--cue", "0"], "1 to 30"), (["track", "3"], "2 Dub"),
                (["track", "Klingon"], "1 Original"), (["track", "0"], "1 Original"),
            ] {
                let outcome = try stage.remote(arguments, at: host)
                #expect(outcome.code == 64)
                #expect(try outcome.sentence().contains(word))
            }
            let end = try stage.remote("seek", "9:00:00", "--json", at: host).succeeded().json()
            #expect(end["currentTime"] == end["duration"])
            let start = try stage.remote("skip", "-100000", "--json", at: host).succeeded().json()
            #expect(start["currentTime"].number == 0)
        }

        @Test("no host is there")
        func noHost() throws {
            try Services.require()
            for command in [["status"], ["play"], ["cues", "--json"]] {
                let outcome = try stage.remote(command)
                #expect(outcome.code == 69)
                let sentence = try outcome.sentence()
                #expect(sentence.contains("No host was found") && sentence.contains("allspeak-host play"))
            }
            let named = try stage.remote("status", "--host", "kitchen")
            #expect(named.code == 69)
            #expect(try named.sentence().contains("kitchen"))
            let discovered = try stage.remote("discover")
            #expect(discovered.code == 69)
            #expect(try discovered.sentence().contains("allspeak-host play"))
        }

        @Test("no mDNS is there")
        func noAvahi() throws {
            stage.withoutAvahi()
            for command in [["status"], ["discover"], ["discover", "--json"], ["watch"]] {
                let outcome = try stage.remote(command)
                #expect(outcome.code == 69)
                #expect(try outcome.sentence().contains("--host 127.0.0.1"))
            }
        }

        @Test("nothing listens at the address, or it is none")
        func nothingListens() throws {
            let port = try { try FakePeer { _ in }.port }()
            for command in [["status"], ["play"]] {
                let outcome = try stage.remote(command + ["--host", "127.0.0.1:\(port)"], within: 10)
                #expect(outcome.code == 69)
                #expect(try outcome.sentence().contains("127.0.0.1:\(port)"))
            }
            let nowhere = try stage.remote("status", "--host", "no-such-machine.invalid:1", within: 30)
            #expect(nowhere.code == 69)
            #expect(try nowhere.sentence().contains("no-such-machine.invalid"))
        }

        @Test("a remote that watches waits for a host to be announced, and is there when it comes")
        func waitsForAny() throws {
            try Services.require()
            let watch = try stage.start("allspeak-remote", ["watch"])
            try #require(watch.output.first { $0.text.contains("Looking for the host") ? $0 : nil } != nil)
            let impatient = try stage.start("allspeak-remote", ["watch", "--json"])
            try #require(impatient.first { $0["connection"].text == "searching" ? $0 : nil } != nil)
            impatient.child.signal(SIGINT)
            #expect(try impatient.ended(within: 5).code == 0)
            let host = try stage.host(try Film.standard().arguments, isAnnounced: true)
            try #require(watch.output.first(within: 10) { $0.text.contains("Paused") ? $0 : nil } != nil)
            watch.child.signal(SIGINT)
            #expect(try watch.ended(within: 5).code == 0)
            withExtendedLifetime(host) {}
        }

        @Test("a remote that watches waits for the host at its address, says so, and is there when it comes")
        func waits() throws {
            let port = try { try FakePeer { _ in }.port }()
            let watch = try stage.start("allspeak-remote", ["watch", "--host", "127.0.0.1:\(port)"])
            try #require(watch.output.first { $0.text.contains("Looking for the host") ? $0 : nil } != nil)
            let host = try stage.host(try Film.standard().arguments, port: port)
            try #require(watch.output.first(within: 10) { $0.text.contains("Paused") ? $0 : nil } != nil)
            watch.child.signal(SIGINT)
            #expect(try watch.ended(within: 5).code == 0)
            withExtendedLifetime(host) {}
        }

        private static let hello =
            #"{"kind":"hello","payload":{"protocol":1,"host":{"id":"fakefakefakefake","name":"Fake","software":"fake"},"serverDate":"2026-03-01T20:15:00.000Z","features":[],"auth":"none"}}"#
            + "\n"
        private static let metadata =
            #"{"kind":"metadata","payload":{"sessionID":"S","revision":1,"title":"Fake \u001b[31mfilm","duration":100,"cueCount":0,"cueDigest":"\#(String(repeating: "0", count: 64))","isPlaying":false,"currentTime":1,"serverDate":"2026-03-01T20:15:00.000Z","tracks":[{"id":"a","label":"A"}],"activeTrackID":"a"}}"#
            + "\n"
        private static let snapshot =
            #"{"kind":"snapshot","payload":{"sessionID":"S","revision":1,"currentTime":1,"duration":100,"currentIndex":0,"isPlaying":false,"serverDate":"2026-03-01T20:15:00.000Z"}}"#
            + "\n"

        /// A server that is not a good host, by what it does with a connection.
        struct Fake: Sendable {
            var name: String
            var says: String
            var serve: @Sendable (Int32) -> Void

            init(_ name: String, says: String, _ serve: @escaping @Sendable (Int32) -> Void) {
                self.name = name
                self.says = says
                self.serve = serve
            }
        }

        private static func stay(_ descriptor: Int32) { _ = FakePeer.wait(for: "never said", on: descriptor) }

        static let fakes = [
            Fake("accepts and says nothing", says: "does not answer as a host") { stay($0) },
            Fake("closes at once", says: "does not answer as a host") { _ in },
            Fake("greets and closes", says: "does not answer as a host") { FakePeer.say(hello, on: $0) },
            Fake("greets and says nothing more", says: "does not answer as a host") {
                FakePeer.say(hello, on: $0)
                stay($0)
            },
            Fake("is a web server", says: "does not answer as a host") {
                FakePeer.say("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", on: $0)
                stay($0)
            },
            Fake("says garbage without end", says: "does not answer as a host") { descriptor in
                let garbage = String(repeating: "x", count: 65_536)
                var buffer = [UInt8](repeating: 0, count: 65_536)
                for _ in 0..<400 {
                    FakePeer.say(garbage, on: descriptor)
                    if recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) == 0 { return }
                }
            },
            Fake("speaks another protocol", says: "protocol 2") {
                FakePeer.say(hello.replacingOccurrences(of: #""protocol":1"#, with: #""protocol":2"#), on: $0)
                stay($0)
            },
            Fake("is full", says: "This host serves 64 remotes.") {
                FakePeer.say(
                    hello
                        + #"{"kind":"error","payload":{"code":"tooManyRequests","message":"This host serves 64 remotes."}}"#
                        + "\n" + #"{"kind":"goodbye","payload":{"reason":"full"}}"# + "\n", on: $0)
            },
            Fake("refuses without a sentence", says: "error tooManyRequests") {
                FakePeer.say(
                    hello + #"{"kind":"error","payload":{"code":"tooManyRequests","message":""}}"# + "\n"
                        + #"{"kind":"goodbye","payload":{"reason":"full"}}"# + "\n", on: $0)
            },
            Fake("plays nothing", says: "plays nothing") {
                FakePeer.say(hello + #"{"kind":"sessionEnded","payload":{}}"# + "\n", on: $0)
                FakePeer.wait(for: "\"command\"", on: $0)
                FakePeer.say(
                    #"{"kind":"error","re":1,"payload":{"code":"noSession","message":"No session is active; the host plays nothing."}}"#
                        + "\n", on: $0)
                stay($0)
            },
            Fake("goes silent before the reply", says: "did not answer") {
                FakePeer.say(hello + metadata + snapshot, on: $0)
                stay($0)
            },
            Fake("is gone before the reply", says: "did not answer") {
                FakePeer.say(hello + metadata + snapshot, on: $0)
                FakePeer.wait(for: "\"command\"", on: $0)
            },
        ]

        @Test("the other end is no host, or a bad one")
        func badHosts() throws {
            // All at once: most of them take the remote's whole patience.
            let started = MonotonicClock.now()
            let pairs = try Self.fakes.map { fake in
                let peer = try FakePeer(fake.serve)
                let remote = try stage.start("allspeak-remote", ["play", "--host", "127.0.0.1:\(peer.port)"])
                return (fake, peer, remote)
            }
            for (fake, peer, remote) in pairs {
                let outcome = try remote.ended(within: 15)
                #expect(outcome.code == 69, "\(fake.name)")
                #expect(try outcome.sentence().contains(fake.says), "\(fake.name)")
                withExtendedLifetime(peer) {}
            }
            #expect(MonotonicClock.now() - started < 12)
        }

        @Test("what a host says reaches the terminal without its control characters")
        func escapeSequences() throws {
            let peer = try FakePeer {
                FakePeer.say(Self.hello + Self.metadata + Self.snapshot, on: $0)
                Self.stay($0)
            }
            let outcome = try stage.remote("status", "--host", "127.0.0.1:\(peer.port)").succeeded()
            #expect(outcome.output.contains("Fake") && outcome.output.contains("film"))
            #expect(!outcome.output.unicodeScalars.contains("\u{1B}"))
            withExtendedLifetime(peer) {}
        }
    }
}
