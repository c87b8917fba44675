import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    @Suite("Finding a host and playing")
    struct FindingAndPlaying {
        @Test("a remote finds the host by itself, plays, and time moves")
        func story() throws {
            try Services.require()
            let stage = try Stage()
            let film = try Film.standard()
            let host = try stage.host(film.arguments, isAnnounced: true, "--name", "Living room")

            let found = try stage.remote("discover", "--json").succeeded().json()
            #expect(found.array?.count == 1)
            #expect(found[0]["name"].text == "Living room")
            #expect(found[0]["isOnThisMachine"].bool == true)
            #expect(found[0]["id"].text?.count == 16)
            #expect(found[0]["addresses"].array?.contains(.text("127.0.0.1:\(host.port)")) == true)

            let before = try stage.remote("status", "--json").succeeded().json()
            #expect(before["connection"].text == "connected")
            #expect(before["title"].text == "Night Train")
            #expect(before["isPlaying"].bool == false)
            #expect(before["currentTime"].number == 0)
            #expect(abs(try #require(before["duration"].number) - Film.seconds) < 0.01)
            #expect(before["tracks"].array?.map { $0["label"].text } == ["Original", "Dub"])
            #expect(before["sessionID"].text == host.sessionID)

            let playing = try stage.remote("play", "--json").succeeded().json()
            #expect(playing["isPlaying"].bool == true)
            let first = try position(stage)
            usleep(1_000_000)
            let second = try position(stage)
            #expect(abs((second.position - first.position) - (second.at - first.at)) < 0.25)
            #expect(try stage.remote("pause").succeeded().output.contains("Paused"))
            #expect(try stage.remote("toggle").succeeded().output.contains("Playing"))
        }

        private func position(_ stage: Stage) throws -> (position: Double, at: SteadyTime) {
            let json = try stage.remote("status", "--json").succeeded().json()
            return (try #require(json["currentTime"].number), MonotonicClock.now())
        }

        @Test("the lines that arrive at the remote are the lines of the file")
        func cues() throws {
            let stage = try Stage()
            let film = try Film.standard()
            let host = try stage.host(film.arguments)
            let expected = Film.lines.map { line in
                JSON.object([
                    "index": .number(Double(line.index)), "start": .number(line.start), "end": .number(line.end),
                    "text": .text(line.text),
                ])
            }
            #expect(try stage.remote("cues", "--json", at: host).succeeded().json() == .array(expected))
            #expect(
                try stage.remote("cues", "--find", "QUOTED да", "--json", at: host).succeeded().json()
                    == .array([expected[6]]))
            // From the cache as well.
            #expect(try stage.remote("cues", "--json", at: host).succeeded().json() == .array(expected))
            #expect(try stage.hostCommand(["cues", film.subtitles, "--json"]).succeeded().json() == .array(expected))
        }

        @Test("five quick skips arrive as one command of the summed seconds")
        func skips() throws {
            let stage = try Stage()
            let host = try stage.host(try Film.standard().arguments)
            try stage.remote("seek", "60", at: host).succeeded()
            for (taps, sum) in [
                (["+1", "+1", "+1", "+1", "+1"], 5.0), (["+1", "+1", "+3", "-1"], 4), (["-3", "+1"], -2),
            ] {
                let mark = host.mark
                let shown = try stage.remote(["skip"] + taps + ["--json"], at: host).succeeded().json()
                _ = try #require(host.event("remoteLeft", after: mark))
                let events = host.events(after: mark)
                #expect(events.map { $0["event"].text } == ["skip"])
                #expect(events.first?["seconds"].number == sum)
                let target = try #require(events.first?["to"].number)
                #expect(target - (try #require(events.first?["from"].number)) == sum)
                #expect(shown["currentTime"].number == target)
            }
            let mark = host.mark
            try stage.remote("skip", "+1", "-1", at: host).succeeded()
            _ = try #require(host.event("remoteLeft", after: mark))
            #expect(host.events(after: mark).isEmpty)
        }

        @Test("skips of any remote add up: the second starts from the first one's target")
        func skipsOnTheWire() throws {
            let stage = try Stage()
            let host = try stage.host(try Film.standard().arguments)
            let client = try RawClient(host)
            try client.command(#""kind":"seek","time":20"#, id: 1)
            for id in 2...6 { client.send(#"{"kind":"command","id":\#(id),"payload":{"kind":"skip","seconds":1}}"#) }
            #expect(try client.reply(to: 6)["payload"]["currentTime"].number == 25)
            #expect(try (2...6).allSatisfy { try client.reply(to: $0)["kind"].text == "snapshot" })
        }

        @Test("at the end of the film it stands there paused, and play begins anew")
        func ending() throws {
            let stage = try Stage()
            let host = try stage.host(try Film.standard().arguments)
            try stage.remote("seek", "1:59.5", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            _ = try #require(host.event("ended"))
            let status = try stage.remote("status", "--json", at: host).succeeded().json()
            #expect(status["isPlaying"].bool == false)
            #expect(status["currentTime"].number == status["duration"].number)
            let again = try stage.remote("play", "--json", at: host).succeeded().json()
            #expect(again["isPlaying"].bool == true)
            #expect(try #require(again["currentTime"].number) < 1)
        }

        @Test("a second remote sees what the first does, and its joining changes nothing")
        func secondRemote() throws {
            let stage = try Stage(hasSound: true)
            let host = try stage.host(try Film.standard().arguments)
            try stage.remote("seek", "33", at: host).succeeded()
            let before = try stage.remote("status", "--json", at: host).succeeded().json()
            var mark = host.mark
            let watch = try stage.watch(at: host)
            let joined = try watch.connected()
            _ = try #require(host.event("remoteJoined", after: mark))
            #expect(host.events(after: mark).isEmpty)
            for key in ["currentTime", "isPlaying", "activeTrackID", "sessionID", "volume"] {
                #expect(joined[key] == before[key])
            }

            func sees(_ what: String, _ arguments: [String], _ isSo: (JSON) -> Bool) throws {
                mark = watch.mark
                try stage.remote(arguments, at: host).succeeded()
                try watch.first(what, after: mark, isSo)
            }
            try sees("play", ["play"]) { $0["isPlaying"].bool == true }
            try sees("pause", ["pause"]) { $0["isPlaying"].bool == false }
            try sees("seek", ["seek", "1:10"]) { $0["currentTime"].number == 70 }
            try sees("skip", ["skip", "+3"]) { $0["currentTime"].number == 73 }
            try sees("seek to a line", ["seek", "--cue", "7"]) { json in
                json["currentTime"].number == Film.line(7).start && json["cue"]["index"].number == 7
            }
            let tracks = try #require(before["tracks"].array)
            try sees("track", ["track", "2"]) { $0["activeTrackID"] == tracks[1]["id"] }
            try sees("volume", ["volume", "40"]) { abs(($0["volume"].number ?? 0) - 0.4) < 0.005 }
            watch.running.child.signal(SIGTERM)
            #expect(try watch.running.ended(within: 5).code == 0)
        }
    }
}
