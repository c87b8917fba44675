import Foundation
import Playback
import TestKit
import Testing

@testable import AudioEngine

@Suite("A switch between real files, sample by sample")
struct SwitchingTests {
    private static func kind(_ name: String) throws -> Kind {
        try #require(Kind.all.first { $0.name == name })
    }

    private static func path(_ name: String) throws -> String { try kind(name).make() }

    /// Where the programme's newest stretch begins, and with which film frame.
    private func newest(_ bench: RealBench) throws -> (index: Int64, film: Int64) {
        let last = bench.controller.programme.last
        let stretch = try #require(last)
        return (stretch.start, stretch.film)
    }

    private func told(_ bench: RealBench) -> [String] {
        bench.log.all.compactMap { event in
            switch event {
            case .switched(_, let track, _): "switched to \(track)"
            case .switchFailed(_, let track, _): "failed to switch to \(track)"
            case .ended: "ended"
            case .underrun: "underrun"
            default: nil
            }
        }
    }

    /// From a stereo AAC at 48 kHz to what differs from it in rate, channels, codec, start offset or all of these.
    private static let others = [
        "44vbr.mp3", "51.m4a", "22.m4a", "96.flac", "alac.m4a", "mono.opus", "opus.mka", "vorbis.ogg", "late.m4a",
        "noedit.m4a", "51.wav", "low.mp3", "adts.aac",
    ]

    @Test("takes over at the same film frame, with an equal-power crossfade and nothing lost", arguments: others)
    func takesOver(name: String) throws {
        let other = try SwitchingTests.kind(name)
        let bench = try RealBench([SwitchingTests.path("end.m4a"), other.make()], position: 3)
        bench.play()
        let (base, first) = (bench.base, bench.faded)
        bench.advance(20_000)
        bench.ask(1)
        #expect(bench.receive())
        bench.advance(20_000)
        let (start, film) = try newest(bench)
        #expect(film == base + start, "the film goes on as if nothing had happened")
        #expect(bench.difference(at: first, count: Int(start - first), track: 0, film: base + first) == 0)
        let rest = Int(bench.device.audible) - Int(start) - 480
        #expect(rest > 10_000)
        #expect(
            bench.difference(at: start + 480, count: rest, track: 1, film: base + start + 480) <= other.tolerance)
        for step in 0..<480 {
            let index = start + Int64(step)
            let expected = bench.faded(from: 0, to: 1, step: step, film: base + index)
            let heard = try #require(bench.device.content[index]).film
            #expect(abs(heard - expected) <= other.tolerance + 1e-6)
        }
        #expect(told(bench) == ["switched to 1"])
    }

    @Test(
        "paused, the new track stands at the very frame, and sounds from there", arguments: ["44vbr.mp3", "late.m4a"])
    func paused(name: String) throws {
        let bench = try RealBench([SwitchingTests.path("end.m4a"), SwitchingTests.path(name)], position: 3)
        bench.play()
        bench.advance(20_000)
        bench.pause()
        let stands = bench.controller.resting
        bench.ask(1)
        #expect(bench.receive())
        #expect(bench.controller.resting == stands)
        #expect(told(bench) == ["switched to 1"])
        bench.play()
        let (start, film) = try newest(bench)
        #expect(film == stands)
        bench.advance(9_600)
        #expect(bench.difference(at: start + 480, count: 8_000, track: 1, film: stands + 480) == 0)
    }

    @Test("shortly before the end it sounds to the new track's last sample, and the end is told once")
    func nearTheEnd() throws {
        let bench = try RealBench([SwitchingTests.path("end.m4a"), SwitchingTests.path("48.flac")], position: 11.8)
        bench.play()
        bench.advance(4_800)
        bench.ask(1)
        #expect(bench.receive())
        bench.advance(9_600)
        let (start, film) = try newest(bench)
        let end = start + 12 * 48_000 - film
        #expect(bench.difference(at: start + 480, count: Int(end - start) - 480, track: 1, film: film + 480) == 0)
        #expect(told(bench) == ["switched to 1", "ended"])
        #expect(bench.position == 12)
    }

    @Test("to a track that is over already, it ends there")
    func shorter() throws {
        let short = try MediaFiles.noise("short.flac", track: 1, seconds: 5, "-c:a", "flac")
        let bench = try RealBench([SwitchingTests.path("end.m4a"), short], position: 8)
        bench.play()
        bench.advance(9_600)
        bench.ask(1)
        #expect(bench.receive())
        bench.advance(9_600)
        #expect(told(bench) == ["switched to 1", "ended"])
        #expect(bench.position == 5)
        if bench.device.isStopping { bench.device.answerStop() }
        #expect(!bench.device.isRunning)
    }

    @Test("to a file that has broken meanwhile fails, and the old track sounds on without a flaw")
    func broken() throws {
        let data = try Data(contentsOf: URL(filePath: SwitchingTests.path("fast.m4a")))
        let path = try MediaFiles.file("breaks3.m4a", data)
        let bench = try RealBench([SwitchingTests.path("end.m4a"), path], position: 8)
        truncate(path, off_t(data.count / 4))
        bench.play()
        let (base, first) = (bench.base, bench.faded)
        bench.advance(9_600)
        bench.ask(1)
        #expect(bench.receive())
        bench.advance(30_000)
        #expect(told(bench) == ["failed to switch to 1"])
        #expect(bench.difference(at: first, count: 38_000, track: 0, film: base + first) == 0)
    }

    @Test("ten a second, for three seconds: each is heard, told once, and none moves the film")
    func many() throws {
        let names = ["end.m4a", "44vbr.mp3", "48.flac"]
        let bench = try RealBench(try names.map { try SwitchingTests.path($0) }, position: 2)
        bench.play()
        let base = bench.base
        var starts: [(index: Int64, track: Int)] = [(try newest(bench).index, 0)]
        bench.advance(9_600)
        for turn in 1...30 {
            bench.ask(turn % 3)
            #expect(bench.receive())
            starts.append((try newest(bench).index, turn % 3))
            bench.advance(4_800)
        }
        for (position, stretch) in starts.enumerated() {
            let next = position + 1 < starts.count ? starts[position + 1].index : Int64(bench.device.audible)
            let first = stretch.index + 480
            #expect(next - first > 3_000)
            let count = Int(next - first)
            #expect(
                bench.difference(at: first, count: count, track: stretch.track, film: base + first) == 0,
                "switch \(position)")
        }
        #expect(told(bench) == (1...30).map { "switched to \($0 % 3)" })
    }
}
