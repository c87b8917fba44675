import Foundation
import LinuxSystem
import Probe
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// What is really heard: the recording of the sink's monitor tells the position, sample by sample.
    @Suite("What is heard")
    struct SoundTests {
        private let stage: Stage
        private let server: PulseServer
        private let host: Host
        private let recorder: MonitorRecorder

        init() throws {
            stage = try Stage(hasSound: true)
            server = try #require(stage.sound)
            host = try stage.host(try Film.standard().arguments)
            recorder = try MonitorRecorder(of: server.address)
        }

        /// The course of the sound at `time`, by a fiftieth of a second of recording.
        private func course(
            _ recording: Recording, track: Int, at time: SteadyTime, near position: Double
        ) throws -> Course {
            let course = recording.course(
                at: recording.index(at: time), track: track, near: position, reach: 0.2, span: 4_800)
            let found = try #require(course, "the recording does not reach there")
            try #require(found.likeness > 0.9, "track \(track) does not sound near \(position): \(found)")
            return found
        }

        /// Seconds of film at the first sample heard after a jump that the host told of at `time`.
        private func landing(_ recording: Recording, from old: Course, to new: Course, at time: SteadyTime) throws
            -> Double
        {
            let entrance = recording.fade(
                from: old, to: new, from: recording.index(at: time + -0.15), to: recording.index(at: time + 0.4),
                length: 240)
            return Double(new.offset + (try #require(entrance, "no jump is heard"))) / 48_000
        }

        private func line(_ name: String, after mark: Int) throws -> (json: JSON, at: SteadyTime) {
            let found = host.running.output.first(after: mark) { line -> (JSON, SteadyTime)? in
                guard let json = try? JSON(line.text), json["event"].text == name else { return nil }
                return (json, line.at)
            }
            return try #require(found, "the host told of no \(name)")
        }

        @Test("a paused film that goes to a line begins with that line")
        func pausedLanding() throws {
            var errors: [Double] = []
            for number in [12, 3, 25] {
                try stage.remote("seek", "--cue", "\(number)", at: host).succeeded()
                let mark = host.mark
                let before = recorder.recording().samples.count
                try stage.remote("play", at: host).succeeded()
                let played = try line("play", after: mark)
                let recording = recorder.recording(until: played.at, plus: 0.8)
                try stage.remote("pause", at: host).succeeded()
                let onset = try #require(recording.onset(from: before), "nothing is heard after play")
                let start = Film.line(number).start
                let heard = try course(
                    recording, track: 0, at: recording.time(of: onset + 4_800), near: start + 0.1)
                errors.append((Double(heard.offset + onset) / 48_000 - start) * 1_000)
                usleep(200_000)
            }
            print("seek while paused, landing error (ms):", text(errors))
            // Some of the ten-millisecond fade may be lost while the device starts.
            #expect(errors.allSatisfy { abs($0) < 10 })
        }

        @Test("a playing film that goes to a line lands on it")
        func landing() throws {
            try stage.remote("seek", "10", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            usleep(600_000)
            var errors: [Double] = []
            for number in [12, 3, 25, 18, 30] {
                let mark = host.mark
                try stage.remote("seek", "--cue", "\(number)", at: host).succeeded()
                let sought = try line("seek", after: mark)
                let recording = recorder.recording(until: sought.at, plus: 0.9)
                let start = Film.line(number).start
                #expect(sought.json["to"].number == start)
                let from = try #require(sought.json["from"].number)
                let old = try course(recording, track: 0, at: sought.at + -0.35, near: from - 0.35)
                let new = try course(recording, track: 0, at: sought.at + 0.6, near: start + 0.6)
                errors.append((try landing(recording, from: old, to: new, at: sought.at) - start) * 1_000)
            }
            print("seek while playing, landing error (ms):", text(errors))
            // A fade's beginning is found to a tenth of a millisecond; a busy sound server may lose some.
            #expect(errors.allSatisfy { abs($0) < 5 })
        }

        @Test("the position the host reports is the one that is heard: after play, seek, skip, switch and pause")
        func reportedPosition() throws {
            let client = try RawClient(host)
            var id = 0
            let tracks = try #require(client.message("metadata")["payload"]["tracks"].array)
            var medians: [Double] = []
            func measure(_ what: String, track: Int, _ payload: String) throws {
                id += 1
                try client.command(payload, id: id)
                usleep(300_000)
                var reports: [(at: SteadyTime, position: Double)] = []
                for _ in 0..<12 {
                    id += 1
                    // A play while playing changes nothing and is answered with the state.
                    let reply = try client.command(#""kind":"play""#, id: id)["payload"]
                    reports.append((try reply.serverTime(), try #require(reply["currentTime"].number)))
                    usleep(40_000)
                }
                let recording = recorder.recording(until: try #require(reports.last).at, plus: 0.3)
                let errors = try reports.map { report in
                    let heard = recording.position(
                        at: report.at, track: track, near: report.position, reach: 0.1, span: 2_400)
                    return (report.position - (try #require(heard, "what is reported does not sound"))) * 1_000
                }.sorted()
                print("reported minus heard after \(what) (ms): median \(text([errors[6]])), all \(text(errors))")
                medians.append(errors[6])
                #expect(errors.allSatisfy { abs($0) < 25 }, "after \(what)")
            }
            try measure("play", track: 0, #""kind":"play""#)
            try measure("seek", track: 0, #""kind":"seek","time":50"#)
            try measure("skip", track: 0, #""kind":"skip","seconds":-3"#)
            try measure("switch", track: 1, #""kind":"switchTrack","trackID":"\#(tracks[1]["id"].text ?? "")""#)
            id += 1
            try client.command(#""kind":"pause""#, id: id)
            usleep(300_000)
            try measure("resume", track: 1, #""kind":"play""#)
            #expect(medians.allSatisfy { abs($0) < 10 })
        }

        @Test("a switched track goes on at the same sample, playing or paused, by number or by label")
        func switching() throws {
            try stage.remote("seek", "20", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            usleep(600_000)
            var slips: [Double] = []
            var track = 0
            for choice in ["2", "Original", "dub", "1"] {
                let mark = host.mark
                let shown = try stage.remote("track", choice, "--json", at: host).succeeded().json()
                #expect(shown["isPlaying"].bool == true)
                let switched = try line("track", after: mark)
                let recording = recorder.recording(until: switched.at, plus: 0.8)
                let position = try #require(switched.json["position"].number)
                let old = try course(recording, track: track, at: switched.at + -0.35, near: position - 0.35)
                let new = try course(recording, track: 1 - track, at: switched.at + 0.4, near: position + 0.4)
                slips.append(Double(new.offset - old.offset) / 48)
                let silence = recording.longestSilence(from: switched.at + -0.3, to: switched.at + 0.4)
                #expect(silence < 48, "there is a gap of \(silence) samples")
                track = 1 - track
            }
            print("track switch, slip (ms):", text(slips))
            #expect(slips.allSatisfy { abs($0) < 0.5 })

            try stage.remote("pause", at: host).succeeded()
            // It stops where its fade ends.
            usleep(200_000)
            let before = try stage.remote("status", "--json", at: host).succeeded().json()
            let after = try stage.remote("track", "2", "--json", at: host).succeeded().json()
            #expect(after["isPlaying"].bool == false)
            #expect(after["currentTime"] == before["currentTime"])
            #expect(after["activeTrackID"] != before["activeTrackID"])
        }

        @Test("a track whose file has become garbage is refused, and the old one sounds on without a gap")
        func brokenTrack() throws {
            let stage = try Stage(hasSound: true)
            let film = try Film.standard().copied(to: stage.folder)
            let host = try stage.host(film.arguments)
            let recorder = try MonitorRecorder(of: try #require(stage.sound).address)
            try stage.remote("seek", "30", at: host).succeeded()
            try stage.remote("play", at: host).succeeded()
            usleep(500_000)
            // In place, so that a file already open changes as well.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: film.dub))
            let size = try file.seekToEnd()
            try file.seek(toOffset: 0)
            var generator = SystemRandomNumberGenerator()
            try file.write(contentsOf: Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }))
            try file.close()

            let before = try RawClient(host)
            let metadata = try before.message("metadata")["payload"]
            let asked = MonotonicClock.now()
            let outcome = try stage.remote("track", "Dub", at: host)
            #expect(outcome.code == 65)
            #expect(try outcome.sentence().contains("Dub"))
            let failed = try #require(host.event("trackFailed"))
            #expect(failed["trackID"] == metadata["tracks"][1]["id"])
            usleep(600_000)
            let status = try stage.remote("status", "--json", at: host).succeeded().json()
            #expect(status["activeTrackID"] == metadata["tracks"][0]["id"])
            #expect(status["isPlaying"].bool == true)
            let reply = try before.command(#""kind":"play""#, id: 1)["payload"]
            let (at, position) = (try reply.serverTime(), try #require(reply["currentTime"].number))
            let recording = recorder.recording(until: at, plus: 0.3)
            let heard = try #require(recording.position(at: at, track: 0, near: position))
            #expect(abs(heard - position) < 0.025)
            #expect(recording.longestSilence(from: asked, to: at) < 48)
        }

        private func text(_ values: [Double]) -> String {
            values.map { String(format: "%.2f", $0) }.joined(separator: " ")
        }
    }
}
