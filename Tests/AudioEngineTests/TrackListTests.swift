import AudioEngine
import Foundation
import LinuxSystem
import Playback
import TestKit
import Testing
import WireProtocol

/// Tracks that come and go while the engine plays.
@Suite("An engine whose tracks change", .serialized)
struct TrackListTests {
    private let log = EventLog()
    private let a: TrackFile
    private let b: TrackFile
    private let c: TrackFile

    init() throws {
        a = TrackFile(id: "a", path: try MediaFiles.noise("a.m4a", "-c:a", "aac"))
        b = TrackFile(id: "b", path: try MediaFiles.noise("b.flac", track: 1, seconds: 12, "-c:a", "flac"))
        c = TrackFile(id: "c", path: try MediaFiles.noise("c.flac", track: 2, seconds: 15, "-c:a", "flac"))
    }

    private func engine() throws -> StreamingAudioEngine {
        let log = self.log
        return try StreamingAudioEngine(
            tracks: [a, b], active: "a", position: 3, output: .clock, onEvent: { log.note($0) })
    }

    /// What this process has open of these tracks.
    private func openFiles(_ track: TrackFile) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == track.path
        }.count
    }

    private func waitUntilClosed(_ track: TrackFile, before: Int) -> Bool {
        let end = MonotonicClock.now() + 3 * Sanitizer.patience
        while openFiles(track) > before, MonotonicClock.now() < end { usleep(2_000) }
        return openFiles(track) <= before
    }

    @Test("a new one is measured, and can be switched to, while the sound runs on")
    func added() throws {
        let engine = try engine()
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        let report = engine.setTracks([a, b, c])
        #expect(report.faults == [])
        #expect(Set(report.durations.keys) == ["a", "b", "c"])
        #expect(abs((report.durations["c"] ?? 0) - 15) < 0.001)
        engine.perform(.switchTrack(epoch: 2, trackID: "c"))
        let switched = log.first { if case .switched(2, "c", let duration) = $0 { duration } else { nil } }
        #expect(switched.map { abs($0 - 15) < 0.001 } == true)
        #expect(log.anchor(epoch: 2) != nil)
        #expect(!log.all.contains { if case .underrun = $0 { true } else { false } })
    }

    @Test("one that is removed cannot be switched to, and its file is closed")
    func removed() throws {
        let before = openFiles(b)
        let engine = try engine()
        defer { engine.shutDown() }
        #expect(openFiles(b) > before)
        #expect(engine.setTracks([a]).durations.keys.sorted() == ["a"])
        #expect(waitUntilClosed(b, before: before))
        engine.perform(.switchTrack(epoch: 1, trackID: "b"))
        #expect(log.first { if case .switchFailed(1, "b", _) = $0 { true } else { nil } } == true)
    }

    @Test("the one that sounds, removed, sounds on until another one does")
    func activeRemoved() throws {
        let before = openFiles(a)
        let engine = try engine()
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        _ = engine.setTracks([b])
        engine.perform(.locate(epoch: 2, position: 5, playing: true))
        _ = try #require(log.anchor(epoch: 2))
        #expect(openFiles(a) > before)
        engine.perform(.switchTrack(epoch: 3, trackID: "b"))
        #expect(log.first { if case .switched(3, "b", _) = $0 { true } else { nil } } == true)
        #expect(waitUntilClosed(a, before: before))
        engine.perform(.locate(epoch: 4, position: 2, playing: true))
        #expect(log.anchor(epoch: 4) != nil)
    }

    @Test("one that cannot be played is named, and the others are there")
    func faulty() throws {
        let engine = try engine()
        defer { engine.shutDown() }
        let missing = TrackFile(id: "m", path: "/nowhere/m.m4a")
        let report = engine.setTracks([a, missing, c])
        #expect(report.durations.keys.sorted() == ["a", "c"])
        #expect(report.faults == [EngineError(trackID: "m", path: "/nowhere/m.m4a", fault: .missing)])
    }

    @Test("one that comes back is opened anew")
    func back() throws {
        let engine = try engine()
        defer { engine.shutDown() }
        for _ in 0..<3 {
            _ = engine.setTracks([a])
            #expect(engine.setTracks([a, b]).durations.count == 2)
        }
        engine.perform(.switchTrack(epoch: 1, trackID: "b"))
        #expect(log.first { if case .switched(1, "b", _) = $0 { true } else { nil } } == true)
    }

    @Test("changes without end, while it seeks and switches, harm nothing")
    func storm() throws {
        let engine = try engine()
        engine.perform(.play(epoch: 1))
        var epoch = 1
        for round in 0..<60 {
            _ = engine.setTracks(round % 3 == 0 ? [a, b, c] : round % 3 == 1 ? [b, c] : [a])
            epoch += 1
            engine.perform(.locate(epoch: epoch, position: Double(round % 10), playing: true))
            epoch += 1
            engine.perform(.switchTrack(epoch: epoch, trackID: ["a", "b", "c"][round % 3]))
        }
        _ = engine.setTracks([a, b, c])
        epoch += 1
        engine.perform(.switchTrack(epoch: epoch, trackID: "b"))
        epoch += 1
        engine.perform(.locate(epoch: epoch, position: 1, playing: true))
        #expect(log.anchor(epoch: epoch) != nil)
        engine.shutDown()
        #expect(engine.setTracks([a]) == TrackReport())
    }
}
