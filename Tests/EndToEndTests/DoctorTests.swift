import Foundation
import LinuxSystem
import Probe
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    @Suite("The doctor")
    struct DoctorTests {
        private func check(_ outcome: Outcome, _ name: String) throws -> JSON {
            let checks = try #require(try outcome.json()["checks"].array)
            return try #require(checks.first { $0["check"].text == name })
        }

        private func figure(_ report: JSON, _ name: String) throws -> JSON {
            let figures = try #require(report["figures"].array)
            return try #require(figures.first { $0["figure"].text == name }, "\(report)")
        }

        /// Whether the programs left anything in the test's folders, or on the sound server.
        private func leavesNothing(_ stage: Stage, _ server: PulseServer) throws {
            #expect(stage.folder.contents.allSatisfy { !$0.contains("probe") && !$0.hasSuffix(".wav") })
            var streams = ""
            for _ in 0..<100 {
                streams =
                    try server.control("list", "short", "sink-inputs")
                    + server.control("list", "short", "source-outputs")
                if streams.isEmpty { break }
                usleep(20_000)
            }
            #expect(streams.isEmpty)
        }

        // MARK: What is here

        @Test("where all is there, it says so line by line, and ends with 0")
        func well() throws {
            let stage = try Stage(hasSound: true)
            let outcome = try stage.hostCommand(["doctor", "--data", stage.data])
            #expect(outcome.code == 0, "\(outcome)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 9)
            #expect(lines.contains { $0.hasPrefix("ok       Sound server: PulseAudio ") })
            #expect(lines.contains("ok       Sound device: Cinema, volume 100 %."))
            #expect(lines.contains { $0.hasPrefix("ok       Decoders: ") })
            #expect(!FileManager.default.fileExists(atPath: stage.data), "looking made the folder")
        }

        @Test("without a sound server it says what to do, and ends with 69")
        func noServer() throws {
            let stage = try Stage()
            let outcome = try stage.hostCommand(["doctor", "--data", stage.data])
            #expect(outcome.code == 69)
            #expect(outcome.output.contains("problem  Sound server: none answers"))
            #expect(outcome.output.contains("pulseaudio --start"))
            let json = try stage.hostCommand(["doctor", "--json", "--data", stage.data])
            #expect(json.code == 69)
            #expect(try json.json()["problems"].number == 1)
            #expect(try check(json, "soundServer")["verdict"].text == "problem")
        }

        @Test("a muted device and missing mDNS are warnings")
        func warnings() throws {
            let stage = try Stage(hasSound: true)
            stage.withoutAvahi()
            try #require(stage.sound).control("set-sink-mute", "cinema", "1")
            let outcome = try stage.hostCommand(["doctor", "--json", "--data", stage.data])
            #expect(outcome.code == 0)
            #expect(try outcome.json()["warnings"].number == 2)
            #expect(try check(outcome, "soundDevice")["message"].text?.contains("muted") == true)
            #expect(try check(outcome, "discovery")["verdict"].text == "warning")
        }

        @Test("a sound server that hangs does not hang the doctor")
        func hangs() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            server.freeze(true)
            defer { server.freeze(false) }
            let outcome = try stage.hostCommand(["doctor", "--json", "--data", stage.data], within: 10)
            #expect(outcome.code == 69)
            #expect(try check(outcome, "soundServer")["message"].text?.contains("does not answer") == true)
        }

        @Test("the port's owner is told apart: another host by its name, any other program as such")
        func port() throws {
            let stage = try Stage(hasSound: true)
            do {
                let host = try stage.host(try Film.standard().arguments, port: 42557, "--name", "Living room")
                let outcome = try stage.hostCommand(["doctor", "--json", "--data", stage.data])
                #expect(outcome.code == 0)
                #expect(try check(outcome, "port")["verdict"].text == "warning")
                #expect(try check(outcome, "port")["message"].text?.contains("“Living room”") == true)
                #expect(try check(outcome, "library")["message"].text == "it holds one film")
                withExtendedLifetime(host) {}
            }
            let other = try FakePeer(port: 42557) { _ in }
            let outcome = try stage.hostCommand(["doctor", "--json", "--data", stage.data])
            #expect(outcome.code == 69)
            #expect(try check(outcome, "port")["message"].text == "another program has it")
            withExtendedLifetime(other) {}
        }

        @Test("a damaged library and a folder that is a file are problems with their own exit codes")
        func files() throws {
            let stage = try Stage(hasSound: true)
            let data = try stage.folder.folder("data")
            try stage.folder.file("data/library.sqlite", String(repeating: "not a database ", count: 100))
            let damaged = try stage.hostCommand(["doctor", "--json", "--data", data])
            #expect(damaged.code == 65)
            #expect(try check(damaged, "library")["verdict"].text == "problem")
            let file = try stage.folder.file("file", "x")
            let outcome = try stage.hostCommand(["doctor", "--json", "--data", file + "/data"])
            #expect(outcome.code == 69)
            #expect(try check(outcome, "folder")["verdict"].text == "problem")
        }

        // MARK: What is heard

        @Test("it tells first that noise will come, measures what is heard, and leaves nothing behind")
        func measures() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            try server.control("set-sink-volume", "cinema", "60%")
            let outcome = try stage.hostCommand(["doctor", "--sound", "--json", "--seconds", "8"], within: 60)
            let report = try outcome.json()
            print("doctor --sound:", outcome.output)
            #expect(
                outcome.errors.hasPrefix(
                    "Soft noise will be heard on Cinema for 9 s; its volume, 60 %, stays as it is. Ctrl-C ends it."))
            #expect(report["sink"].text == "cinema")
            #expect(report["otherSound"].bool == false)
            // On a busy machine single values may be more than they should be, and the exit code tells.
            #expect(outcome.code == (report["fine"].bool == true ? 0 : 1))
            #expect(abs(try #require(try figure(report, "reportedMinusAudible")["median"].number)) < 2)
            #expect(try #require(try figure(report, "seekLanding")["p50"].number) < 0.5)
            #expect(try #require(try figure(report, "seekToSound")["median"].number) < 100)
            #expect(try #require(try figure(report, "switchSilence")["median"].number) < 1)
            #expect(try #require(try figure(report, "switchSlip")["median"].number) < 0.5)
            #expect(try #require(try figure(report, "pauseError")["median"].number) < 5)
            #expect(try #require(try figure(report, "resumeError")["median"].number) < 5)
            #expect(abs(try server.volume() - 0.6) < 0.005)
            try leavesNothing(stage, server)
        }

        @Test("on PipeWire, which tells its time to a block only, that much is allowed for")
        func pipeWire() throws {
            let stage = try Stage()
            let server = try PipeWireServer()
            let environment = stage.environment.merging(["PULSE_SERVER": server.address]) { $1 }
            let looked = try Running("allspeak-host", ["doctor", "--data", stage.data], environment: environment)
                .ended(within: 20)
            #expect(looked.output.contains("ok       Sound server: PulseAudio (on PipeWire "), "\(looked)")
            let outcome = try Running(
                "allspeak-host", ["doctor", "--sound", "--json", "--seconds", "8"], environment: environment
            ).ended(within: 60)
            print("doctor --sound on PipeWire:", outcome.output)
            let report = try outcome.json()
            let precision = try #require(report["timePrecision"].number)
            #expect(precision > 0.5 && precision < 30)
            let median = try #require(try figure(report, "reportedMinusAudible")["median"].number)
            #expect(abs(median) < 2 + precision)
            #expect(try #require(try figure(report, "seekLanding")["p50"].number) < 0.5)
            #expect(try #require(try figure(report, "switchSlip")["median"].number) < 0.5)
        }

        @Test("for a person each figure is a line")
        func lines() throws {
            let stage = try Stage(hasSound: true)
            let outcome = try stage.hostCommand(["doctor", "--sound", "--seconds", "5"], within: 60)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.first?.hasPrefix("Soft noise will be heard on Cinema") == true)
            #expect(lines.contains { $0.hasPrefix("On this machine, on Cinema") })
            for subject in ["Position shown minus heard", "Seek until it is heard", "Track switch, slip"] {
                #expect(lines.contains { $0.contains(subject) }, "\(outcome)")
            }
            #expect(outcome.errors.isEmpty)
        }

        @Test("beside another program's noise positions are still known, and it is said that there was some")
        func foreign() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            let noise = try stage.folder.file(
                "foreign.wav", Data(Noise.wave(track: 40, seconds: 40, gain: 0.4)))
            let player = try Child("paplay", [noise], environment: ["PULSE_SERVER": server.address])
            for _ in 0..<200 where try server.control("list", "short", "sink-inputs").isEmpty { usleep(20_000) }
            let outcome = try stage.hostCommand(["doctor", "--sound", "--json", "--seconds", "8"], within: 60)
            #expect(outcome.errors.contains("Something else may sound there (paplay)"))
            let report = try outcome.json()
            print("doctor --sound beside noise:", outcome.output)
            #expect(report["otherSound"].bool == true)
            #expect(abs(try #require(try figure(report, "reportedMinusAudible")["median"].number)) < 2)
            #expect(try figure(report, "switchSilence")["verdict"].text == nil, "silence cannot be told")
            player.kill()
        }

        @Test("what is muted cannot be measured, which is said, and it stays muted")
        func muted() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            try server.control("set-sink-mute", "cinema", "1")
            let outcome = try stage.hostCommand(["doctor", "--sound", "--seconds", "5"], within: 60)
            #expect(outcome.code == 69)
            #expect(try outcome.sentence().contains("Cinema is muted"))
            #expect(try outcome.sentence().contains("pactl set-sink-mute cinema 0"))
            #expect(try server.control("get-sink-mute", "cinema").contains("yes"))
            try leavesNothing(stage, server)
        }

        @Test("no server, no such device, and no monitor to record end in a sentence")
        func refusals() throws {
            let silent = try Stage()
            let none = try silent.hostCommand(["doctor", "--sound"])
            #expect(none.code == 69)
            #expect(try none.sentence().contains("Sound server: none answers"))
            let json = try silent.hostCommand(["doctor", "--sound", "--json"])
            #expect(json.code == 69)
            #expect(try json.json()["error"].text?.contains("pulseaudio --start") == true)
            let stage = try Stage(hasSound: true)
            let wrong = try stage.hostCommand(["doctor", "--sound", "--sink", "kitchen"])
            #expect(wrong.code == 64)
            #expect(try wrong.sentence() == "There is no sound device kitchen. There are: cinema")
        }

        @Test("a film that is playing is not disturbed; a paused one does not mind")
        func film() throws {
            let stage = try Stage(hasSound: true)
            let host = try stage.host(try Film.standard().arguments)
            try stage.remote("play", at: host).succeeded()
            let refused = try stage.hostCommand(["doctor", "--sound", "--seconds", "5"])
            #expect(refused.code == 69)
            #expect(try refused.sentence().contains("A film is playing on Cinema"))
            try stage.remote("pause", at: host).succeeded()
            // A null sink that nobody listens to may take two seconds to come to the end of the sound.
            let server = try #require(stage.sound)
            for _ in 0..<250 where try server.control("list", "sink-inputs").contains("Corked: no") { usleep(20_000) }
            let outcome = try stage.hostCommand(["doctor", "--sound", "--json", "--seconds", "5"], within: 60)
            #expect([0, 1].contains(outcome.code), "\(outcome)")
            #expect(try figure(try outcome.json(), "reportedMinusAudible")["median"].number != nil)
        }

        @Test(
            "ended in the middle, it stops the noise, says so, and leaves nothing behind", arguments: [SIGINT, SIGTERM])
        func interrupted(signal: Int32) throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            let doctor = try stage.start("allspeak-host", ["doctor", "--sound", "--seconds", "60"])
            for _ in 0..<300 where try server.control("list", "short", "sink-inputs").isEmpty { usleep(20_000) }
            usleep(1_500_000)
            let asked = MonotonicClock.now()
            doctor.child.signal(signal)
            let outcome = try doctor.ended(within: 5)
            #expect(MonotonicClock.now() - asked < 1 * Sanitizer.patience)
            #expect(outcome.code == 1)
            #expect(try outcome.sentence() == "Stopped before the end: nothing was measured.")
            try leavesNothing(stage, server)
        }

        @Test("when the device goes away in the middle, nothing sounds elsewhere, and it is said")
        func deviceGoes() throws {
            let stage = try Stage(hasSound: true)
            let server = try #require(stage.sound)
            let module = try server.control("load-module", "module-null-sink", "sink_name=headphones", "rate=48000")
            let doctor = try stage.start(
                "allspeak-host", ["doctor", "--sound", "--sink", "headphones", "--seconds", "60"])
            for _ in 0..<300 where try server.control("list", "short", "sink-inputs").isEmpty { usleep(20_000) }
            let speakers = try MonitorRecorder(of: server.address)
            usleep(1_500_000)
            try server.control("unload-module", module.trimmingCharacters(in: .whitespacesAndNewlines))
            let outcome = try doctor.ended(within: 10)
            #expect(outcome.code == 69)
            #expect(!(try outcome.sentence()).isEmpty)
            #expect(speakers.recording().onset(from: 0) == nil, "the noise went to another device")
        }
    }
}
