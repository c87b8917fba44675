import Foundation
import TestKit
import Testing

@testable import AudioEngine

/// A kind of file, and what the decoder must make of it.
struct Kind: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    /// How much a seek may differ from playing through; 0 for sample for sample.
    var tolerance: Float = 0

    var testDescription: String { name }

    static let all = [
        Kind(name: "end.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0", "-ac", "2"]),
        Kind(name: "fast.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0", "-movflags", "+faststart"]),
        Kind(name: "44.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0", "-ar", "44100"]),
        Kind(name: "stereo.mp3", arguments: ["-c:a", "libmp3lame", "-ac", "2", "-b:a", "160k"]),
        Kind(name: "44vbr.mp3", arguments: ["-c:a", "libmp3lame", "-ar", "44100", "-q:a", "5"]),
        Kind(name: "bare.mp3", arguments: ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"]),
        Kind(name: "48.flac", arguments: ["-c:a", "flac"]),
        Kind(name: "96.flac", arguments: ["-c:a", "flac", "-ar", "96000"]),
        Kind(name: "mono.opus", arguments: ["-c:a", "libopus", "-b:a", "96k"], tolerance: 1e-3),
        Kind(name: "48.wav", arguments: ["-c:a", "pcm_s16le"]),
        Kind(name: "22.wav", arguments: ["-c:a", "pcm_s24le", "-ar", "22050"]),
        Kind(name: "51.wav", arguments: ["-c:a", "pcm_s16le", "-ac", "6"]),
        Kind(name: "aac.mka", arguments: ["-c:a", "aac", "-aac_pns", "0"]),
        Kind(name: "44aac.mka", arguments: ["-c:a", "aac", "-aac_pns", "0", "-ar", "44100"]),
        Kind(name: "flac.mka", arguments: ["-c:a", "flac"]),
        Kind(name: "opus.mka", arguments: ["-c:a", "libopus", "-b:a", "96k"], tolerance: 1e-3),
        Kind(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "5"]),
        Kind(name: "adts.aac", arguments: ["-c:a", "aac", "-aac_pns", "0"]),
    ]
}

@Suite("A track's decoder")
struct DecoderTests {
    @Test("a seek gives the very samples that playing through gives", arguments: Kind.all)
    func seeking(kind: Kind) throws {
        let path = try MediaFiles.noise(kind.name, seconds: 12, arguments: kind.arguments)
        let through = try readAll(TrackDecoder(path: path))
        let decoder = try TrackDecoder(path: path)
        let last = Int64(through.count / 2) - 4_800
        for target in (0..<20).map({ Int64($0) * 7_919_317 % last }) + [last, last - 1_000, 1, 1_023, 1_024] {
            let heard = try read(decoder, from: target, count: 4_800)
            let expected = through[Int(target) * 2..<Int(target) * 2 + 9_600]
            let difference = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(heard.count == expected.count)
            #expect(difference <= kind.tolerance, "\(kind.name) at \(target)")
        }
        #expect(try Array(read(decoder, from: 0, count: 4_800)) == Array(through.prefix(9_600)))
    }

    @Test("time 0 is the first real sample, and the length is that of the sound", arguments: Kind.all)
    func timeZero(kind: Kind) throws {
        let path = try MediaFiles.noise(kind.name, seconds: 12, arguments: kind.arguments)
        let decoder = try TrackDecoder(path: path)
        let through = try readAll(decoder)
        let mono = stride(from: 0, to: through.count, by: 2).map { through[$0] }
        let match = Correlation.locate(mono[100_000..<104_800], track: 0, near: 100_000, reach: 3_000)
        #expect(match.likeness > 0.9)
        // Some files do not tell the encoder's delay: ADTS and MP3 without a LAME header cannot, ffmpeg's MKA does not.
        let untold = ["adts.aac", "bare.mp3", "aac.mka", "44aac.mka"].contains(kind.name)
        #expect(untold || abs(match.sample - 100_000) <= 1, "\(kind.name) begins at \(match.sample - 100_000)")
        #expect(abs(Int(decoder.duration) - 12 * 48_000) < 4_800, "\(kind.name) lasts \(decoder.duration)")
        #expect(abs(through.count / 2 - 12 * 48_000) < 4_800, "\(kind.name) gives \(through.count / 2)")
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
        let decoder = try TrackDecoder(path: path)
        #expect(abs(Int(decoder.duration) - 5 * 48_000) < 2_400, "\(Double(decoder.duration) / 48_000)")
        let samples = try read(decoder, from: 100_000, count: 4_800)
        let mono = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        let match = Correlation.locate(mono[...], track: 0, near: 100_000, reach: 1_500)
        #expect(match.likeness > 0.9)
    }

    @Test("one channel goes to both sides at full level; more are mixed down without exceeding it")
    func channels() throws {
        let mono = try MediaFiles.noise("mono.wav", seconds: 2, "-ac", "1")
        let heard = try read(TrackDecoder(path: mono), from: 48_000, count: 480)
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
        let mixed = try read(TrackDecoder(path: loud), from: 0, count: 4_800)
        #expect((mixed.max() ?? 2) <= 1 && (mixed.max() ?? 0) > 0.9)
    }

    @Test("reading on past the end gives nothing, wherever one comes from", arguments: Kind.all)
    func pastTheEnd(kind: Kind) throws {
        let path = try MediaFiles.noise(kind.name, seconds: 12, arguments: kind.arguments)
        let decoder = try TrackDecoder(path: path)
        #expect(try read(decoder, from: 13 * 48_000, count: 480).isEmpty)
        #expect(try read(decoder, from: 48_000, count: 480).count == 960)
    }

    @Test("a read that was interrupted leaves nothing behind", arguments: Kind.all)
    func interrupted(kind: Kind) throws {
        let path = try MediaFiles.noise(kind.name, seconds: 12, arguments: kind.arguments)
        let decoder = try TrackDecoder(path: path)
        let expected = try read(decoder, from: 566_400, count: .max)
        for target in [Int64(0), 500_000] {
            decoder.demuxer.interrupt.isRaised = true
            _ = try? read(decoder, from: target, count: 10_000)
            decoder.demuxer.interrupt.isRaised = false
            decoder.forgetPosition()
            let heard = try read(decoder, from: 566_400, count: .max)
            #expect(heard.count == expected.count)
            #expect((zip(heard, expected).map { abs($0 - $1) }.max() ?? 1) <= kind.tolerance)
        }
    }

    private func readAll(_ decoder: TrackDecoder) throws -> [Float] {
        try read(decoder, from: 0, count: .max)
    }

    private func read(_ decoder: TrackDecoder, from start: Int64, count: Int) throws -> [Float] {
        var result: [Float] = []
        var buffer = [Float](repeating: 0, count: 4_096)
        while result.count / 2 < count {
            let room = min(buffer.count, (count - result.count / 2).multipliedReportingOverflow(by: 2).partialValue)
            let got = try buffer.withUnsafeMutableBufferPointer { buffer in
                try decoder.read(
                    from: start + Int64(result.count / 2),
                    into: UnsafeMutableBufferPointer(rebasing: buffer[..<(room > 0 ? room : buffer.count)]))
            }
            if got == 0 { break }
            result += buffer[..<(got * 2)]
        }
        return result
    }
}
