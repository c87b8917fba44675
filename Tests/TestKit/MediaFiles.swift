package import Foundation
internal import LinuxSystem
internal import Probe

/// Sound files made with the ffmpeg program from seeded noise, once per test run.
package enum MediaFiles {
    private static let kept = Guarded<TemporaryFolder?>(nil)
    private static let made = Guarded<[String: String]>([:])

    /// Where the made files lie.
    package static func folder() throws -> TemporaryFolder {
        try kept.withLock { kept in
            if let kept { return kept }
            let folder = try TemporaryFolder("media")
            kept = folder
            // A static is never let go of.
            atexit { MediaFiles.kept.withLock { $0 = nil } }
            return folder
        }
    }

    /// AAC that keeps noise as it is: without the encoder's own noise substitution.
    package static let aac = ["-c:a", "aac", "-aac_pns", "0", "-b:a", "160k"]

    /// The path of a file with `seconds` of the noise of `track`, encoded with ffmpeg's `arguments`.
    package static func noise(
        _ name: String, track: Int = 0, seconds: Double = 20, _ arguments: String...
    ) throws -> String {
        try noise(name, track: track, seconds: seconds, arguments: arguments)
    }

    /// The same; `input` are ffmpeg's arguments for reading the noise.
    package static func noise(
        _ name: String, track: Int = 0, seconds: Double = 20, input: [String] = [], arguments: [String]
    ) throws -> String {
        let key = "\(track)-\(seconds)-\(name)"
        let folder = try folder()
        return try made.withLock { made in
            if let path = made[key] { return path }
            let path = folder(key)
            try ffmpeg(input + ["-i", try wave(track: track, seconds: seconds, in: folder)] + arguments + [path])
            made[key] = path
            return path
        }
    }

    package static func file(_ name: String, _ content: Data) throws -> String {
        try folder().file(name, content)
    }

    package static func ffmpeg(_ arguments: [String]) throws {
        try run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments)
    }

    /// The noise as 48 kHz mono 16 bit.
    private static func wave(track: Int, seconds: Double, in folder: TemporaryFolder) throws -> String {
        let path = folder("\(track)-\(seconds).s16.wav")
        if FileManager.default.fileExists(atPath: path) { return path }
        try Data(Noise.wave(track: track, seconds: seconds, gain: 0.98)).write(to: URL(fileURLWithPath: path))
        return path
    }
}
