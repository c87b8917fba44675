import AudioEngine
import Foundation
import LinuxSystem
import Playback
import Probe
import TestKit
import Testing
import WireProtocol

/// What happens when devices come, go and differ, on real servers of this suite's own.
@Suite("The engine, from device to device", .serialized)
struct PulseDeviceTests {
    private func load(_ sink: String, on server: PulseServer) throws -> String {
        try server.control(
            "load-module", "module-null-sink", "sink_name=\(sink)", "rate=48000",
            "sink_properties=device.description=\(sink)"
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The first of the host's streams in the server's list, which a user would move.
    private func firstStream(of server: PulseServer) throws -> String {
        let list = try server.control("list", "short", "sink-inputs")
        return try #require(list.split(separator: "\t").first.map(String.init), "no stream in: \(list)")
    }

    private func errors(_ log: EventLog, track: Int = 0, _ recording: () -> Recording) throws -> [Double] {
        try positionErrors(log, track: track, reach: 0.5, heardIn: recording)
    }

    /// An engine that plays from ten seconds on, where the server puts it.
    private func playing() throws -> (EventLog, StreamingAudioEngine) {
        let log = EventLog()
        let engine = try noiseEngine(log)
        _ = try #require(log.first(present))
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        return (log, engine)
    }

    private func isTrue(_ errors: [Double]) -> Bool {
        let sorted = errors.sorted()
        return abs(sorted[sorted.count / 2]) <= 2 && sorted.allSatisfy { abs($0) <= 5 }
    }

    @Test("the user moves the stream: the film goes on there, and stays there after a seek, a switch and a pause")
    func moved() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        _ = try load("other", on: server)
        let old = try MonitorRecorder()
        let new = try MonitorRecorder("other.monitor")
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(300_000)
        let mark = log.count
        let before = try #require(log.position(at: MonotonicClock.now()))
        try server.control("move-sink-input", try firstStream(of: server), "other")
        #expect(log.first(after: mark) { present($0)?.name == "other" ? true : nil } == true)
        let resumed = try #require(log.anchor(after: mark, epoch: 1))
        #expect(resumed.position > before && resumed.position < before + 0.3)
        #expect(isTrue(try errors(log) { new.recording() }))
        engine.perform(.locate(epoch: 2, position: 40, playing: true))
        _ = try #require(log.anchor(epoch: 2))
        engine.perform(.switchTrack(epoch: 3, trackID: "b"))
        _ = try #require(log.anchor(epoch: 3))
        engine.perform(.pause(epoch: 3))
        _ = try #require(log.paused(epoch: 3))
        engine.perform(.play(epoch: 4))
        _ = try #require(log.anchor(epoch: 4))
        #expect(isTrue(try errors(log, track: 1) { new.recording() }))
        let silent = old.recording()
        #expect(silent.longestSilence(from: silent.end + -0.8, to: silent.end) > 36_000)
        #expect(!log.all.contains { if case .outputLost = $0 { true } else { false } })
    }

    @Test("another default sink leaves a playing film where it is; it goes there when it is paused")
    func otherDefault() throws {
        let server = try EngineServer.start()
        _ = try load("other", on: server)
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        let new = try MonitorRecorder("other.monitor")
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        let mark = log.count
        try server.control("set-default-sink", "other")
        usleep(500_000)
        #expect(new.recording().samples.allSatisfy { $0 == 0 })
        #expect(!log.all.contains { present($0)?.name == "other" })
        engine.perform(.pause(epoch: 1))
        _ = try #require(log.paused(epoch: 1))
        #expect(log.first(after: mark) { present($0)?.name == "other" ? true : nil } == true)
    }

    @Test("the user moves the stream away from the default sink, and that one goes: nothing changes")
    func unusedSinkRemoved() throws {
        let server = try EngineServer.start()
        let unused = try load("unused", on: server)
        try server.control("set-default-sink", "unused")
        let (log, engine) = try playing()
        defer { engine.shutDown() }
        let mark = log.count
        try server.control("move-sink-input", try firstStream(of: server), "cinema")
        #expect(log.first(after: mark) { present($0)?.name == "Cinema" ? true : nil } == true)
        _ = try #require(log.anchor(after: mark, epoch: 1))
        let moved = log.count
        try server.control("unload-module", unused)
        usleep(500_000)
        let strays = log.all.dropFirst(moved).filter {
            switch $0 {
            case .anchor(_, _, _, let isRunning): !isRunning
            // A sink that has slept has other latencies at first.
            case .output(let state): state.name != "Cinema" || !state.isPresent
            default: true
            }
        }
        #expect(strays.isEmpty)
        let recorder = try MonitorRecorder()
        #expect(isTrue(try errors(log) { recorder.recording() }))
    }

    @Test("moved to the headphones, which then go: nothing reaches what is left, and a later play does")
    func movedThenRemoved() throws {
        let server = try EngineServer.start()
        let headphones = try load("headphones", on: server)
        let (log, engine) = try playing()
        defer { engine.shutDown() }
        var mark = log.count
        try server.control("move-sink-input", try firstStream(of: server), "headphones")
        #expect(log.first(after: mark) { present($0)?.name == "headphones" ? true : nil } == true)
        _ = try #require(log.anchor(after: mark, epoch: 1))
        usleep(200_000)
        let speakers = try MonitorRecorder()
        mark = log.count
        try server.control("unload-module", headphones)
        let lost: Bool? = log.first(after: mark) { if case .outputLost = $0 { true } else { nil } }
        #expect(lost == true)
        _ = try #require(log.first(after: mark, present))
        usleep(500_000)
        #expect(speakers.recording().samples.allSatisfy { $0 == 0 })
        engine.perform(.pause(epoch: 2))
        engine.perform(.play(epoch: 3))
        _ = try #require(log.anchor(epoch: 3))
        #expect(isTrue(try errors(log) { speakers.recording() }))
    }

    @Test("a sink asked for by name that is not there is waited for, and does not follow the default one")
    func named() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log, sink: "headphones")
        defer { engine.shutDown() }
        let absent: Bool? = log.first { if case .output(let state) = $0, !state.isPresent { true } else { nil } }
        #expect(absent == true)
        _ = try load("headphones", on: server)
        #expect(log.first(within: 8, present)?.name == "headphones")
        try server.control("set-default-sink", "headphones")
        let mark = log.count
        try server.control("set-default-sink", "cinema")
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        let recorder = try MonitorRecorder("headphones.monitor")
        #expect(isTrue(try errors(log) { recorder.recording() }))
        #expect(log.first(after: mark, within: 0.01, present).map { $0.name == "headphones" } ?? true)
    }

    @Test("a device with a third of a second of latency that takes nothing back: the position is what leaves it")
    func latency() throws {
        let server = try EngineServer.start()
        let pipe = try PipeSink("bluetooth", on: server)
        let (log, engine) = try playing()
        defer { engine.shutDown() }
        usleep(300_000)
        var mark = log.count
        try server.control("move-sink-input", try firstStream(of: server), "bluetooth")
        _ = try #require(log.anchor(after: mark, epoch: 1))
        usleep(800_000)
        let latency = log.all.reversed().lazy.compactMap { present($0)?.latency }.first ?? 0
        #expect(latency > 0.25 && latency < 0.8)
        #expect(isTrue(try errors(log) { pipe.recording() }))
        engine.perform(.locate(epoch: 2, position: 40, playing: true))
        let landed = try #require(log.anchor(epoch: 2))
        #expect(abs(landed.position - 40) < 0.001, "a seek begins at its target, however late that is heard")
        usleep(1_200_000)
        #expect(isTrue(try errors(log) { pipe.recording() }))
        mark = log.count
        try server.control("move-sink-input", try firstStream(of: server), "cinema")
        _ = try #require(log.anchor(after: mark, epoch: 2))
        usleep(200_000)
        let recorder = try MonitorRecorder()
        #expect(isTrue(try errors(log) { recorder.recording() }))
    }

    @Test("a device that sleeps when idle sounds within a second of play")
    func wakes() throws {
        let server = try EngineServer.start()
        try server.control("load-module", "module-suspend-on-idle", "timeout=1")
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        _ = try #require(log.first(present))
        var isAsleep = false
        for _ in 0..<100 where !isAsleep {
            usleep(100_000)
            isAsleep = try server.control("list", "short", "sinks").contains("SUSPENDED")
        }
        #expect(isAsleep, "neither of the host's streams keeps the device awake")
        let asked = MonotonicClock.now()
        engine.perform(.play(epoch: 1))
        let started = try #require(log.anchor(epoch: 1))
        #expect(started.at - asked < 1)
        let recorder = try MonitorRecorder()
        #expect(isTrue(try errors(log) { recorder.recording() }))
    }

    @Test("a server that hangs: the position stops where the sound ran out, long before the server counts as gone")
    func hangs() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer {
            server.freeze(false)
            engine.shutDown()
        }
        _ = try #require(log.first(present))
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        usleep(300_000)
        let mark = log.count
        let before = try #require(log.position(at: MonotonicClock.now()))
        server.freeze(true)
        let stalled = try #require(log.anchor(after: mark, epoch: 1, isRunning: false, within: 0.6))
        #expect(stalled.position >= before && stalled.position < before + 0.3)
        let lost: Double? = log.first(after: mark, within: 5) { event in
            if case .outputLost(1, let position, _) = event { position } else { nil }
        }
        #expect(abs(try #require(lost) - stalled.position) < 0.01)
    }
}
