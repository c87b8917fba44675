import Foundation
import LinuxSystem
import Playback
import Probe
import TestKit
import Testing

@testable import AudioEngine

/// Files of three hours: 72 s of noise, packed into whole packets, a hundred and fifty times.
@Suite("A track of three hours", .serialized)
struct LongFileTests {
    private static let copies = 150

    /// A file of that kind; `period` is the length of one copy, in film frames, and `delay` the encoder's.
    struct Long: CustomTestStringConvertible, Sendable {
        var name: String
        var encoder: [String]
        var packet: Int
        var delay: Int
        /// What the bare packets are put into, or nothing.
        var container: String?
        /// Seconds of work for the first way to the end: without an index the headers are looked at up to there.
        var patience: Double

        var testDescription: String { container ?? name }

        func make() throws -> (path: String, period: Int) {
            let one = try Data(contentsOf: URL(filePath: MediaFiles.noise(name, seconds: 72, arguments: encoder)))
            let decoded = try Reading.all(MediaFiles.file("one-\(name)", one)).count / 2
            let period = (decoded + packet / 2) / packet * packet
            let path = try MediaFiles.folder()("long-\(name)")
            if !FileManager.default.fileExists(atPath: path) {
                var all = Data(capacity: one.count * copies)
                for _ in 0..<copies { all += one }
                try all.write(to: URL(filePath: path))
            }
            guard let container else { return (path, period) }
            let packed = try MediaFiles.folder()("long-\(container)")
            if !FileManager.default.fileExists(atPath: packed) {
                try MediaFiles.ffmpeg(["-i", path, "-c", "copy", packed])
            }
            return (packed, period)
        }

        private static let aac = ["-c:a", "aac", "-aac_pns", "0", "-b:a", "64k"]
        private static let lame = ["-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"]

        // ffmpeg copies packets without knowing LAME's delay of 576, and tells a decoder's only.
        static let all = [
            Long(name: "long.aac", encoder: aac, packet: 1_024, delay: 1_024, container: "aac.m4a", patience: 0.1),
            Long(name: "long.aac", encoder: aac, packet: 1_024, delay: 1_024, container: "aac.mka", patience: 0.1),
            Long(name: "long.aac", encoder: aac, packet: 1_024, delay: 1_024, patience: 0.1),
            Long(name: "long.mp3", encoder: lame, packet: 1_152, delay: 1_105, patience: 0.1),
            Long(name: "long.mp3", encoder: lame, packet: 1_152, delay: 576, container: "xing.mp3", patience: 1),
        ]
    }

    @Test("sounds at every place as it should, however one gets there", arguments: Long.all)
    func places(long: Long) throws {
        let (path, period) = try long.make()
        let source = try TrackSource(path: path)
        let length = Int64(period * LongFileTests.copies)
        #expect(abs(source.duration - length) < 4_800, "it lasts \(source.duration) instead of \(length)")
        for (copy, place) in [(149, 60), (0, 30), (75, 20), (148, 50), (1, 5), (120, 40)] {
            let film = Int64(copy * period + long.delay + place * 48_000)
            let heard = try read(source, from: film, count: 9_600)
            let mono = stride(from: 0, to: heard.count, by: 2).map { heard[$0] }
            let match = Correlation.locate(mono[...], track: 0, near: place * 48_000, reach: 1_200)
            #expect(match.likeness > 0.8)
            #expect(abs(match.place - Double(place * 48_000)) < 0.2, "copy \(copy): \(match.place)")
            _ = try read(source, from: film - 100_000, count: 90_000)
            let through = try read(source, from: film - 10_000, count: 19_600)
            #expect(heard == Array(through[20_000...]), "copy \(copy)")
        }
    }

    /// Seconds of the processor's, so that nothing else counts that goes on.
    private func cost(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }

    @Test("is opened, and its end reached, without every packet being read", arguments: Long.all)
    func speed(long: Long) throws {
        let (path, period) = try long.make()
        var source: TrackSource?
        let opening = try cost { source = try TrackSource(path: path) }
        let opened = try #require(source)
        let there = try cost { _ = try read(opened, from: Int64(period * 149), count: 4_096) }
        let back = try cost { _ = try read(opened, from: Int64(period * 75), count: 4_096) }
        // A sanitizer makes looking at a byte a dozen times slower.
        if Sanitizer.isOn { return }
        #expect(opening < 1)
        #expect(there < long.patience)
        #expect(back < 0.05)
    }

    @Test("takes no memory as long as it is not the one that is heard")
    func memory() throws {
        let (path, period) = try Long.all[0].make()
        ProcessMemory.returnLargeBlocks()
        let first = try TrackSource(path: path)
        _ = try read(first, from: 480_000, count: 4_096)
        let before = try resident()
        var others: [TrackSource] = []
        for _ in 0..<2 {
            others.append(try TrackSource(path: path))
            others.last?.putAway()
        }
        #expect(others.allSatisfy { !$0.isOpen } && first.isOpen)
        let after = try resident()
        // What a sanitizer keeps of freed memory is not counted against it.
        #expect(after - before < 3 << 20 || Sanitizer.isOn, "\(after - before) bytes for two tracks")
        let heard = try read(others[1], from: Int64(period * 149), count: 9_600)
        #expect(try heard == read(first, from: Int64(period * 149), count: 9_600))
        #expect(others[1].isOpen)
    }

    /// The last twelve minutes; all three hours, in three minutes of work, where ALLSPEAK_TEST_HOURS is set.
    @Test("played through at speed, is on the right sample to its end, and memory does not grow")
    func throughout() throws {
        let isWhole = ProcessInfo.processInfo.environment["ALLSPEAK_TEST_HOURS"] != nil
        let copies = Array(isWhole ? 0..<LongFileTests.copies : 140..<LongFileTests.copies)
        let (path, period) = try Long.all[0].make()
        let bench = try RealBench([path], position: Format.seconds(frames: Int64(copies[0] * period)))
        bench.device.remembers = false
        bench.play()
        let base = bench.base
        var early = 0
        let checked = copies.filter { $0 % 3 == 2 }
        for copy in checked {
            let film = Int64(copy * period + Long.all[0].delay + 60 * 48_000)
            bench.advance(film - base - Int64(bench.device.audible) - 24_000)
            bench.device.remembers = true
            bench.advance(48_000)
            let heard = (0..<9_600).map { bench.device.content[film - base + $0]?.film ?? 0 }
            bench.device.remembers = false
            let match = Correlation.locate(heard[...], track: 0, near: 60 * 48_000, reach: 1_200)
            #expect(match.likeness > 0.8)
            #expect(abs(match.place - 60 * 48_000) < 0.2, "copy \(copy): \(match.place)")
            #expect(abs(bench.position - Format.seconds(frames: film + 24_000)) < 0.001)
            if copy == checked[1] { early = try resident() }
        }
        let growth = try resident() - early
        #expect(growth < 2 << 20 || Sanitizer.isOn, "\(growth) bytes")
        bench.advance(Int64(LongFileTests.copies * period) - base - Int64(bench.device.audible) + 9_600)
        #expect(bench.log.contains(.ended(epoch: 1)))
    }

    /// Bytes of this process's own memory.
    private func resident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }

    private func read(_ source: TrackSource, from start: Int64, count: Int) throws -> [Float] {
        try Reading.samples(from: start, count: count) { try source.read(from: $0, into: $1) }
    }
}
