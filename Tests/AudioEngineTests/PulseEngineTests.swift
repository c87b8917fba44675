import Foundation
import LinuxSystem
import Playback
import Testing
import WireProtocol

@testable import AudioEngine

/// What is really heard: a private sound server, and a recording of its sink's monitor.
@Suite("The engine on PulseAudio", .serialized)
struct PulseEngineTests {
    /// Two tracks of different noise.
    private func engine(
        _ log: EventLog, position: Double = 0, sink: String? = nil
    ) throws -> StreamingAudioEngine {
        try StreamingAudioEngine(
            tracks: [
                TrackFile(id: "a", path: try MediaFiles.noise("p.m4a", seconds: 60, "-c:a", "aac", "-aac_pns", "0")),
                TrackFile(
                    id: "b", path: try MediaFiles.noise("q.m4a", track: 1, seconds: 60, "-c:a", "aac", "-aac_pns", "0")),
            ], active: "a", position: position, output: .pulse(sink: sink), onEvent: { log.note($0) })
    }

    private func present(_ event: EngineEvent) -> OutputState? {
        if case .output(let state) = event, state.isPresent { return state }
        return nil
    }

    /// Reported minus heard position in milliseconds, at several moments from now on.
    private func errors(
        _ log: EventLog, _ recorder: MonitorRecorder, track: Int, moments: Int = 10
    ) throws -> [Double] {
        var reported: [(SteadyTime, Double)] = []
        for _ in 0..<moments {
            usleep(50_000)
            let now = MonotonicClock.now()
            reported.append((now, try #require(log.position(at: now))))
        }
        usleep(200_000)
        let recording = recorder.recording()
        return try reported.map { at, position in
            let heard = recording.position(at: at, track: track, near: position)
            return (position - (try #require(heard, "nothing known sounds at \(position)"))) * 1_000
        }
    }

    @Test("the reported position is what is heard: after play, a seek, a switch, a pause and going on")
    func truth() throws {
        let server = try PulseServer()
        let log = EventLog()
        let engine = try engine(log, position: 10)
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
            print(name, sorted.map { String(format: "%.2f", $0) }.joined(separator: " "))
            #expect(abs(sorted[sorted.count / 2]) < 2, "\(name): \(sorted)")
        }
        print(log.all)
        withExtendedLifetime(server) {}
    }

    @Test("a switch has no gap and no slip")
    func seamlessSwitch() throws {
        let server = try PulseServer()
        let log = EventLog()
        let engine = try engine(log, position: 10)
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
}
