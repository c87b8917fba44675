import Foundation
import Synchronization

/// Sound files made with the ffmpeg program from seeded noise, once per test run.
enum MediaFiles {
    static let folder = TemporaryFolder.make("allspeak-audio")

    private static let made = Mutex<[String: String]>([:])

    /// The path of a file with `seconds` of the noise of `track`, encoded with ffmpeg's `arguments`.
    static func noise(
        _ name: String, track: Int = 0, seconds: Double = 20, _ arguments: String...
    ) throws -> String {
        try noise(name, track: track, seconds: seconds, arguments: arguments)
    }

    static func noise(_ name: String, track: Int = 0, seconds: Double = 20, arguments: [String]) throws -> String {
        let key = "\(track)-\(seconds)-\(name)"
        return try made.withLock { made in
            if let path = made[key] { return path }
            let path = folder.appending(path: key).path
            try ffmpeg(["-i", try wave(track: track, seconds: seconds)] + arguments + [path])
            made[key] = path
            return path
        }
    }

    static func file(_ name: String, _ content: Data) throws -> String {
        let path = folder.appending(path: name)
        try content.write(to: path)
        return path.path
    }

    static func ffmpeg(_ arguments: [String]) throws {
        try run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments)
    }

    /// The noise as 48 kHz mono 16 bit.
    private static func wave(track: Int, seconds: Double) throws -> String {
        let path = folder.appending(path: "\(track)-\(seconds).s16.wav")
        if FileManager.default.fileExists(atPath: path.path) { return path.path }
        let samples = Noise.samples(track: track, from: 0, count: Int(seconds * Double(Noise.rate)))
        let raw = samples.map { Int16($0 * 32_000) }.withUnsafeBytes { Data($0) }
        let source = folder.appending(path: "\(track)-\(seconds).raw")
        try raw.write(to: source)
        try ffmpeg(["-f", "s16le", "-ar", "48000", "-ac", "1", "-i", source.path, path.path])
        return path.path
    }
}
