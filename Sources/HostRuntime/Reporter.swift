internal import HostCore
internal import LinuxSystem
internal import Playback
internal import TerminalUI
internal import TextScreen
internal import WireProtocol

/// Tells what happens: sentences for a person, or one JSON object a line for a program.
///
/// Lines leave from a thread of their own: a reader that has stopped reading never stops the host.
final class Reporter: Sendable {
    private let isJSON: Bool
    private let writer: BackgroundWriter

    /// - Throws: `SystemError` when the system gives no thread.
    init(isJSON: Bool) throws(SystemError) {
        self.isJSON = isJSON
        writer = try BackgroundWriter(to: 1)
    }

    /// Everything told so far has left, or half a second has passed.
    func flush() {
        writer.flush(within: 0.5)
    }

    func say(_ sentence: String) {
        if !isJSON { writer.write(line: Array(sentence.utf8)) }
    }

    func event(_ members: [JSONValue.Member]) {
        guard isJSON else { return }
        var json = JSONWriter()
        json.value(.object(members))
        writer.write(line: json.bytes)
    }

    private func tell(_ name: String, _ members: [JSONValue.Member], _ sentence: String) {
        event([.init("event", .string(name))] + members)
        say(sentence)
    }

    /// A person is told of remotes that stay, not of every one-shot command.
    func noted(_ note: RemoteNote) {
        switch note {
        case .joined(let name): event([.init("event", .string("remoteJoined")), .init("name", .string(name))])
        case .stayed(let name): say("Remote connected: \(name)")
        case .left(let name, let hadStayed):
            event([.init("event", .string("remoteLeft")), .init("name", .string(name))])
            if hadStayed { say("Remote gone: \(name)") }
        }
    }

    func announced(as name: String) {
        tell("announced", [.init("name", .string(name))], "Remotes on this machine find it as “\(name)”.")
    }

    func announcementFailed(_ reason: String, address: String) {
        tell(
            "announcementFailed", [.init("reason", .string(reason))],
            "Remotes cannot find this host by themselves (\(reason)); name it: allspeak-remote --host \(address)")
    }

    func problem(_ sentence: String) {
        tell("problem", [.init("message", .string(sentence))], sentence)
    }

    func noted(_ note: TransportNote) {
        switch note {
        case .played(let position, let source): transport("play", position, source, "Playing from")
        case .paused(let position, let source): transport("pause", position, source, "Paused at")
        case .skipped(let seconds, let from, let to, let source):
            tell(
                "skip",
                [.init("seconds", .number(seconds)), .init("from", .number(from)), .init("to", .number(to))]
                    + by(source),
                "Skipped \(seconds > 0 ? "+" : "")\(Self.short(seconds)) s to \(TimeText.elapsed(to)) (\(source.name))")
        case .sought(let from, let to, let source):
            tell(
                "seek", [.init("from", .number(from)), .init("to", .number(to))] + by(source),
                "Went to \(TimeText.elapsed(to)) (\(source.name))")
        case .switched(let trackID, let position, let source):
            tell(
                "track", [.init("trackID", .string(trackID)), .init("position", .number(position))] + by(source),
                "Switched track at \(TimeText.elapsed(position)) (\(source.name))")
        case .switchFailed(let trackID, let reason):
            tell(
                "trackFailed", [.init("trackID", .string(trackID)), .init("reason", .string(reason))],
                "That track cannot be played (\(reason)); the old one plays on.")
        case .ended(let position):
            tell("ended", [.init("position", .number(position))], "The film has ended.")
        case .outputLost(let reason, let position):
            tell(
                "outputLost", [.init("reason", .string(reason)), .init("position", .number(position))],
                "Paused at \(TimeText.elapsed(position)): \(reason). A later play is up to you.")
        case .outputChanged(let output):
            tell(
                "output", [.init("name", .string(output.name)), .init("present", .bool(output.isPresent))],
                output.isPresent ? "Sound goes to \(output.name)." : "There is no sound device.")
        case .soundFailed(let reason, let position):
            tell(
                "soundFailed", [.init("reason", .string(reason)), .init("position", .number(position))],
                "The sound stopped at \(TimeText.elapsed(position)): \(reason).")
        case .sessionChanged(let title):
            tell(
                "sessionChanged", [.init("title", .string(title))],
                "The library has changed: “\(SafeText.line(title))” goes on with it.")
        case .sessionEnded(let title, let reason):
            tell(
                "sessionEnded", [.init("title", .string(title)), .init("reason", .string(reason))],
                "“\(SafeText.line(title))” has ended: \(reason). Nothing plays any more; Ctrl-C ends.")
        case .underrun(let count):
            tell("underrun", [.init("count", .integer(count))], "The sound had a gap (\(count) so far).")
        }
    }

    private func transport(_ name: String, _ position: Double, _ source: Source, _ words: String) {
        tell(
            name, [.init("position", .number(position))] + by(source),
            "\(words) \(TimeText.elapsed(position)) (\(source.name))")
    }

    private func by(_ source: Source) -> [JSONValue.Member] {
        [.init("by", .string(source.name))]
    }

    private static func short(_ seconds: Double) -> String {
        seconds == seconds.rounded() && abs(seconds) < 1e9
            ? String(Int(seconds)) : String((seconds * 1000).rounded() / 1000)
    }
}
