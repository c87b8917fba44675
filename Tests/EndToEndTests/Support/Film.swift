import Foundation
import TestKit

/// Two minutes of film: two tracks of noise that tells its position, and thirty lines.
struct Film {
    struct Line: Equatable {
        var index: Int
        var start: Double
        var end: Double
        var text: String
    }

    static let seconds = 120.0

    var original: String
    var dub: String
    var subtitles: String

    /// What the subtitle file says.
    static let lines: [Line] = (1...30).map { number in
        // Starts between the frames of any codec, and on whole milliseconds, as SubRip has them.
        let start = Double(1_503 + (number - 1) * 3_717) / 1_000
        let text = number == 7 ? "Two lines,\n\"quoted\" — да" : "This is line \(number)."
        return Line(index: number, start: start, end: Double((start * 1_000).rounded() + 2_400) / 1_000, text: text)
    }

    static func line(_ number: Int) -> Line { lines[number - 1] }

    /// The same files for every test; who changes one takes `copied`.
    static func standard() throws -> Film {
        Film(
            original: try MediaFiles.noise("original.m4a", track: 0, seconds: seconds, arguments: MediaFiles.aac),
            dub: try MediaFiles.noise("dub.m4a", track: 1, seconds: seconds, arguments: MediaFiles.aac),
            subtitles: try MediaFiles.file("film.srt", Data(subRip.utf8)))
    }

    /// The same sound with a line every tenth of a second, so that a remote has something to tell as often.
    static func dense() throws -> Film {
        var film = try standard()
        let cues = (1...1_190).map { number in
            let start = Double(number) / 10
            return "\(number)\n\(stamp(start)) --> \(stamp(start + 0.09))\nWord \(number).\n"
        }
        film.subtitles = try MediaFiles.file("dense.srt", Data(cues.joined(separator: "\n").utf8))
        return film
    }

    func copied(to folder: TemporaryFolder) throws -> Film {
        func copy(_ path: String, _ name: String) throws -> String {
            try folder.file(name, Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return Film(
            original: try copy(original, "original.m4a"), dub: try copy(dub, "dub.m4a"),
            subtitles: try copy(subtitles, "film.srt"))
    }

    var arguments: [String] {
        [
            "--audio", "\(original)=Original", "--audio", "\(dub)=Dub", "--subtitles", subtitles, "--title",
            "Night Train",
        ]
    }

    private static var subRip: String {
        lines.map { "\($0.index)\n\(stamp($0.start)) --> \(stamp($0.end))\n\($0.text)\n" }.joined(separator: "\n")
    }

    private static func stamp(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1_000).rounded())
        return String(
            format: "%02d:%02d:%02d,%03d", milliseconds / 3_600_000, milliseconds / 60_000 % 60,
            milliseconds / 1_000 % 60, milliseconds % 1_000)
    }
}
