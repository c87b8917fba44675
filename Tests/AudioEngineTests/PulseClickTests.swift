import AudioEngine
import Foundation
import LinuxSystem
import Playback
import TestKit
import Testing
import WireProtocol

/// A click is a step that the sound itself does not make; heard here on the sink's monitor, with sines, whose steps are known.
@Suite("Nothing clicks", .serialized)
struct PulseClickTests {
    private static let amplitude = 0.5

    private static func tone(_ frequency: Int) throws -> String {
        let folder = try MediaFiles.folder()
        let path = folder("\(frequency).flac")
        if !FileManager.default.fileExists(atPath: path) {
            try MediaFiles.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc=\(amplitude)*sin(2*PI*\(frequency)*t):s=48000:d=30", path,
            ])
        }
        return path
    }

    /// The largest step of a sine, and of two of them on top of each other while one fades into the other with equal power.
    private static func ownStep(_ frequency: Int) -> Double {
        amplitude * 2 * .pi * Double(frequency) / 48_000
    }

    private static func largestStep(_ samples: ArraySlice<Float>) -> Double {
        zip(samples, samples.dropFirst()).map { Double(abs($1 - $0)) }.max() ?? 0
    }

    @Test("start, pause, seek, switch and stop: no step larger than the tones' own")
    func steps() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try StreamingAudioEngine(
            tracks: [
                TrackFile(id: "a", path: try Self.tone(400)), TrackFile(id: "b", path: try Self.tone(500)),
            ], active: "a", position: 3, output: .pulse(sink: nil), onEvent: { log.note($0) })
        defer { engine.shutDown() }
        let present: Bool? = log.first { if case .output(let state) = $0, state.isPresent { true } else { nil } }
        #expect(present == true)
        let recorder = try MonitorRecorder()
        usleep(1_800_000)
        var epoch = 0
        func settled() throws {
            _ = try #require(log.anchor(epoch: epoch))
            usleep(120_000)
        }
        for round in 0..<6 {
            epoch += 1
            engine.perform(.play(epoch: epoch))
            try settled()
            // A third of a period off, so that a cut would be a step of most of the amplitude.
            epoch += 1
            engine.perform(.locate(epoch: epoch, position: 7 + Double(round) + 0.000_83, playing: true))
            try settled()
            epoch += 1
            engine.perform(.switchTrack(epoch: epoch, trackID: round % 2 == 0 ? "b" : "a"))
            try settled()
            engine.perform(.pause(epoch: epoch))
            _ = try #require(log.paused(epoch: epoch))
            usleep(60_000)
        }
        epoch += 1
        engine.perform(.play(epoch: epoch))
        try settled()
        engine.shutDown()
        usleep(200_000)
        let samples = recorder.recording().samples[...]
        #expect((samples.map(abs).max() ?? 0) > 0.45, "the tones were heard")
        // Of two tones in step, fading with equal power, the sum is 1.41 times as loud; a fade of `Ramp.length` adds little.
        let bound = Self.ownStep(500) * 2.0.squareRoot() + 0.004
        let largest = Self.largestStep(samples)
        #expect(largest < bound, "a step of \(largest) where the sound has none above \(bound)")
        withExtendedLifetime(server) {}
    }

    @Test("seeks that come faster than they can be faded to do not click either")
    func storm() throws {
        let server = try EngineServer.start()
        let log = EventLog()
        let engine = try StreamingAudioEngine(
            tracks: [TrackFile(id: "a", path: try Self.tone(400))], active: "a", position: 3,
            output: .pulse(sink: nil), onEvent: { log.note($0) })
        defer { engine.shutDown() }
        let present: Bool? = log.first { if case .output(let state) = $0, state.isPresent { true } else { nil } }
        #expect(present == true)
        let recorder = try MonitorRecorder()
        usleep(1_800_000)
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        for epoch in 2...101 {
            engine.perform(.locate(epoch: epoch, position: 5 + Double(epoch) * 0.070_83, playing: true))
            usleep(5_000)
        }
        let asked = MonotonicClock.now()
        let landed = try #require(log.anchor(epoch: 101))
        #expect(landed.at - asked < 0.06)
        #expect(abs(landed.position - (5 + 101 * 0.070_83)) < 0.001)
        usleep(300_000)
        let samples = recorder.recording().samples[...]
        let bound = Self.ownStep(400) * 2.0.squareRoot() + 0.004
        let largest = Self.largestStep(samples)
        #expect(largest < bound, "a step of \(largest) where the sound has none above \(bound)")
        withExtendedLifetime(server) {}
    }
}
