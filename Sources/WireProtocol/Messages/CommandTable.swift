/// The one place where commands are read and written: name, arguments with their kinds, and what they make.
package enum CommandTable {
    package enum Argument: Sendable {
        case seconds(String)
        /// 0 to 1.
        case fraction(String)
        case identifier(String)
        case count(String)
        /// An identifier that may be missing.
        case optionalIdentifier(String)

        var key: String {
            switch self {
            case .seconds(let key), .fraction(let key), .identifier(let key), .count(let key),
                .optionalIdentifier(let key):
                key
            }
        }
    }

    package struct Entry: Sendable {
        package let name: String
        package let arguments: [Argument]
        /// Called with as many checked values as there are arguments, in their order; `null` for one that may be missing and is.
        let make: @Sendable ([JSONValue]) -> Command?
    }

    package static let entries: [Entry] = [
        Entry(name: "play", arguments: []) { _ in .play },
        Entry(name: "pause", arguments: []) { _ in .pause },
        Entry(name: "togglePlayPause", arguments: []) { _ in .togglePlayPause },
        Entry(name: "skip", arguments: [.seconds("seconds")]) { $0[0].doubleValue.map { .skip(seconds: $0) } },
        Entry(name: "seek", arguments: [.seconds("time")]) { $0[0].doubleValue.map { .seek(time: $0) } },
        Entry(name: "switchTrack", arguments: [.identifier("trackID")]) {
            $0[0].stringValue.map { .switchTrack(trackID: $0) }
        },
        Entry(name: "setVolume", arguments: [.fraction("volume")]) { $0[0].doubleValue.map { .setVolume($0) } },
        Entry(
            name: "requestCueChunk", arguments: [.identifier("sessionID"), .count("revision"), .count("index")]
        ) { values in
            guard let sessionID = values[0].stringValue, let revision = values[1].integerValue,
                let index = values[2].integerValue
            else { return nil }
            return .requestCueChunk(CueChunkRequest(sessionID: sessionID, revision: revision, index: index))
        },
        Entry(name: "describe", arguments: [.optionalIdentifier("name")]) { .describe(name: $0[0].stringValue) },
    ]

    /// Reads a command's payload.
    /// - Throws: `malformed`, `unknownCommand` or `invalidArgument`.
    package static func command(from payload: JSONValue) throws(WireError) -> Command {
        guard let name = payload["kind"]?.stringValue else {
            throw WireError(.malformed, "A command needs a payload with a kind.")
        }
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw WireError(.unknownCommand, "There is no command \(SafeText.line(name, maximumCharacters: 40)).")
        }
        var values: [JSONValue] = []
        for argument in entry.arguments { values.append(try value(of: argument, of: name, in: payload)) }
        guard let command = entry.make(values) else {
            throw WireError(.invalidArgument, "\(name) cannot be read.")
        }
        return command
    }

    private static func value(
        of argument: Argument, of name: String, in payload: JSONValue
    ) throws(WireError) -> JSONValue {
        guard let value = payload[argument.key] else {
            if case .optionalIdentifier = argument { return .null }
            throw WireError(.invalidArgument, "\(name) needs \(argument.key).")
        }
        let wanted: String
        switch argument {
        case .seconds:
            if value.doubleValue != nil { return value }
            wanted = "a number of seconds"
        case .fraction:
            if let number = value.doubleValue, (0...1).contains(number) { return value }
            wanted = "a number from 0 to 1"
        case .identifier, .optionalIdentifier:
            if value.identifierValue != nil { return value }
            wanted = "a text of 1 to \(Limits.identifierBytes) bytes"
        case .count:
            if let number = value.integerValue, number >= 0 { return value }
            wanted = "a whole number from 0"
        }
        throw WireError(.invalidArgument, "\(argument.key) of \(name) must be \(wanted).")
    }

    /// Writes a command's payload.
    package static func write(_ command: Command, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("kind")
            switch command {
            case .play: writer.string("play")
            case .pause: writer.string("pause")
            case .togglePlayPause: writer.string("togglePlayPause")
            case .skip(let seconds):
                writer.string("skip")
                writer.key("seconds")
                writer.number(seconds)
            case .seek(let time):
                writer.string("seek")
                writer.key("time")
                writer.number(time)
            case .switchTrack(let trackID):
                writer.string("switchTrack")
                writer.key("trackID")
                writer.string(trackID)
            case .setVolume(let volume):
                writer.string("setVolume")
                writer.key("volume")
                writer.number(volume)
            case .requestCueChunk(let request):
                writer.string("requestCueChunk")
                writer.key("sessionID")
                writer.string(request.sessionID)
                writer.key("revision")
                writer.integer(request.revision)
                writer.key("index")
                writer.integer(request.index)
            case .describe(let name):
                writer.string("describe")
                if let name {
                    writer.key("name")
                    writer.string(name)
                }
            }
        }
    }
}
