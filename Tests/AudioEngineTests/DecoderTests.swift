import Foundation
import Probe
import TestKit
import Testing

@testable import AudioEngine

@Suite("A track's decoder")
struct DecoderTests {
    @Test("a seek gives the very samples that playing through gives", arguments: Kind.all)
    func seeking(kind: Kind) throws {
        let path = try kind.make()
        let through = try Reading.all(path)
        let decoder = try TrackDecoder(path: path, interrupt: Interrupt())
        let end = Int64(through.count / 2)
        // Far and near, to and fro, at the packets' borders of all these codecs, and up to the last sample.
        var targets = [end - 1, 0, 1, end - 1_000, 1_023, end - 4_801, 1_024]
        for index in 0..<Int64(20) { targets.append(index * 7_919_317 % (end - 4_800)) }
        for packet in [Int64(1_024), 1_152, 960, 4_096, 4_608] {
            for border in [37 * packet, 36 * packet] { targets += [border - 1, border, border + 1] }
        }
        var worst: (difference: Float, at: Int64) = (0, 0)
        for target in targets {
            let heard = try Reading.samples(decoder, from: target, count: 4_800)
            let expected = through.dropFirst(Int(target) * 2).prefix(9_600)
            #expect(heard.count == expected.count, "\(kind.name) at \(target)")
            let difference = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
            if difference > worst.difference { worst = (difference, target) }
        }
        #expect(worst.difference <= kind.tolerance, "\(kind.name) at \(worst.at)")
        #expect(try Array(Reading.samples(decoder, from: 0, count: 4_800)) == Array(through.prefix(9_600)))
    }

    @Test("time 0 is the first real sample, and the length is that of the sound", arguments: Kind.all)
    func timeZero(kind: Kind) throws {
        let decoder = try TrackDecoder(path: kind.make(), interrupt: Interrupt())
        let through = try Reading.samples(decoder)
        let mono = stride(from: 0, to: through.count, by: 2).map { through[$0] }
        for place in [kind.late + 20_000, 300_000, kind.late + 560_000] {
            let match = Correlation.locate(mono[place..<place + 9_600], track: 0, near: place - kind.late, reach: 200)
            #expect(match.likeness > 0.75)
            let error = match.place - Double(place) + kind.start
            #expect(abs(error) <= kind.bound, "\(kind.name) begins \(error) samples off")
        }
        #expect(mono.prefix(max(0, kind.late - 2_000)).allSatisfy { $0 == 0 })
        let length = 12 * 48_000 + kind.start + kind.tail
        #expect(abs(Double(decoder.facts.duration) - length) <= kind.lengthBound, "it lasts \(decoder.facts.duration)")
        // A resampler holds back some samples, and gives them at the end.
        #expect(abs(Double(through.count / 2) - length) <= max(kind.lengthBound, 32), "it gives \(through.count / 2)")
    }

    @Test("a cover, chapters or a film's picture are passed by", arguments: ["m4a", "mka", "flac", "mp3", "mov"])
    func otherStreams(container: String) throws {
        let sound = try MediaFiles.noise("plain.wav", seconds: 5)
        let path = try MediaFiles.folder()("cover.\(container)")
        let chapters = try MediaFiles.file(
            "chapters.txt", Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=3\ntitle=One\n".utf8))
        let cover = try MediaFiles.folder()("\(container).jpg")
        try MediaFiles.ffmpeg(["-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-frames:v", "1", cover])
        // The picture comes first; in a .mov it is a film, longer than its sound.
        let picture =
            container == "mov" ? ["-f", "lavfi", "-i", "testsrc=d=9:s=64x64:r=5"] : ["-i", cover]
        let kind = container == "mov" ? ["-c:v", "mjpeg"] : ["-c:v", "copy", "-disposition:v", "attached_pic"]
        try MediaFiles.ffmpeg(
            picture + ["-i", sound, "-i", chapters, "-map", "0:v", "-map", "1:a", "-map_chapters", "2"] + kind + [path])
        let decoder = try TrackDecoder(path: path, interrupt: Interrupt())
        #expect(abs(Int(decoder.facts.duration) - 5 * 48_000) < 2_400, "\(Double(decoder.facts.duration) / 48_000)")
        let samples = try Reading.samples(decoder, from: 100_000, count: 4_800)
        let mono = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        let match = Correlation.locate(mono[...], track: 0, near: 100_000, reach: 1_500)
        #expect(match.likeness > 0.9)
    }

    @Test(
        "in a film whose index knows the picture only, a place is found without reading the film",
        arguments: ["mkv", "mp4"])
    func film(container: String) throws {
        let sound = try MediaFiles.noise("sound.m4a", seconds: 60, arguments: MediaFiles.aac)
        let path = try MediaFiles.folder()("film.\(container)")
        // Two pictures, of which the second goes on after the sound.
        try MediaFiles.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=d=50:s=64x64:r=25", "-f", "lavfi", "-i", "testsrc=d=70:s=64x64:r=25", "-i",
            sound, "-map", "0:v", "-map", "1:v", "-map", "2:a", "-c:v", "mpeg4", "-g", "50", "-c:a", "copy", path,
        ])
        let decoder = try TrackDecoder(path: path, interrupt: Interrupt())
        #expect(abs(Double(decoder.facts.duration) - 60 * 48_000) < 2_400)
        let near = try Reading.samples(decoder, from: 55 * 48_000, count: 9_600)
        // Sixty seconds are nearly three thousand packets.
        if container == "mkv" { #expect(decoder.demuxer.indexSize < 24 * 1_000) }
        let through = try Reading.all(path)
        #expect(near == Array(through[55 * 96_000..<55 * 96_000 + 19_200]))
        for second in [3, 41, 58, 20] {
            let heard = try Reading.samples(decoder, from: Int64(second) * 48_000, count: 9_600)
            #expect(heard == Array(through[second * 96_000..<second * 96_000 + 19_200]))
        }
    }

    @Test(
        "a length that the file tells wrongly, of itself or of its sound, counts for nothing",
        arguments: ["mvhd", "mdhd"], [UInt32(7), 3_000_000_000])
    func toldWrongly(box: String, duration: UInt32) throws {
        let whole = try Data(
            contentsOf: URL(filePath: MediaFiles.noise("told.m4a", seconds: 12, arguments: MediaFiles.aac)))
        let wrong = try MP4.setting(durationOf: box, to: duration, in: whole)
        #expect(wrong != whole)
        let decoder = try TrackDecoder(path: MediaFiles.file("\(box)-\(duration).m4a", wrong), interrupt: Interrupt())
        let through = try Reading.samples(decoder)
        // Where the sound's own is wrong, what is cut off its last packet is not known.
        let bound = box == "mdhd" ? 1_024.0 : 1
        #expect(abs(Double(decoder.facts.duration) - 12 * 48_000) <= bound)
        #expect(through.count / 2 == Int(decoder.facts.duration))
        let tail = try Reading.samples(decoder, from: 11 * 48_000, count: 9_600)
        #expect(tail == Array(through[11 * 96_000..<11 * 96_000 + 19_200]))
    }

    @Test("one channel goes to both sides at full level; more are mixed down without exceeding it")
    func channels() throws {
        let mono = try MediaFiles.noise("mono.wav", seconds: 2, "-ac", "1")
        let heard = try Reading.samples(TrackDecoder(path: mono, interrupt: Interrupt()), from: 48_000, count: 480)
        let source = Noise.samples(track: 0, from: 48_000, count: 480)
        for index in 0..<480 {
            #expect(abs(heard[index * 2] - source[index]) < 0.03)
            #expect(heard[index * 2] == heard[index * 2 + 1])
        }
        let loud = try MediaFiles.folder()("loud.wav")
        try MediaFiles.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=\(Array(repeating: "0.99", count: 6).joined(separator: "|")):c=5.1:d=1",
            loud,
        ])
        let mixed = try Reading.samples(TrackDecoder(path: loud, interrupt: Interrupt()), from: 0, count: 4_800)
        #expect((mixed.max() ?? 2) <= 1 && (mixed.max() ?? 0) > 0.9)
    }

    @Test("5.1 is mixed down: the middle and the back 3 dB lower than the front, the bass left out, all by 7.7 dB")
    func downMix() throws {
        // Each channel is alone for a second.
        let path = try MediaFiles.folder()("turns.wav")
        let channels = (0..<6).map { "0.5*gte(t\\,\($0))*lt(t\\,\($0 + 1))" }.joined(separator: "|")
        try MediaFiles.ffmpeg(["-f", "lavfi", "-i", "aevalsrc=\(channels):c=5.1:d=6:s=48000", path])
        let decoder = try TrackDecoder(path: path, interrupt: Interrupt())
        // So that three channels at full level on one side do not exceed it.
        let front = Float(1 / (1 + 2 * 0.5.squareRoot()))
        let lower = front * Float(0.5).squareRoot()
        let expected = [(front, 0), (0, front), (lower, lower), (0, 0), (lower, 0), (0, lower)]
        for (channel, gains) in expected.enumerated() {
            let heard = try Reading.samples(decoder, from: Int64(channel) * 48_000 + 24_000, count: 1)
            #expect(abs(heard[0] - gains.0 / 2) < 0.001 && abs(heard[1] - gains.1 / 2) < 0.001, "\(channel): \(heard)")
        }
    }

    @Test("reading on past the end gives nothing, wherever one comes from", arguments: Kind.all)
    func pastTheEnd(kind: Kind) throws {
        let path = try kind.make()
        let decoder = try TrackDecoder(path: path, interrupt: Interrupt())
        #expect(try Reading.samples(decoder, from: 16 * 48_000, count: 480).isEmpty)
        #expect(try Reading.samples(decoder, from: 48_000, count: 480).count == 960)
    }

    @Test("a read that was interrupted leaves nothing behind", arguments: Kind.all)
    func interrupted(kind: Kind) throws {
        let path = try kind.make()
        let decoder = try TrackDecoder(path: path, interrupt: Interrupt())
        let expected = try Reading.samples(decoder, from: 566_400, count: .max)
        for target in [Int64(0), 500_000] {
            decoder.demuxer.interrupt.isRaised = true
            _ = try? Reading.samples(decoder, from: target, count: 10_000)
            decoder.demuxer.interrupt.isRaised = false
            decoder.forgetPosition()
            let heard = try Reading.samples(decoder, from: 566_400, count: .max)
            #expect(heard.count == expected.count)
            #expect((zip(heard, expected).map { abs($0 - $1) }.max() ?? 1) <= kind.tolerance)
        }
    }
}
