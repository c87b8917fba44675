import Foundation
import LinuxSystem
import Playback
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AudioEngine

/// A file that libavformat would search for longer than anyone waits.
@Suite("A file that leads nowhere", .serialized)
struct DamagedFileTests {
    /// A Matroska file with a hole of 64 GiB (of which the disk holds nothing) in the middle: whatever lies behind its first
    /// seconds is searched for byte by byte.
    private func hollow() throws -> String {
        let whole = try MediaFiles.noise("hollow.mka", track: 1, "-c:a", "libmp3lame", "-b:a", "320k")
        let data = try Data(contentsOf: URL(filePath: whole))
        let path = try MediaFiles.file("hollow.mka", data.prefix(data.count / 4))
        truncate(path, 64 << 30)
        return path
    }

    /// A decoding thread for the file, which reports to a mailbox.
    private func decoding(_ patience: Double) throws -> (DecodingThread, Reports) {
        let reports = Reports()
        let source = try TrackSource(path: hollow())
        let thread = try DecodingThread(sources: [source], patience: patience) { reports.note($0) }
        return (thread, reports)
    }

    /// What a decoding thread has told, to be waited for.
    private final class Reports: Sendable {
        private let told = Guarded<[DecodingThread.Report]>([])
        private let news = DispatchSemaphore(value: 0)

        func note(_ report: DecodingThread.Report) {
            told.withLock { $0.append(report) }
            news.signal()
        }

        func next(within seconds: Double) -> DecodingThread.Report? {
            guard news.wait(timeout: .now() + seconds * Sanitizer.patience) == .success else { return nil }
            return told.withLock { $0.removeFirst() }
        }
    }

    @Test("a place that cannot be found is given up when the time is over, and a later one is found")
    func timeOut() throws {
        let (thread, reports) = try decoding(0.3)
        defer { thread.shutDown() }
        let lost = Feed(trackIndex: 0, start: 15 * 48_000)
        let asked = MonotonicClock.now()
        thread.serve(urgent: lost, current: nil)
        guard case .failed(let feed, let reason)? = reports.next(within: 2) else {
            throw TestFailure("nothing is told")
        }
        let lasted = MonotonicClock.now() - asked
        #expect(feed === lost && reason == "nothing could be read there within 0.3 seconds")
        #expect(lasted >= 0.3 && lasted < 1 * Sanitizer.patience)
        let found = Feed(trackIndex: 0, start: 2 * 48_000)
        thread.serve(urgent: found, current: nil)
        guard case .ready(let feed)? = reports.next(within: 1) else { throw TestFailure("it does not go on") }
        #expect(feed === found)
    }

    @Test("another request is not kept waiting by one that leads nowhere")
    func overtaking() throws {
        let (thread, reports) = try decoding(60)
        defer { thread.shutDown() }
        for turn in 0..<200 {
            thread.serve(urgent: Feed(trackIndex: 0, start: Int64(6 + turn % 14) * 48_000), current: nil)
            usleep(5_000)
        }
        let asked = MonotonicClock.now()
        let found = Feed(trackIndex: 0, start: 1 * 48_000)
        thread.serve(urgent: found, current: nil)
        guard case .ready(let feed)? = reports.next(within: 2) else { throw TestFailure("it does not come") }
        #expect(feed === found)
        let lasted = MonotonicClock.now() - asked
        #expect(lasted < 0.5 * Sanitizer.patience)
    }

    @Test("commands are answered during a storm of seeks into it, and the track before plays on")
    func control() throws {
        let log = EventLog()
        let engine = try StreamingAudioEngine(
            tracks: [
                TrackFile(id: "a", path: try MediaFiles.noise("a.m4a", "-c:a", "aac")),
                TrackFile(id: "b", path: try hollow()),
            ], active: "a", position: 15, output: .clock, onEvent: { log.note($0) })
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        engine.perform(.switchTrack(epoch: 2, trackID: "b"))
        for epoch in 3...200 {
            engine.perform(.locate(epoch: epoch, position: 10 + Double(epoch % 9), playing: true))
            usleep(5_000)
        }
        let asked = MonotonicClock.now()
        engine.perform(.pause(epoch: 201))
        #expect(log.paused(epoch: 201) != nil)
        let lasted = MonotonicClock.now() - asked
        #expect(lasted < 0.3 * Sanitizer.patience)
        engine.perform(.switchTrack(epoch: 202, trackID: "a"))
        engine.perform(.locate(epoch: 203, position: 3, playing: true))
        #expect(abs(try #require(log.anchor(epoch: 203)).position - 3) < 0.1)
    }
}
