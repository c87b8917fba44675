import Foundation
import LinuxSystem
import Probe
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    @Suite("Volume and the sound server")
    struct OutputTests {
        @Test("a remote's volume is the sink's, and the sink's is what remotes see")
        func volume() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            let host = try stage.host(try Film.standard().arguments)
            #expect(host.outputName == "Cinema")
            let shown = try stage.remote("volume", "40", at: host).succeeded()
            #expect(shown.output.contains("40 %"))
            #expect(abs(try server.volume() - 0.4) < 0.005)
            try stage.remote("volume", "100%", at: host).succeeded()
            #expect(abs(try server.volume() - 1) < 0.005)
            let watch = try stage.watch(at: host)
            try watch.connected()
            let mark = watch.mark
            try server.control("set-sink-volume", "cinema", "25%")
            try watch.first("volume 25 %", after: mark) { abs(($0["volume"].number ?? 0) - 0.25) < 0.005 }
            #expect(try stage.remote("volume", at: host).succeeded().output.contains("25 %"))
        }

        @Test("without a device there is no volume to set, and the remote says so")
        func noVolume() throws {
            let stage = try Stage()
            let host = try stage.host(try Film.standard().arguments, output: "null")
            #expect(try stage.remote("volume", at: host).code == 69)
            let outcome = try stage.remote("volume", "40", at: host)
            #expect(outcome.code == 69)
            #expect(try outcome.sentence().contains("volume"))
        }

        @Test("without a sound server the film runs on a clock, and the host says so in one sentence")
        func clock() throws {
            let stage = try Stage()
            let film = try Film.standard()
            let spoken = try stage.start(
                "allspeak-host", ["play", "--port", "0", "--mdns", "off", "--data", stage.data] + film.arguments)
            let sentences = spoken.output.first(within: 10) { line in
                line.text.contains("No sound server was found") ? line.text : nil
            }
            #expect(
                sentences
                    == "No sound server was found, so this plays on a clock, without sound. Start PulseAudio or PipeWire to hear it."
            )
            spoken.child.signal(SIGTERM)
            #expect(try spoken.ended(within: 5).code == 0)

            let host = try stage.host(film.arguments, output: "auto")
            #expect(host.outputName == "clock")
            let first = try stage.remote("play", "--json", at: host).succeeded().json()
            usleep(500_000)
            let second = try stage.remote("status", "--json", at: host).succeeded().json()
            #expect(try #require(second["currentTime"].number) > (try #require(first["currentTime"].number)) + 0.4)
        }

        @Test(
            "when the sound server dies the film pauses where it was, the host answers on, and plays again with a new server"
        )
        func serverDies() throws {
            let stage = try Stage(hasSound: true)
            let host = try stage.host(try Film.standard().arguments)
            // Who listens keeps the sink's delay short; alone, a null sink may begin to sound a second late.
            let listener = try MonitorRecorder(of: try #require(stage.sound).address)
            try stage.remote("seek", "30", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            let watch = try stage.watch(at: host)
            try watch.connected()
            usleep(500_000)
            let mark = watch.mark
            let before = try #require(
                try stage.remote("status", "--json", at: host).succeeded().json()["currentTime"].number)
            try #require(stage.sound).kill()
            let lost = try watch.first("paused, without a device", after: mark) {
                $0["isPlaying"].bool == false && $0["output"]["present"].bool == false
            }
            let paused = try #require(lost["currentTime"].number)
            #expect(abs(paused - before) < 0.3, "played at \(before), paused at \(paused)")
            withExtendedLifetime(listener) {}
            let client = try RawClient(host)
            let asked = MonotonicClock.now()
            let refused = try client.command(#""kind":"play""#, id: 1)
            #expect(MonotonicClock.now() - asked < 0.1)
            #expect(refused["payload"]["code"].text == "outputLost")
            let outcome = try stage.remote("play", at: host)
            #expect(outcome.code == 69)
            #expect(try outcome.sentence().contains("The sound device is gone"))

            try stage.startSound()
            let back = try watch.first("the device again", after: mark, within: 15) {
                $0["output"]["present"].bool == true && $0["isPlaying"].bool == false
            }
            #expect(back["currentTime"] == lost["currentTime"])
            try stage.remote("play", at: host).succeeded()
            let recorder = try MonitorRecorder(of: try #require(stage.sound).address)
            usleep(500_000)
            let reply = try client.command(#""kind":"play""#, id: 2)["payload"]
            let (at, position) = (try reply.serverTime(), try #require(reply["currentTime"].number))
            let heard = recorder.recording(until: at, plus: 0.3).position(at: at, track: 0, near: position)
            #expect(abs(try #require(heard, "the film does not sound") - position) < 0.025)
        }

        @Test("while the sound server hangs, commands are answered within a tenth of a second")
        func serverHangs() throws {
            let stage = try Stage(hasSound: true)
            let host = try stage.host(try Film.standard().arguments)
            let client = try RawClient(host)
            try client.command(#""kind":"seek","time":30"#, id: 1)
            try client.command(#""kind":"play""#, id: 2)
            usleep(500_000)
            let server = try #require(stage.sound)
            server.freeze(true)
            var slowest = 0.0
            for (number, payload) in [
                #""kind":"seek","time":50"#, #""kind":"skip","seconds":5"#, #""kind":"setVolume","volume":0.5"#,
                #""kind":"pause""#, #""kind":"play""#, #""kind":"seek","time":70"#,
            ].enumerated() {
                let asked = MonotonicClock.now()
                try client.command(payload, id: 10 + number)
                slowest = max(slowest, MonotonicClock.now() - asked)
                usleep(200_000)
            }
            print("slowest reply while the sound server hangs: \(slowest * 1_000) ms")
            #expect(slowest < 0.1)
            host.running.child.signal(SIGTERM)
            let code = host.running.child.exitCode(within: 2)
            server.freeze(false)
            #expect(code == 0, "it does not end while the sound server hangs")
        }

        @Test("when the sink goes away nothing sounds on another one until somebody plays")
        func sinkGoes() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            try server.control("load-module", "module-null-sink", "sink_name=speakers", "rate=48000")
            let host = try stage.host(try Film.standard().arguments)
            let speakers = try MonitorRecorder("speakers.monitor", of: server.address)
            try stage.remote("play", at: host).succeeded()
            usleep(500_000)
            let module = try #require(
                try server.control("list", "short", "modules").split(separator: "\n").first {
                    $0.contains("sink_name=cinema")
                }?.split(separator: "\t").first)
            let mark = host.mark
            try server.control("unload-module", String(module))
            try #require(host.event("outputLost", after: mark) != nil)
            usleep(1_000_000)
            #expect(try stage.remote("status", "--json", at: host).succeeded().json()["isPlaying"].bool == false)
            #expect(speakers.recording().onset(from: 0) == nil, "the speakers sounded by surprise")
        }

        @Test("with a sound server that was asked for and is not there, the host says so and ends")
        func noServer() throws {
            let stage = try Stage()
            let outcome = try stage.hostCommand(
                ["play", "--output", "pulse", "--port", "0", "--mdns", "off", "--data", stage.data]
                    + (try Film.standard().arguments))
            #expect(outcome.code == 69)
            #expect(try outcome.sentence().contains("Start PulseAudio or PipeWire, or use --output null"))
        }
    }
}
