import AudioEngine
import Foundation
import LinuxSystem
import Playback
import TestKit
import Testing
import WireProtocol

/// The engine's rules, on the clock output: what is asked in which state, and what is told.
@Suite("The engine on a clock", .serialized)
struct ClockEngineTests {
    /// An engine with a 20 s and a 12 s track, standing at `position` of `active`.
    private func engine(
        _ log: EventLog, active: String = "a", position: Double = 0
    ) throws -> StreamingAudioEngine {
        try StreamingAudioEngine(
            tracks: [
                TrackFile(id: "a", path: try MediaFiles.noise("a.m4a", "-c:a", "aac")),
                TrackFile(id: "b", path: try MediaFiles.noise("b.flac", track: 1, seconds: 12, "-c:a", "flac")),
            ], active: active, position: position, output: .clock, onEvent: { log.note($0) })
    }

    @Test("it tells the lengths and stands ready")
    func opening() throws {
        let log = EventLog()
        let engine = try engine(log)
        defer { engine.shutDown() }
        #expect(abs((engine.durations["a"] ?? 0) - 20) < 0.03)
        #expect(abs((engine.durations["b"] ?? 0) - 12) < 0.001)
        #expect(log.contains(.output(OutputState(name: "clock", latency: 0, isPresent: true))))
    }

    @Test("play runs on from where it stands, pause stops there, and play goes on from the same sample")
    func playPause() throws {
        let log = EventLog()
        let engine = try engine(log, position: 5)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        let started = try #require(log.anchor(epoch: 1))
        // The anchor is made when the thread gets to it, some time after the first sample.
        #expect(started.position >= 5 && started.position < 5.1)
        engine.perform(.pause(epoch: 1))
        let stopped = try #require(log.paused(epoch: 1))
        #expect(stopped > 5 && stopped < 5.3)
        engine.perform(.play(epoch: 2))
        let resumed = try #require(log.anchor(epoch: 2))
        #expect(resumed.position >= stopped && resumed.position < stopped + 0.1)
    }

    @Test("a seek keeps sounding and runs on at the target")
    func seeking() throws {
        let log = EventLog()
        let engine = try engine(log)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        let asked = MonotonicClock.now()
        engine.perform(.locate(epoch: 2, position: 15, playing: true))
        let landed = try #require(log.anchor(epoch: 2))
        #expect(landed.position >= 15 && landed.position < 15.1)
        #expect(landed.at - asked < 0.3)
    }

    @Test("a seek while it stands still leaves it standing there")
    func seekingPaused() throws {
        let log = EventLog()
        let engine = try engine(log)
        defer { engine.shutDown() }
        engine.perform(.locate(epoch: 1, position: 7.5, playing: false))
        let stands = try #require(log.anchor(epoch: 1, isRunning: false))
        #expect(stands.position == 7.5)
        engine.perform(.play(epoch: 2))
        #expect(abs(try #require(log.anchor(epoch: 2)).position - 7.5) < 0.1)
    }

    @Test("a storm of seeks ends at the last one, at once")
    func storm() throws {
        let log = EventLog()
        let engine = try engine(log)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        for epoch in 2...201 {
            engine.perform(.locate(epoch: epoch, position: Double(epoch * 7 % 19), playing: true))
            usleep(5_000)
        }
        let asked = MonotonicClock.now()
        let landed = try #require(log.anchor(epoch: 201))
        #expect(abs(landed.position - Double(201 * 7 % 19)) < 0.1)
        #expect(landed.at - asked < 0.3)
    }

    @Test("a switch keeps position and play state")
    func switching() throws {
        let log = EventLog()
        let engine = try engine(log, position: 3)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        let before = try #require(log.anchor(epoch: 1))
        engine.perform(.switchTrack(epoch: 2, trackID: "b"))
        #expect(log.contains(.switched(epoch: 2, trackID: "b", duration: 12)))
        let after = try #require(log.anchor(epoch: 2))
        let slip = (after.position - before.position) - (after.at - before.at)
        #expect(abs(slip) < 0.0005)
        engine.perform(.pause(epoch: 2))
        let stopped = try #require(log.paused(epoch: 2))
        engine.perform(.switchTrack(epoch: 3, trackID: "a"))
        let stands = try #require(log.anchor(epoch: 3, isRunning: false))
        #expect(stands.position == stopped)
    }

    @Test("a switch to a shorter track past its end stops at its end")
    func switchingPastEnd() throws {
        let log = EventLog()
        let engine = try engine(log, position: 16)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        engine.perform(.switchTrack(epoch: 2, trackID: "b"))
        #expect(log.contains(.ended(epoch: 2)))
        #expect(log.contains(.switched(epoch: 2, trackID: "b", duration: 12)))
    }

    @Test("the end is told when the last sample has been heard, and a seek starts anew")
    func ending() throws {
        let log = EventLog()
        let engine = try engine(log, active: "b", position: 11.8)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        let started = try #require(log.anchor(epoch: 1))
        #expect(log.contains(.ended(epoch: 1)))
        let lasted = MonotonicClock.now() - started.at
        #expect(abs(lasted - (12 - started.position)) < 0.1)
        engine.perform(.locate(epoch: 2, position: 0, playing: true))
        #expect(try #require(log.anchor(epoch: 2)).position < 0.1)
    }

    @Test("a place behind the end is the end")
    func beyondEnd() throws {
        let log = EventLog()
        let engine = try engine(log, active: "b")
        defer { engine.shutDown() }
        engine.perform(.locate(epoch: 1, position: 99, playing: false))
        let stands = log.anchor(epoch: 1, isRunning: false)
        #expect(stands?.position == 12, "\(log.all)")
    }

    @Test("an unknown track is refused, and the old one plays on")
    func unknownTrack() throws {
        let log = EventLog()
        let engine = try engine(log)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        engine.perform(.switchTrack(epoch: 2, trackID: "z"))
        #expect(log.contains(.switchFailed(epoch: 2, trackID: "z", reason: "there is no such track")))
        engine.perform(.pause(epoch: 3))
        #expect(log.paused(epoch: 3) != nil)
    }

    @Test("nothing is told after it is shut down")
    func shutDown() throws {
        let log = EventLog()
        let engine = try engine(log)
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        engine.shutDown()
        let count = log.count
        engine.perform(.pause(epoch: 1))
        usleep(50_000)
        #expect(log.count == count)
    }

    @Test("once shut down it keeps nothing: neither the sound nor whom it told")
    func release() throws {
        weak var told: EventLog?
        do {
            let log = EventLog()
            told = log
            let engine = try engine(log)
            engine.perform(.play(epoch: 1))
            #expect(log.anchor(epoch: 1) != nil)
            engine.shutDown()
        }
        #expect(told == nil)
    }
}
