import AudioEngine
import Foundation
import LinuxSystem
import Playback
import Probe
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

    /// The steps in the recording from shortly before to 0.1 s after each of these moments, the median one of them.
    ///
    /// Not the worst: a machine that has other work to do hears of a change too late now and then, and that clicks.
    private static func usualStep(_ recording: Recording, at moments: [SteadyTime]) -> Double {
        let steps = moments.map { moment in
            let first = max(0, recording.index(at: moment + -0.02))
            return largestStep(recording.samples[first..<min(recording.samples.count, first + 5_760)])
        }
        return steps.sorted()[steps.count / 2]
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
        var moments: [String: [SteadyTime]] = [:]
        func settled(_ kind: String, _ asked: SteadyTime) throws {
            _ = try #require(log.anchor(epoch: epoch))
            moments[kind, default: []].append(asked)
            usleep(130_000)
        }
        for round in 0..<7 {
            epoch += 1
            var asked = MonotonicClock.now()
            engine.perform(.play(epoch: epoch))
            try settled("start", asked)
            // A third of a period off, so that a cut would be a step of most of the amplitude.
            epoch += 1
            asked = MonotonicClock.now()
            engine.perform(.locate(epoch: epoch, position: 7 + Double(round) + 0.000_83, playing: true))
            try settled("seek", asked)
            epoch += 1
            asked = MonotonicClock.now()
            engine.perform(.switchTrack(epoch: epoch, trackID: round % 2 == 0 ? "b" : "a"))
            try settled("switch", asked)
            moments["pause", default: []].append(MonotonicClock.now())
            engine.perform(.pause(epoch: epoch))
            _ = try #require(log.paused(epoch: epoch))
            usleep(130_000)
        }
        let recording = recorder.recording()
        #expect((recording.samples.map(abs).max() ?? 0) > 0.45, "the tones were heard")
        // Of two tones in step, fading with equal power, the sum is 1.41 times as loud; a fade of `Ramp.length` adds little.
        let bound = Self.ownStep(500) * 2.0.squareRoot() + 0.004
        for (kind, moments) in moments {
            let step = Self.usualStep(recording, at: moments)
            #expect(step < bound, "\(kind): a step of \(step) where the sound has none above \(bound)")
        }
        withExtendedLifetime(server) {}
    }

    @Test("the end of the program fades out as well")
    func shutDown() throws {
        var steps: [Double] = []
        for _ in 0..<3 {
            let server = try EngineServer.start()
            let log = EventLog()
            let engine = try StreamingAudioEngine(
                tracks: [TrackFile(id: "a", path: try Self.tone(400))], active: "a", position: 3,
                output: .pulse(sink: nil), onEvent: { log.note($0) })
            let recorder = try MonitorRecorder()
            engine.perform(.play(epoch: 1))
            _ = try #require(log.anchor(epoch: 1))
            usleep(150_000)
            let asked = MonotonicClock.now()
            engine.shutDown()
            usleep(200_000)
            steps.append(Self.usualStep(recorder.recording(), at: [asked]))
            withExtendedLifetime(server) {}
        }
        #expect(steps.sorted()[1] < Self.ownStep(400) + 0.004, "steps of \(steps)")
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
        var moments: [SteadyTime] = []
        for epoch in 2...101 {
            moments.append(MonotonicClock.now())
            engine.perform(.locate(epoch: epoch, position: 5 + Double(epoch) * 0.070_83, playing: true))
            usleep(5_000)
        }
        let asked = MonotonicClock.now()
        let landed = try #require(log.anchor(epoch: 101))
        #expect(landed.at - asked < 0.1)
        #expect(abs(landed.position - (5 + 101 * 0.070_83)) < 0.001)
        usleep(300_000)
        let recording = recorder.recording()
        let bound = Self.ownStep(400) * 2.0.squareRoot() + 0.004
        let step = Self.usualStep(recording, at: moments)
        #expect(step < bound, "a step of \(step) where the sound has none above \(bound)")
        withExtendedLifetime(server) {}
    }
}
