import AudioEngine
import Foundation
import LinuxSystem
import Playback
import Probe
import TestKit
import Testing
import WireProtocol

/// The basic run on PipeWire's server for PulseAudio's clients, which mixes in quanta and takes nothing back.
@Suite("The engine on PipeWire", .serialized)
struct PipeWireTests {
    private func engine(_ log: EventLog, on server: PipeWireServer) throws -> StreamingAudioEngine {
        setenv("PULSE_SERVER", server.address, 1)
        return try noiseEngine(log)
    }

    /// Reported minus heard position in milliseconds; what is heard is known to a quantum only, as PipeWire hands its
    /// monitor's sound over when it has mixed it.
    private func errors(_ log: EventLog, track: Int, _ recorder: MonitorRecorder) throws -> [Double] {
        try positionErrors(log, track: track, settling: 0.5, reach: 0.3) { recorder.recording() }
    }

    /// Milliseconds by which the monitor's sound may be early or late: its quantum of 43 ms, and a half.
    private static let quantum = 65.0

    @Test("play, seek, switch, pause and going on: what is told is heard, on the right sample")
    func basics() throws {
        let server = try PipeWireServer()
        let log = EventLog()
        let engine = try engine(log, on: server)
        defer { engine.shutDown() }
        #expect(log.first(present)?.name == "cinema")
        let recorder = try MonitorRecorder("cinema.monitor", of: server.address)
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        var all = ["play": try errors(log, track: 0, recorder)]
        engine.perform(.locate(epoch: 2, position: 40, playing: true))
        let landed = try #require(log.anchor(epoch: 2))
        #expect(abs(landed.position - 40) < 0.001)
        all["seek"] = try errors(log, track: 0, recorder)
        let asked = MonotonicClock.now()
        engine.perform(.switchTrack(epoch: 3, trackID: "b"))
        _ = try #require(log.anchor(epoch: 3))
        all["switch"] = try errors(log, track: 1, recorder)
        #expect(recorder.recording().longestSilence(from: asked + -0.1, to: asked + 0.4) < 48)
        engine.perform(.pause(epoch: 3))
        _ = try #require(log.paused(epoch: 3))
        engine.perform(.play(epoch: 4))
        _ = try #require(log.anchor(epoch: 4))
        all["resume"] = try errors(log, track: 1, recorder)
        for (name, errors) in all {
            #expect(errors.allSatisfy { abs($0) < Self.quantum }, "\(name): \(errors)")
            // One clock: the differences stay the same.
            #expect((errors.max() ?? 0) - (errors.min() ?? 0) < 2, "\(name): \(errors)")
        }
    }

    @Test("the user moves the stream, and the sink it was moved to goes: nothing reaches the other one")
    func devices() throws {
        let server = try PipeWireServer()
        let headphones = try server.load("headphones")
        try server.makeDefault("cinema")
        let log = EventLog()
        let engine = try engine(log, on: server)
        defer { engine.shutDown() }
        #expect(log.first(present)?.name == "cinema")
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        var mark = log.count
        let stream = try #require(movableStream(in: try server.control("list", "sink-inputs")))
        try server.control("move-sink-input", stream, "headphones")
        #expect(log.first(after: mark) { present($0)?.name == "headphones" ? true : nil } == true)
        _ = try #require(log.anchor(after: mark, epoch: 1))
        usleep(300_000)
        let speakers = try MonitorRecorder("cinema.monitor", of: server.address)
        mark = log.count
        try server.control("unload-module", headphones)
        let lost: Bool? = log.first(after: mark) { if case .outputLost = $0 { true } else { nil } }
        #expect(lost == true)
        #expect(log.first(after: mark, within: 8) { present($0)?.name == "cinema" ? true : nil } == true)
        usleep(500_000)
        #expect(speakers.recording().samples.allSatisfy { $0 == 0 })
        engine.perform(.pause(epoch: 2))
        engine.perform(.play(epoch: 3))
        #expect(log.anchor(epoch: 3) != nil)
    }
}
