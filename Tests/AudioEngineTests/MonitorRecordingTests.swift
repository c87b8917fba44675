import AudioEngine
import Foundation
import LinuxSystem
import Playback
import Probe
import TestKit
import Testing
import WireProtocol

@Suite("Asking and recording a sound server", .serialized)
struct MonitorRecordingTests {
    private func first(_ events: Mailbox<MonitorRecording.Event>, within seconds: Double = 5)
        -> MonitorRecording.Event?
    {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        while MonotonicClock.now() < end {
            if let event = events.drain().first { return event }
            usleep(10_000)
        }
        return nil
    }

    @Test("what a sink plays is recorded, dated by the server's own clock")
    func records() throws {
        let server = try EngineServer.start()
        let events = Mailbox<MonitorRecording.Event>()
        let recording = try MonitorRecording(source: "cinema.monitor") { events.post($0) }
        #expect(first(events) == .started)
        let log = EventLog()
        let engine = try noiseEngine(log)
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        let started = try #require(log.anchor(epoch: 1))
        usleep(1_500_000)
        let reported = try #require(log.position(at: started.at + 1))
        recording.stop()
        let tape = recording.tape
        #expect(tape.doubt < 0.001)
        let cut = try #require(tape.cut(from: started.at + 0.9, to: started.at + 1.2))
        let heard = try #require(cut.position(at: started.at + 1, track: 0, near: reported))
        #expect(abs(heard - reported) < 0.005, "\(heard) is heard, \(reported) was reported")
        // Nothing is recorded any more, and stopping again does no harm.
        recording.stop()
        #expect(recording.tape.samples.count == tape.samples.count)
        withExtendedLifetime(server) {}
    }

    @Test("a monitor that is not there, a server that is not, and one that goes away are told")
    func failures() throws {
        var server: PulseServer? = try EngineServer.start()
        let events = Mailbox<MonitorRecording.Event>()
        let wrong = try MonitorRecording(source: "nothing.monitor") { events.post($0) }
        #expect(first(events) == .failed(reason: "No such entity"))
        wrong.stop()
        let right = try MonitorRecording(source: "cinema.monitor") { events.post($0) }
        #expect(first(events) == .started)
        server?.kill()
        server = nil
        #expect(first(events) == .failed(reason: "the sound server is gone"))
        right.stop()
        let late = try MonitorRecording(source: "cinema.monitor") { events.post($0) }
        guard case .failed? = first(events) else {
            Issue.record("nothing was told")
            return
        }
        late.stop()
    }

    @Test("the server tells its sinks, their volume, and what plays on them")
    func survey() throws {
        let server = try EngineServer.start()
        try server.control(
            "load-module", "module-null-sink", "sink_name=other", "sink_properties=device.description=Other")
        try server.control("set-sink-volume", "other", "30%")
        try server.control("set-sink-mute", "other", "1")
        let log = EventLog()
        let engine = try StreamingAudioEngine(
            tracks: [TrackFile(id: "a", path: try MediaFiles.noise("d.m4a", seconds: 60, arguments: MediaFiles.aac))],
            active: "a", position: 10, output: .pulse(sink: "cinema"), onEvent: { log.note($0) })
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        guard case .found(let survey) = PulseSurvey.take() else {
            Issue.record("no server was found")
            return
        }
        #expect(survey.server == "pulseaudio")
        #expect(survey.defaultSink == "cinema")
        #expect(survey.sinks.map(\.name) == ["cinema", "other"])
        let other = try #require(survey.sink("other"))
        #expect(other.description == "Other" && other.monitor == "other.monitor" && other.isMuted)
        #expect(abs(other.volume - 0.3) < 0.01 && other.latency == nil && other.streams.isEmpty)
        let cinema = try #require(survey.sink(nil))
        #expect(!cinema.isMuted && cinema.latency.map { $0 < 3 } == true)
        #expect(cinema.streams.allSatisfy { $0.isAllspeak })
        #expect(cinema.streams.contains { !$0.isPaused } && survey.sink("third") == nil)
    }

    @Test("without a server it says so at once, and of one that hangs soon")
    func nobody() throws {
        try EngineServer.useAddress()
        guard case .noServer(let reason) = PulseSurvey.take() else {
            Issue.record("there is a server")
            return
        }
        #expect(!reason.isEmpty)
        let server = try EngineServer.start()
        server.freeze(true)
        let asked = MonotonicClock.now()
        #expect(PulseSurvey.take(within: 0.3) == .hanging)
        let lasted = MonotonicClock.now() - asked
        #expect(lasted < 1)
        server.freeze(false)
    }

    @Test("decoders that films need are there, and one that is not is told")
    func decoders() {
        #expect(Decoders.missing(of: ["aac", "no such thing", "flac"]) == ["no such thing"])
    }
}
