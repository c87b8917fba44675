import Subtitles
import WireProtocol

/// The cues of a text; an error fails the test that asked.
func cues(_ text: String) throws -> [Cue] {
    try SubtitleReader.read(Array(text.utf8)).cues
}

func texts(_ text: String) throws -> [String] {
    try cues(text).map(\.text)
}

func repairs(_ text: String) throws -> [String] {
    try SubtitleReader.read(Array(text.utf8)).repairs.map { "\($0.line): \($0.sentence)" }
}

/// The sentence a text is refused with; `nil` where it is read.
func refusal(_ bytes: [UInt8]) -> String? {
    do throws(SubtitleError) {
        _ = try SubtitleReader.read(bytes)
        return nil
    } catch {
        return error.reason
    }
}

/// One cue from 1 s to 4 s with this text.
func block(_ text: String) -> String {
    "1\n00:00:01,000 --> 00:00:04,000\n\(text)\n"
}

/// One cue with this time line.
func timed(_ timeLine: String) -> String {
    "1\n\(timeLine)\nHello\n"
}

/// Two sound cues with this in between.
func between(_ middle: String) -> String {
    "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n\(middle)\n\n9\n00:01:00,000 --> 00:01:01,000\nNine\n"
}
