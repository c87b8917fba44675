import Foundation
import LinuxSystem
import Playback
import Probe
import TestKit
import Testing
import WireProtocol

@testable import AudioEngine

/// What is really heard: a private sound server, and a recording of its sink's monitor.
@Suite("The engine on PulseAudio", .serialized)
struct PulseEngineTests {
    private func errors(
        _ log: EventLog, _ recorder: MonitorRecorder, track: Int, moments: Int = 10
    ) throws -> [Double] {
        try positionErrors(log, track: track, moments: moments) { recorder.recording() }
    }

    @Test("the reported position is what is heard: after play, a seek, a switch, a pause and going on")
    func truth() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let recorder = try MonitorRecorder()
        var all: [String: [Double]] = [:]

        engine.perform(.play(epoch: 1))
        let started = try #require(log.anchor(epoch: 1))
        #expect(abs(started.position - 10) < 0.06)
        all["play"] = try errors(log, recorder, track: 0)

        engine.perform(.locate(epoch: 2, position: 40, playing: true))
        _ = try #require(log.anchor(epoch: 2))
        all["seek"] = try errors(log, recorder, track: 0)

        engine.perform(.switchTrack(epoch: 3, trackID: "b"))
        _ = try #require(log.anchor(epoch: 3))
        all["switch"] = try errors(log, recorder, track: 1)

        engine.perform(.pause(epoch: 3))
        let stopped = try #require(log.paused(epoch: 3))
        usleep(200_000)
        engine.perform(.play(epoch: 4))
        let resumed = try #require(log.anchor(epoch: 4))
        #expect(abs(resumed.position - stopped) < 0.06)
        all["resume"] = try errors(log, recorder, track: 1)

        for (name, errors) in all {
            let sorted = errors.sorted()
            #expect(abs(sorted[sorted.count / 2]) < 2, "\(name): \(sorted)")
        }
        withExtendedLifetime(server) {}
    }

    @Test("a switch has no gap and no slip")
    func seamlessSwitch() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let recorder = try MonitorRecorder()
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(500_000)
        for epoch in 2...5 {
            let track = epoch % 2 == 0 ? 1 : 0
            let asked = MonotonicClock.now()
            engine.perform(.switchTrack(epoch: epoch, trackID: track == 1 ? "b" : "a"))
            _ = try #require(log.anchor(epoch: epoch))
            usleep(600_000)
            let recording = recorder.recording()
            let near = try #require(log.position(at: asked))
            let before = try #require(
                recording.position(at: asked + -0.2, track: 1 - track, near: near - 0.2, span: 4_800))
            let after = try #require(recording.position(at: asked + 0.3, track: track, near: near + 0.3, span: 4_800))
            #expect(abs(after - before - 0.5) < 0.000_05)
            #expect(recording.longestSilence(from: asked + -0.1, to: asked + 0.4) < 48)
        }
        withExtendedLifetime(server) {}
    }

    /// A track that differs from the first in all but its length.
    struct Other: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var name: String
        var arguments: [String]
        /// Seconds by which its noise is late in the film, and ffmpeg's arguments for that.
        var late = 0.0
        var input: [String] = []

        static let all = [
            Other(
                testDescription: "another rate, channels and codec", name: "q.mp3",
                arguments: ["-c:a", "libmp3lame", "-ar", "44100", "-ac", "2", "-q:a", "3"]),
            Other(testDescription: "six channels at 96 kHz", name: "q.flac", arguments: ["-ar", "96000", "-ac", "6"]),
            Other(testDescription: "Opus in Matroska", name: "q.mka", arguments: ["-c:a", "libopus"]),
            Other(
                testDescription: "a start offset", name: "late.m4a",
                arguments: MediaFiles.aac + ["-movie_timescale", "48000"], late: 1.5, input: ["-itsoffset", "1.5"]),
        ]
    }

    @Test("nor has one to a track that differs in all", arguments: Other.all)
    func seamlessSwitch(to other: Other) throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try StreamingAudioEngine(
            tracks: [
                TrackFile(id: "a", path: try MediaFiles.noise("p.m4a", seconds: 60, "-c:a", "aac", "-aac_pns", "0")),
                TrackFile(
                    id: "b",
                    path: try MediaFiles.noise(
                        other.name, track: 1, seconds: 30, input: other.input, arguments: other.arguments)),
            ], active: "a", position: 10, output: .pulse(sink: nil), onEvent: { log.note($0) })
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let recorder = try MonitorRecorder()
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(500_000)
        for epoch in 2...3 {
            let (old, new) = epoch == 2 ? (0, 1) : (1, 0)
            let late = [0, other.late]
            let asked = MonotonicClock.now()
            engine.perform(.switchTrack(epoch: epoch, trackID: new == 1 ? "b" : "a"))
            _ = try #require(log.anchor(epoch: epoch))
            usleep(600_000)
            let recording = recorder.recording()
            let near = try #require(log.position(at: asked))
            let before = try #require(
                recording.position(at: asked + -0.2, track: old, near: near - 0.2 - late[old], span: 4_800))
            let after = try #require(
                recording.position(at: asked + 0.3, track: new, near: near + 0.3 - late[new], span: 4_800))
            let slip = after + late[new] - before - late[old] - 0.5
            #expect(abs(slip) < 0.000_05, "it slips by \(slip)")
            #expect(recording.longestSilence(from: asked + -0.1, to: asked + 0.4) < 48)
        }
        withExtendedLifetime(server) {}
    }

    @Test("a seek is heard soon, on the exact sample, and the old sound lasts until then")
    func promptSeek() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let recorder = try MonitorRecorder()
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        for (epoch, target) in [(2, 50.0), (3, 1.0), (4, 33.333)] {
            usleep(400_000)
            let asked = MonotonicClock.now()
            engine.perform(.locate(epoch: epoch, position: target, playing: true))
            let landed = try #require(log.anchor(epoch: epoch))
            #expect(landed.at - asked < 0.06)
            usleep(400_000)
            let recording = recorder.recording()
            let heard = try #require(recording.position(at: landed.at + 0.1, track: 0, near: landed.position + 0.1))
            #expect(abs(heard - 0.1 - landed.position) < 0.002)
            #expect(recording.longestSilence(from: asked + -0.1, to: landed.at + 0.1) < 48)
        }
        withExtendedLifetime(server) {}
    }

    @Test("what sounds after a pause follows the very sample before it")
    func pauseLosesNothing() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let recorder = try MonitorRecorder()
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(300_000)
        let asked = MonotonicClock.now()
        engine.perform(.pause(epoch: 1))
        let stopped = try #require(log.paused(epoch: 1))
        let answered = MonotonicClock.now()
        #expect(answered - asked < 0.06)
        usleep(300_000)
        engine.perform(.play(epoch: 2))
        let resumed = try #require(log.anchor(epoch: 2))
        usleep(300_000)
        let recording = recorder.recording()
        // Silent in between, to the last sample.
        #expect(recording.longestSilence(from: answered + 0.01, to: resumed.at) > 200 * 48)
        let before = try #require(recording.position(at: asked + -0.1, track: 0, near: stopped - 0.1, span: 4_800))
        #expect(abs(before - (stopped - 0.1)) < 0.03)
        let after = try #require(recording.position(at: resumed.at + 0.1, track: 0, near: stopped + 0.1))
        #expect(abs(after - 0.1 - resumed.position) < 0.002)
        // Where the new sound begins in the recording is where the old one ended in the film; the monitor may miss a block
        // (5 ms) that was mixed as silence before the stream went on.
        let first = recording.time(of: try #require(recording.onset(from: recording.index(at: answered + 0.02))))
        let begun = after - (resumed.at + 0.1 - first)
        #expect(begun - stopped > -0.001 && begun - stopped < 0.006)
        withExtendedLifetime(server) {}
    }

    @Test("the sink goes away: nothing reaches another one, the loss is told, and a later play goes to what is there")
    func sinkRemoved() throws {
        let server = try EngineServer.start()
        let module = try server.control("load-module", "module-null-sink", "sink_name=headphones", "rate=48000")
        try server.control("set-default-sink", "headphones")
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let recorder = try MonitorRecorder("cinema.monitor")
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(200_000)
        let mark = log.count
        let reported = try #require(log.position(at: MonotonicClock.now()))
        try server.control("unload-module", module.trimmingCharacters(in: .whitespacesAndNewlines))
        let lost = try #require(
            log.first(after: mark) { event -> Double? in
                if case .outputLost(1, let position, _) = event { position } else { nil }
            })
        #expect(lost > reported && lost < reported + 0.3)
        let state = try #require(log.first(after: mark, present))
        #expect(state.name == "Cinema")
        usleep(500_000)
        #expect(recorder.recording().samples.allSatisfy { $0 == 0 })
        engine.perform(.pause(epoch: 2))
        engine.perform(.play(epoch: 3))
        let resumed = try #require(log.anchor(epoch: 3))
        #expect(abs(resumed.position - lost) < 0.06)
        #expect(try errors(log, recorder, track: 0).allSatisfy { abs($0) < 2 })
    }

    @Test("the server is killed and comes back: paused at the position, and playing again when asked")
    func serverKilled() throws {
        var server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        engine.perform(.play(epoch: 1))
        let started = try #require(log.anchor(epoch: 1))
        usleep(200_000)
        let mark = log.count
        server.kill()
        let lost = try #require(
            log.first(after: mark) { event -> Double? in
                if case .outputLost(1, let position, _) = event { position } else { nil }
            })
        #expect(abs(lost - (started.position + (MonotonicClock.now() - started.at))) < 0.1)
        engine.perform(.pause(epoch: 2))
        engine.perform(.play(epoch: 3))
        #expect(
            log.first(after: mark) { event -> Bool? in
                if case .outputLost(3, lost, _) = event { true } else { nil }
            } == true)
        let dead = log.count
        server = try EngineServer.start()
        _ = try #require(log.first(after: dead, within: 8, present))
        engine.perform(.pause(epoch: 4))
        engine.perform(.play(epoch: 5))
        let resumed = try #require(log.anchor(epoch: 5))
        #expect(abs(resumed.position - lost) < 0.06)
        withExtendedLifetime(server) {}
    }

    @Test("a server that hangs counts as gone, and does not hold up shutting down")
    func serverHangs() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        _ = try #require(log.first(present))
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        server.freeze(true)
        let lost: Bool? = log.first(within: 5) { event in
            if case .outputLost(1, _, _) = event { true } else { nil }
        }
        #expect(lost == true)
        let asked = MonotonicClock.now()
        engine.shutDown()
        let lasted = MonotonicClock.now() - asked
        #expect(lasted < 0.2)
        server.freeze(false)
    }

    @Test("the sink's volume is set, read back, and told when someone else changes it")
    func volume() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log, position: 0)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        engine.perform(.setVolume(0.4))
        #expect(
            log.first { event in present(event).map { abs(($0.volume ?? 1) - 0.4) < 0.001 ? true : nil } ?? nil }
                == true)
        #expect(try server.control("get-sink-volume", "cinema").contains("40%"))
        let mark = log.count
        try server.control("set-sink-volume", "cinema", "70%", "35%")
        #expect(
            log.first(after: mark) { event in
                present(event).flatMap { abs(($0.volume ?? 1) - 0.7) < 0.001 ? true : nil }
            } == true)
        engine.perform(.setVolume(0.5))
        #expect(
            log.first(after: mark) { event in
                present(event).flatMap { abs(($0.volume ?? 1) - 0.5) < 0.001 ? true : nil }
            } == true)
        #expect(try server.control("get-sink-volume", "cinema").contains("25%"), "the balance is kept")
        try server.control("set-sink-mute", "cinema", "1")
        #expect(log.first(after: mark) { event in present(event)?.isMuted == true ? true : nil } == true)
    }

    @Test("a suspended sink does not move the position; it goes on from there")
    func suspended() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(200_000)
        let mark = log.count
        try server.control("suspend-sink", "cinema", "1")
        let halted = try #require(log.anchor(after: mark, epoch: 1, isRunning: false))
        usleep(500_000)
        let again = log.count
        try server.control("suspend-sink", "cinema", "0")
        let resumed = try #require(log.anchor(after: again, epoch: 1))
        #expect(abs(resumed.position - halted.position) < 0.15)
        let recorder = try MonitorRecorder()
        #expect(try errors(log, recorder, track: 0).allSatisfy { abs($0) < 2 })
    }

    @Test("while nothing sounds it follows the default device")
    func followsDefault() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        #expect(log.first(present)?.name == "Cinema")
        try server.control(
            "load-module", "module-null-sink", "sink_name=other", "sink_properties=device.description=Other")
        let mark = log.count
        try server.control("set-default-sink", "other")
        #expect(log.first(after: mark) { present($0)?.name == "Other" ? true : nil } == true)
        engine.perform(.play(epoch: 1))
        #expect(log.anchor(epoch: 1) != nil)
    }

    @Test("without a server the probe says so at once, and with one as well")
    func probe() throws {
        try EngineServer.useAddress()
        let asked = MonotonicClock.now()
        #expect(!PulseProbe.isAvailable())
        let server = try EngineServer.start()
        let connected = MonotonicClock.now()
        #expect(PulseProbe.isAvailable())
        let took = MonotonicClock.now() - connected
        #expect(took < 0.2)
        server.freeze(true)
        let hanging = MonotonicClock.now()
        #expect(!PulseProbe.isAvailable(within: 0.3))
        let lasted = MonotonicClock.now() - hanging
        #expect(lasted < 0.5)
        server.freeze(false)
        #expect(hanging - asked < 10)
    }

    @Test(
        "once shut down it keeps nothing, neither the sound nor whom it told, whatever the server is doing",
        arguments: ["plays", "hangs", "is gone"])
    func release(server state: String) throws {
        let server = try EngineServer.start()
        weak var told: EventLog?
        do {
            let log = EventLog()
            told = log
            let engine = try noiseEngine(log, position: 0)
            _ = try #require(log.first(present))
            engine.perform(.play(epoch: 1))
            #expect(log.anchor(epoch: 1) != nil)
            if state == "hangs" { server.freeze(true) }
            if state == "is gone" { server.kill() }
            engine.shutDown()
        }
        #expect(told == nil)
        server.freeze(false)
    }
}
