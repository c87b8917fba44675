import Conformance
import Testing
import WireProtocol

@Suite("A host that is broken on purpose fails by the check that is about it")
struct MutantTests {
    @Test("each of these", arguments: Mutant.answers + Mutant.pushes + Mutant.rules)
    func fails(_ mutant: Mutant) throws {
        let check = try #require(mutant.check(), "there is no recording \(mutant.recording)")
        guard case .failed(let expected, _) = check.outcome else {
            Issue.record("it passed as \(check.outcome)")
            return
        }
        #expect(check.section == mutant.section, "\(expected)")
        #expect(expected.contains(mutant.expected), "\(expected)")
    }

    @Test("and the host as it is passes all of them")
    func unbroken() {
        for mutant in Mutant.answers + Mutant.pushes + Mutant.rules {
            let asItIs = Mutant(
                name: mutant.name, recording: mutant.recording, section: "", expected: "",
                remote: mutant.remote == nil ? nil : Mutant.nothing)
            #expect(asItIs.check()?.outcome == .passed, "\(mutant.recording)")
        }
    }
}

extension Mutant {
    /// Commands that are answered wrongly.
    static let answers: [Mutant] = [
        Mutant(
            name: "a reply carries another id", recording: "commands-paused", section: "§4",
            expected: "re: 1",
            host: { frame, said, _ in
                frame["re"] == .integer(1) ? frame.setting("re", to: .integer(2)).said(said) : [said]
            }),
        Mutant(
            name: "a reply has no re", recording: "ids", section: "§3", expected: "re: 0",
            host: { frame, said, _ in
                frame.kind == "snapshot" ? frame.setting("re", to: nil).said(said) : [said]
            }),
        Mutant(
            name: "an id that is a text comes back as another text", recording: "ids", section: "§3",
            expected: "ünïcödé",
            host: { frame, said, _ in
                guard let re = frame["re"]?.stringValue, !re.isEmpty else { return [said] }
                return frame.setting("re", to: .string("x" + re)).said(said)
            }),
        Mutant(
            name: "two replies change places", recording: "skips-in-a-burst", section: "§4",
            expected: "replies in order",
            host: { frame, said, memory in
                if frame["re"] == .integer(3) {
                    memory.add(frame.text, to: "kept")
                    return []
                }
                guard frame["re"] == .integer(4) else { return [said] }
                let kept = memory.take("kept").map { VirtualTrial.Said(Array($0.utf8), on: said.connection) }
                return [said] + kept
            }),
        Mutant(
            name: "a reply never comes", recording: "two-remotes", section: "§4", expected: "re: 2",
            host: { frame, said, _ in frame["re"] == .integer(2) ? [] : [said] }),
        Mutant(
            name: "a command is answered twice", recording: "ids", section: "§3", expected: "re: -7",
            host: { frame, said, _ in frame["re"] == .integer(0) ? [said, said] : [said] }),
        Mutant(
            name: "the last reply comes twice", recording: "skips-past-the-ends", section: "§4",
            expected: "nothing but pushes",
            host: { frame, said, _ in frame["re"] == .integer(8) ? [said, said] : [said] }),
        Mutant(
            name: "a seek begins to play", recording: "commands-paused", section: "§6",
            expected: "payload.isPlaying: false", host: flipPlaying, remote: noteSeeks),
        Mutant(
            name: "a seek while it plays pauses", recording: "seek-storm-playing", section: "§6",
            expected: "payload.isPlaying: true", host: flipPlaying, remote: noteSeeks),
        Mutant(
            name: "a skip in a burst is lost", recording: "skips-in-a-burst", section: "§6",
            expected: "+ 1 ± 0.05",
            remote: { frame, said, _ in
                guard frame.command == "skip", frame["id"] == .integer(4) else { return [said] }
                return frame.setting("payload", "seconds", to: .integer(0)).said(said)
            }),
        Mutant(
            name: "the oldest seek wins", recording: "seek-storm-paused", section: "§6",
            expected: "payload.currentTime: 9.4",
            remote: { frame, said, memory in
                guard frame.command == "seek" else { return [said] }
                memory.add(frame["payload"]?["time"]?.text ?? "", to: "times")
                let first = memory.list("times").dropFirst().first.flatMap(Double.init) ?? 0
                guard memory.list("times").count > 2 else { return [said] }
                return frame.setting("payload", "time", to: .number(first)).said(said)
            }),
        Mutant(
            name: "a track that does not exist is an invalid argument", recording: "switch-unknown", section: "§7",
            expected: "unknownTrack",
            host: replacing("unknownTrack", "invalidArgument")),
        Mutant(
            name: "a failed switch is told as success", recording: "switch-broken", section: "§6",
            expected: "trackFailed",
            host: { frame, said, memory in
                if frame.kind == "snapshot" { memory.add(frame.text, to: "last") }
                guard frame["payload"]?["code"] == .string("trackFailed"),
                    let last = memory.list("last").last, let snapshot = try? JSONReader.value(of: Array(last.utf8))
                else { return [said] }
                return snapshot.setting("re", to: frame["re"]).said(said)
            }),
        Mutant(
            name: "a stale chunk is served", recording: "chunks-refused", section: "§7",
            expected: "staleRevision",
            remote: { frame, said, _ in
                guard frame.command == "requestCueChunk" else { return [said] }
                return frame.setting("payload", "revision", to: .integer(1)).said(said)
            }),
        Mutant(
            name: "the last chunk is served past the end", recording: "chunks-refused", section: "§7",
            expected: "chunkOutOfRange",
            remote: { frame, said, _ in
                guard frame.command == "requestCueChunk", let index = frame["payload"]?["index"]?.integerValue
                else { return [said] }
                return frame.setting("payload", "index", to: .integer(min(index, 1))).said(said)
            }),
        Mutant(
            name: "every pull gets the first chunk", recording: "chunks-pulled", section: "§9",
            expected: "payload.index: 2",
            remote: { frame, said, _ in
                guard frame.command == "requestCueChunk" else { return [said] }
                return frame.setting("payload", "index", to: .integer(0)).said(said)
            }),
        Mutant(
            name: "a shorter track begins anew", recording: "switch-to-shorter", section: "§6",
            expected: "payload.currentTime",
            host: { frame, said, _ in
                guard frame["re"] == .integer(1) else { return [said] }
                let first = frame.setting("payload", "currentIndex", to: .integer(0))
                return first.setting("payload", "currentTime", to: .integer(0)).said(said)
            }),
        Mutant(
            name: "play at the end stays there", recording: "commands-at-end", section: "§6",
            expected: "payload.isPlaying: true",
            remote: { frame, said, _ in
                frame.command == "play" ? frame.setting("payload", "kind", to: .string("pause")).said(said) : [said]
            }),
        Mutant(
            name: "too many commands are an internal error", recording: "rate-limit", section: "§10",
            expected: "tooManyRequests", host: replacing("tooManyRequests", "internal"),
            remote: { _, said, _ in [said] }),
        Mutant(
            name: "a pong forgets what the ping held", recording: "pings", section: "§8",
            expected: "payload.sent",
            host: { frame, said, _ in
                frame.kind == "pong" ? frame.setting("payload", "sent", to: nil).said(said) : [said]
            }),
        Mutant(
            name: "without a session commands are answered with a snapshot", recording: "commands-without-session",
            section: "§7", expected: "kind: \"error\"",
            host: { frame, said, _ in
                guard frame["payload"]?["code"] == .string("noSession") else { return [said] }
                let zero =
                    #"{"kind":"snapshot","payload":{"sessionID":"0","revision":0,"currentTime":0,"duration":0,"currentIndex":0,"isPlaying":false,"serverDate":"2026-03-01T20:15:00.000Z"}}"#
                guard let snapshot = try? JSONReader.value(of: Array(zero.utf8)) else { return [said] }
                return snapshot.setting("re", to: frame["re"]).said(said)
            }),
    ]

    static let nothing: Hand = { _, said, _ in [said] }

    private static let noteSeeks: Hand = { frame, said, memory in
        if frame.command == "seek", let id = frame["id"] { memory.add("\(said.connection) \(id.text)", to: "seeks") }
        return [said]
    }

    private static let flipPlaying: Hand = { frame, said, memory in
        guard let re = frame["re"], memory.list("seeks").contains("\(said.connection) \(re.text)"),
            let isPlaying = frame["payload"]?["isPlaying"]?.boolValue
        else { return [said] }
        return frame.setting("payload", "isPlaying", to: .bool(!isPlaying)).said(said)
    }

    static func replacing(_ code: String, _ other: String) -> Hand {
        { frame, said, _ in
            guard frame["payload"]?["code"] == .string(code) else { return [said] }
            return frame.setting("payload", "code", to: .string(other)).said(said)
        }
    }
}
