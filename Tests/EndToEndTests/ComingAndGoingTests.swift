import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    @Suite("Hosts that come and go")
    struct ComingAndGoing {
        private let stage: Stage
        private let film: Film

        init() throws {
            try Services.require()
            stage = try Stage()
            film = try Film.standard()
        }

        /// Kills a playing host and gives the position it had then, with what stands in its library.
        private func killWhilePlaying(_ host: Host) throws -> Double {
            try stage.remote("seek", "40", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            // Long enough for the position to have been saved from time to time.
            usleep(2_700_000)
            let last = try stage.remote("status", "--json", at: host).succeeded().json()
            host.running.child.kill()
            return try #require(last["currentTime"].number)
        }

        @Test(
            "a host killed while playing and started again goes on at most a second earlier, and a watching remote comes back"
        )
        func killed() throws {
            let host = try stage.host(film.arguments)
            let watch = try stage.watch(at: host)
            try watch.connected()
            let position = try killWhilePlaying(host)
            let mark = watch.mark
            try watch.first("reconnecting", after: mark) { $0["connection"].text == "reconnecting" }
            let again = try stage.host(film.arguments, port: host.port)
            #expect(again.sessionID == host.sessionID)
            let back = try watch.connected(after: mark)
            #expect(back["isPlaying"].bool == false)
            let resumed = try #require(back["currentTime"].number)
            print("killed at \(position), resumed at \(resumed)")
            #expect(resumed > position - 1 && resumed < position + 0.5)
            try stage.remote("play", at: again).succeeded()
            try watch.first("playing again", after: mark) {
                $0["connection"].text == "connected" && $0["isPlaying"].bool == true
            }
        }

        @Test("it is found again on another port, by its id")
        func anotherPort() throws {
            let host = try stage.host(film.arguments, isAnnounced: true)
            let id = try #require(try stage.remote("discover", "--json").succeeded().json()[0]["id"].text)
            let watch = try stage.watch("--host", id)
            try watch.connected()
            let position = try killWhilePlaying(host)
            let mark = watch.mark
            try watch.first("reconnecting", after: mark) { $0["connection"].text == "reconnecting" }
            // Another host takes the old port, so that only the id can lead to the right one.
            let other = try stage.host(
                film.arguments, isAnnounced: true, port: host.port, data: stage.folder("other"), "--name", "Stranger")
            // By its id in the library this time.
            let again = try stage.host([host.sessionID], isAnnounced: true, "--name", "Renamed")
            #expect(again.port != host.port)
            let back = try watch.first("connected to the same host", after: mark, within: 20) {
                $0["connection"].text == "connected" && $0["host"].text == "Renamed"
            }
            let resumed = try #require(back["currentTime"].number)
            #expect(resumed > position - 1 && resumed < position + 0.5)
            withExtendedLifetime(other) {}
        }

        @Test(
            "asked to end, a host says goodbye, takes its announcement back and ends within a second",
            arguments: [SIGTERM, SIGINT])
        func goodbye(signal: Int32) throws {
            let host = try stage.host(film.arguments, isAnnounced: true)
            try stage.remote("seek", "12", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            let client = try RawClient(host)
            let silent = try RawClient(host, as: nil)
            let asked = MonotonicClock.now()
            host.running.child.signal(signal)
            let code = host.running.child.exitCode(within: 5)
            let took = MonotonicClock.now() - asked
            print("ended \(Int(took * 1_000)) ms after signal \(signal)")
            #expect(code == 0)
            #expect(took < 1)
            for one in [client, silent] {
                #expect(try one.message("goodbye")["payload"]["reason"].text == "shutdown")
                #expect(one.log.waitForEnd(within: 2))
            }
            // What was taken back stays in every mDNS cache for a second more (RFC 6762 §10.1).
            usleep(useconds_t(max(0, 1.1 - (MonotonicClock.now() - asked)) * 1e6))
            let search = try stage.remote("discover", "--json")
            #expect(search.code == 69)
            #expect(try search.json() == .array([]))
            let again = try stage.host(film.arguments)
            let position = try #require(
                try stage.remote("status", "--json", at: again).succeeded().json()["currentTime"].number)
            #expect(position > 12 && position < 15)
        }

        @Test("a remote that watches is told of the end, and comes back when the host does")
        func shutDownAndBack() throws {
            let host = try stage.host(film.arguments, isAnnounced: true)
            let watch = try stage.watch()
            try watch.connected()
            var mark = watch.mark
            host.running.child.signal(SIGTERM)
            #expect(try host.running.ended(within: 5).code == 0)
            try watch.first("the end of the connection", after: mark) { $0["connection"].text != "connected" }
            mark = watch.mark
            let again = try stage.host(film.arguments, isAnnounced: true)
            try watch.connected(after: mark, within: 15)
            withExtendedLifetime(again) {}
        }

        @Test("of two hosts with one name both are found, and the remote asks which")
        func twoHosts() throws {
            let first = try stage.host(film.arguments, isAnnounced: true, "--name", "Cinema")
            let second = try stage.host(
                film.arguments, isAnnounced: true, data: stage.folder("second"), "--name", "Cinema", "--title",
                "Other film")
            let found = try #require(try stage.remote("discover", "--json").succeeded().json().array)
            #expect(Set(found.map { $0["name"].text }) == ["Cinema", "Cinema #2"])
            #expect(Set(found.map { $0["id"].text }).count == 2)

            let refused = try stage.remote("status")
            #expect(refused.code == 69)
            #expect(refused.errors.hasPrefix("allspeak-remote: There are 2 hosts; choose one:\n"))
            for host in found { #expect(refused.errors.contains("--host \(host["id"].text ?? "?")")) }

            for (name, title) in [("Cinema", "Night Train"), ("Cinema #2", "Other film")] {
                let id = try #require(found.first { $0["name"].text == name }?["id"].text)
                #expect(try stage.remote("status", "--json", "--host", id).succeeded().json()["title"].text == title)
                #expect(try stage.remote("status", "--json", "--host", name).succeeded().json()["title"].text == title)
            }
            withExtendedLifetime((first, second)) {}
        }

        @Test("a host without mDNS says so, serves on, and is announced once mDNS is there")
        func avahiMissing() throws {
            try Services.control("avahi", "stop")
            var isBack = false
            defer { if !isBack { try? Services.control("avahi", "start") } }
            let host = try stage.host(film.arguments + ["--mdns", "on"])
            _ = try #require(host.event("announcementFailed"))
            let search = try stage.remote("status")
            #expect(search.code == 69)
            #expect(try search.sentence().contains("--host 127.0.0.1"))
            try stage.remote("play", at: host).succeeded()
            try Services.control("avahi", "start")
            isBack = true
            _ = try #require(host.event("announced", within: 15))
            try stage.remote("pause").succeeded()
        }
    }
}
