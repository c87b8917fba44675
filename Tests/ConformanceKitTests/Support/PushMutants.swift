import Conformance
import WireProtocol

extension Mutant {
    /// Remotes that are told too little, too much, or at the wrong time.
    static let pushes: [Mutant] = [
        Mutant(
            name: "only the asker is told", recording: "two-remotes", section: "§4",
            expected: "tablet hears {kind: \"metadata\"",
            host: { frame, said, memory in
                guard frame.isPush, ["metadata", "snapshot"].contains(frame.kind),
                    let asker = memory.list("askers").last
                else { return [said] }
                return asker == "\(said.connection)" ? [said] : []
            },
            remote: { frame, said, memory in
                if frame.command != nil { memory.add("\(said.connection)", to: "askers") }
                return [said]
            }),
        Mutant(
            name: "everybody but the asker is told", recording: "two-remotes", section: "§4",
            expected: "phone hears {kind: \"metadata\"",
            host: { frame, said, memory in
                guard frame.isPush, ["metadata", "snapshot"].contains(frame.kind) else { return [said] }
                return memory.list("askers").last == "\(said.connection)" ? [] : [said]
            },
            remote: { frame, said, memory in
                if frame.command != nil { memory.add("\(said.connection)", to: "askers") }
                return [said]
            }),
        Mutant(
            name: "the pushes leave before the reply", recording: "commands-paused", section: "§6",
            expected: "hears {kind: \"metadata\"",
            host: { frame, said, memory in
                if frame["re"]?.integerValue != nil, frame.kind == "snapshot" {
                    memory.add(frame.text, to: "reply \(said.connection)")
                    return []
                }
                guard frame.kind == "snapshot", frame.isPush else { return [said] }
                let kept = memory.take("reply \(said.connection)")
                return [said] + kept.map { VirtualTrial.Said(Array($0.utf8), on: said.connection) }
            }),
        Mutant(
            name: "the others are told before the asker", recording: "two-remotes", section: "§4",
            expected: "after line",
            host: { frame, said, memory in
                if frame["re"] == .integer(1), frame["payload"]?["isPlaying"] == .bool(true) {
                    memory.add("\(said.connection) \(frame.text)", to: "reply")
                    return []
                }
                guard frame.kind == "metadata" else { return [said] }
                let kept = memory.take("reply").flatMap { text -> [VirtualTrial.Said] in
                    let parts = text.split(separator: " ", maxSplits: 1)
                    return [VirtualTrial.Said(Array(parts[1].utf8), on: Int(parts[0]) ?? 0)]
                }
                // The asker's own push comes first here, so it waits as well.
                if kept.first?.connection == said.connection {
                    memory.add("\(said.connection) " + String(decoding: kept[0].line, as: UTF8.self), to: "reply")
                    memory.add("\(said.connection) \(frame.text)", to: "reply")
                    return []
                }
                return [said] + kept
            }),
        Mutant(
            name: "metadata does not tell by whom", recording: "two-remotes", section: "§4", expected: "by: \"Phone\"",
            host: { frame, said, _ in
                frame.kind == "metadata" ? frame.setting("payload", "by", to: nil).said(said) : [said]
            }),
        Mutant(
            name: "a nameless remote is nobody", recording: "by-id", section: "§5", expected: "by: \"nameless-7\"",
            host: { frame, said, _ in
                frame["payload"]?["by"] == .string("nameless-7")
                    ? frame.setting("payload", "by", to: .string("remote")).said(said) : [said]
            }),
        Mutant(
            name: "a slow remote gets a backlog", recording: "no-backlog", section: "§4", expected: "hears no",
            host: { frame, said, memory in
                guard frame.kind == "metadata", let date = frame["payload"]?["serverDate"]?.stringValue
                else { return [said] }
                guard said.connection != 1 else {
                    memory.add(date + frame.text, to: "told to the other")
                    return [said]
                }
                let last = memory.list("dates").last ?? date
                memory.add(date, to: "dates")
                let missed = memory.list("told to the other").filter { $0 > last && $0 < date }
                return missed.map { .init(Array($0.dropFirst(date.count).utf8), on: said.connection) } + [said]
            }),
        Mutant(
            name: "cues are pushed although they are held", recording: "reconnect", section: "§4",
            expected: "hears no {kind: \"cueChunk\"}",
            remote: { frame, said, _ in
                frame.kind == "hello" ? frame.setting("payload", "cues", to: nil).said(said) : [said]
            }),
        Mutant(
            name: "cues are not pushed when others are held", recording: "reconnect", section: "§4",
            expected: "hears {kind: \"cueChunk\"",
            host: { frame, said, memory in
                if frame.kind == "hello" { memory.add("", to: "connections") }
                return frame.kind == "cueChunk" && memory.list("connections").count > 2 ? [] : [said]
            }),
        Mutant(
            name: "who joins moves the film", recording: "joining", section: "§1",
            expected: "position by anchor",
            remote: { frame, said, _ in
                guard frame.kind == "hello", frame["payload"]?["remote"]?["name"] == .string("Tablet") else {
                    return [said]
                }
                let skip = #"{"kind":"command","payload":{"kind":"skip","seconds":-2}}"#
                return [said, .init(Array(skip.utf8), on: said.connection)]
            }),
        Mutant(
            name: "who joins pauses the film", recording: "joining", section: "§1",
            expected: "isPlaying: true",
            remote: { frame, said, _ in
                guard frame.kind == "hello", frame["payload"]?["remote"]?["name"] == .string("Tablet") else {
                    return [said]
                }
                return [
                    .init(Array(#"{"kind":"command","payload":{"kind":"pause"}}"#.utf8), on: said.connection), said,
                ]
            }),
        Mutant(
            name: "who never said hello gets pushes", recording: "without-hello", section: "§4",
            expected: "no push before hello",
            remote: { frame, said, memory in
                guard frame.command != nil, memory.list("hello \(said.connection)").isEmpty else {
                    if frame.kind == "hello" { memory.add("", to: "hello \(said.connection)") }
                    return [said]
                }
                memory.add("", to: "hello \(said.connection)")
                let hello = #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"x"}}}"#
                return [.init(Array(hello.utf8), on: said.connection), said]
            }),
        Mutant(
            name: "while it plays nothing is told from time to time", recording: "pushes-in-time", section: "§4",
            expected: "hears {kind: \"snapshot\"",
            host: { frame, said, memory in
                if frame.kind == "metadata" { memory.add("", to: "changes \(said.connection)") }
                guard frame.kind == "snapshot", frame.isPush else { return [said] }
                return memory.take("changes \(said.connection)").isEmpty ? [] : [said]
            }),
        Mutant(
            name: "the end of the session is not told", recording: "session-ends-and-starts", section: "§5",
            expected: "hears {kind: \"sessionEnded\"",
            host: { frame, said, _ in frame.kind == "sessionEnded" ? [] : [said] }),
        Mutant(
            name: "a second hello is passed over", recording: "hello-twice", section: "§4",
            expected: "hears {kind: \"metadata\"",
            remote: { frame, said, memory in
                guard frame.kind == "hello" else { return [said] }
                memory.add("", to: "hello \(said.connection)")
                return memory.list("hello \(said.connection)").count > 1 ? [] : [said]
            }),
        Mutant(
            name: "a volume turned at the host is not told", recording: "volume-from-outside", section: "§4",
            expected: "volume: 0.3",
            host: { frame, said, _ in
                frame["payload"]?["volume"] == .number(0.3) && frame.isPush ? [] : [said]
            }),
        Mutant(
            name: "the loss of the device is not told", recording: "device-lost", section: "§4",
            expected: "present: false",
            host: { frame, said, _ in
                guard frame["payload"]?["output"]?["present"] == .bool(false) else { return [said] }
                return frame.setting("payload", "output", "present", to: .bool(true)).said(said)
            }),
    ]

    /// What holds of every line.
    static let rules: [Mutant] = [
        Mutant(
            name: "a position is not kept within the film", recording: "skips-past-the-ends", section: "§6",
            expected: "currentTime from 0",
            host: { frame, said, _ in
                guard frame["payload"]?["currentTime"] == .integer(0), frame["re"] != nil else { return [said] }
                return frame.setting("payload", "currentTime", to: .integer(-96)).said(said)
            }),
        Mutant(
            name: "the host's clock stands still", recording: "clock-skew", section: "§8",
            expected: "after the connection's first",
            host: { frame, said, memory in
                guard frame.kind == "pong" || frame.kind == "hello",
                    let date = frame["payload"]?["serverDate"]?.stringValue
                else { return [said] }
                memory.add(date, to: "\(said.connection)")
                let first = memory.list("\(said.connection)")[0]
                return frame.setting("payload", "serverDate", to: .string(first)).said(said)
            }),
        Mutant(
            name: "positions move on and their dates do not", recording: "pushes-in-time", section: "§4",
            expected: "position by anchor",
            host: { frame, said, memory in
                guard ["metadata", "snapshot"].contains(frame.kind),
                    let date = frame["payload"]?["serverDate"]?.stringValue
                else { return [said] }
                memory.add(date, to: "\(said.connection)")
                let first = memory.list("\(said.connection)")[0]
                return frame.setting("payload", "serverDate", to: .string(first)).said(said)
            }),
        Mutant(
            name: "an older date comes after a newer", recording: "two-remotes", section: "§8",
            expected: "a serverDate from",
            host: { frame, said, _ in
                guard frame.kind == "snapshot", frame.isPush else { return [said] }
                return frame.setting("payload", "serverDate", to: .string("2026-03-01T20:14:00.000Z")).said(said)
            }),
        Mutant(
            name: "the current cue is the one before", recording: "seek-to-a-cue", section: "§9",
            expected: "currentIndex",
            host: { frame, said, _ in
                guard let place = frame["payload"]?["currentIndex"]?.integerValue, place > 0 else { return [said] }
                return frame.setting("payload", "currentIndex", to: .integer(place - 1)).said(said)
            }),
        Mutant(
            name: "the digest is of other cues", recording: "cues-after-hello", section: "§9",
            expected: "cueDigest",
            host: { frame, said, _ in
                guard frame.kind == "metadata" else { return [said] }
                let other = String(repeating: "0", count: 64)
                return frame.setting("payload", "cueDigest", to: .string(other)).said(said)
            }),
        Mutant(
            name: "the digest stays when the cues change", recording: "cues-replaced", section: "§9",
            expected: "of the cues sent",
            host: { frame, said, memory in
                guard frame.kind == "metadata", let digest = frame["payload"]?["cueDigest"]?.stringValue else {
                    return [said]
                }
                memory.add(digest, to: "digests")
                return frame.setting("payload", "cueDigest", to: .string(memory.list("digests")[0])).said(said)
            }),
        Mutant(
            name: "a snapshot lacks its duration", recording: "goodbye", section: "§5",
            expected: "frame of a host",
            host: { frame, said, memory in
                guard frame.kind == "snapshot", frame.isPush, frame["payload"]?["currentTime"] == .integer(4) else {
                    return [said]
                }
                return frame.setting("payload", "duration", to: nil).said(said)
            }),
        Mutant(
            name: "metadata lacks its tracks", recording: "goodbye", section: "§5",
            expected: "payload.tracks",
            host: { frame, said, memory in
                guard frame.kind == "metadata", frame["payload"]?["currentTime"] == .integer(4) else { return [said] }
                return frame.setting("payload", "tracks", to: nil).said(said)
            }),
    ]
}
