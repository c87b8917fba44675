import Foundation
import TestKit
import Testing

/// A kind of file, made of 12 s of noise, and what a decoder must make of it.
struct Kind: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    /// ffmpeg's arguments for reading the noise.
    var input: [String] = []
    /// How much a seek may differ from playing through; 0 for sample for sample.
    var tolerance: Float = 0
    /// The film sample at which the noise begins: more than 0 where the file does not tell the encoder's delay, which is
    /// then heard, or where it has the sound begin later.
    var start = 0.0
    /// Samples by which that may be missed.
    var bound = 0.03
    /// Samples behind the last of the noise: the encoder's padding, where the file does not tell it.
    var tail = 0.0
    /// Samples by which the length may be missed.
    var lengthBound = 1.0
    /// What is done to the file once it is made.
    var finish: @Sendable (Data) throws -> Data = { $0 }

    var testDescription: String { name }
    var late: Int { Int(start) }

    func make() throws -> String {
        let path = try MediaFiles.noise(name, seconds: 12, input: input, arguments: arguments)
        let whole = try Data(contentsOf: URL(filePath: path))
        let finished = try finish(whole)
        return finished == whole ? path : try MediaFiles.file("finished-\(name)", finished)
    }

    private static let aac = ["-c:a", "aac", "-aac_pns", "0"]
    private static let lame = ["-c:a", "libmp3lame"]
    /// The encoders' delays where a file does not tell them: ffmpeg's AAC a packet; LAME 576 and its decoder's 529.
    private static let delayAAC = 1_024.0
    private static let delayLAME = 1_105.0
    /// What an estimate to a fraction of a sample is worth, where the rate is another.
    private static let resampled = 0.1
    /// What an estimate is worth where the codec has left little of the noise.
    private static let rough = 0.2
    /// Matroska counts milliseconds.
    private static let millisecond = 48.0

    static let all = mp4 + mp3 + matroska + others

    private static let mp4 = [
        Kind(name: "end.m4a", arguments: aac + ["-ac", "2"]),
        Kind(name: "fast.m4a", arguments: aac + ["-movflags", "+faststart"]),
        Kind(name: "vbr.m4a", arguments: aac + ["-q:a", "1.2", "-ac", "2"]),
        Kind(name: "51.m4a", arguments: aac + ["-ac", "6", "-b:a", "384k"]),
        Kind(name: "22.m4a", arguments: aac + ["-ar", "22050"], bound: resampled),
        Kind(name: "32.m4a", arguments: aac + ["-ar", "32000"], bound: resampled),
        Kind(name: "44.m4a", arguments: aac + ["-ar", "44100"], bound: resampled),
        Kind(name: "96.m4a", arguments: aac + ["-ar", "96000"], bound: resampled),
        Kind(name: "alac.m4a", arguments: ["-c:a", "alac"]),
        Kind(name: "noedit.m4a", arguments: aac + ["-use_editlist", "0"], start: delayAAC),
        Kind(
            name: "smpb.m4a", arguments: aac + ["-use_editlist", "0"],
            finish: { try MP4.adding(iTunSMPB: 1_024, padding: 512, samples: 576_000, to: $0) }),
        Kind(
            name: "fragmented.m4a", arguments: aac + ["-movflags", "empty_moov", "-frag_duration", "1000000"],
            start: delayAAC, tail: 512),
        Kind(
            name: "delayed.m4a",
            arguments: aac + ["-movflags", "empty_moov+delay_moov", "-frag_duration", "1000000"], tail: 512),
        Kind(
            name: "late.m4a", arguments: aac + ["-movie_timescale", "48000"], input: ["-itsoffset", "2.5"],
            start: 120_000, tail: 512),
        Kind(name: "opus.mp4", arguments: ["-c:a", "libopus"], tolerance: 1e-3),
    ]

    private static let mp3 = [
        Kind(name: "cbr.mp3", arguments: lame + ["-ac", "2", "-b:a", "160k"]),
        Kind(
            name: "44vbr.mp3", arguments: lame + ["-ar", "44100", "-q:a", "5"], bound: resampled),
        Kind(
            name: "lsf.mp3", arguments: lame + ["-ar", "22050", "-b:a", "24k"], bound: rough),
        Kind(name: "low.mp3", arguments: lame + ["-b:a", "32k"], bound: rough),
        Kind(
            name: "bare.mp3", arguments: lame + ["-write_xing", "0", "-id3v2_version", "0"], start: delayLAME, tail: 47),
        Kind(
            name: "bare-vbr.mp3", arguments: lame + ["-write_xing", "0", "-q:a", "5", "-ac", "2"], start: delayLAME,
            tail: 47),
    ]

    private static let matroska = [
        Kind(name: "aac.mka", arguments: aac, start: delayAAC, tail: 512, lengthBound: millisecond),
        Kind(
            name: "44aac.mka", arguments: aac + ["-ar", "44100"], start: delayAAC * 48 / 44.1, bound: resampled,
            tail: 227, lengthBound: millisecond),
        Kind(name: "flac.mka", arguments: ["-c:a", "flac"], lengthBound: millisecond),
        Kind(
            name: "opus.mka", arguments: ["-c:a", "libopus", "-b:a", "96k"], tolerance: 1e-3, lengthBound: millisecond),
        Kind(
            name: "opus.webm", arguments: ["-c:a", "libopus", "-b:a", "64k", "-ac", "2"], tolerance: 1e-3,
            lengthBound: millisecond),
        Kind(name: "vorbis.webm", arguments: ["-c:a", "libvorbis", "-q:a", "5"], lengthBound: 3 * millisecond),
        Kind(
            name: "late.mka", arguments: ["-c:a", "flac"], input: ["-itsoffset", "2.5"], start: 120_000,
            lengthBound: millisecond),
        Kind(
            name: "late-opus.mka", arguments: ["-c:a", "libopus"], input: ["-itsoffset", "2.5"], tolerance: 1e-3,
            // ffmpeg writes it earlier by the encoder's delay once more.
            start: 120_000 - 312, bound: millisecond, lengthBound: 2 * millisecond),
    ]

    private static let others = [
        Kind(name: "48.flac", arguments: ["-c:a", "flac"]),
        Kind(name: "96.flac", arguments: ["-c:a", "flac", "-ar", "96000"], bound: resampled),
        Kind(name: "mono.opus", arguments: ["-c:a", "libopus", "-b:a", "96k"], tolerance: 1e-3),
        Kind(name: "48.wav", arguments: ["-c:a", "pcm_s16le"]),
        Kind(name: "22.wav", arguments: ["-c:a", "pcm_s24le", "-ar", "22050"], bound: resampled),
        Kind(name: "51.wav", arguments: ["-c:a", "pcm_s16le", "-ac", "6"]),
        Kind(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "5"]),
        Kind(name: "adts.aac", arguments: aac, start: delayAAC, tail: 512),
    ]
}
