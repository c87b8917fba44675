import Testing
import WireProtocol

@Suite("What a remote reads from a host")
struct HostFrameTests {
    private func message(_ text: String) throws(WireError) -> HostMessage {
        try HostFrame(line: Array(text.utf8)).message
    }

    /// Each message with everything it must carry, and nothing else.
    private static let least: [(kind: String, required: [(key: String, value: String)])] = [
        ("hello", [("protocol", "1"), ("host", #"{"id":"h"}"#), ("serverDate", #""2026-03-01T12:34:56Z""#)]),
        (
            "metadata",
            [
                ("sessionID", #""S""#), ("revision", "1"), ("title", #""T""#), ("duration", "2"), ("isPlaying", "true"),
                ("currentTime", "1"), ("serverDate", #""2026-03-01T12:34:56Z""#),
            ]
        ),
        (
            "snapshot",
            [
                ("sessionID", #""S""#), ("revision", "1"), ("currentTime", "1"), ("duration", "2"),
                ("isPlaying", "true"),
                ("serverDate", #""2026-03-01T12:34:56Z""#),
            ]
        ),
        (
            "cueChunk",
            [("sessionID", #""S""#), ("revision", "1"), ("index", "0"), ("totalChunks", "1"), ("data", #""Zg==""#)]
        ),
    ]

    private static func line(_ kind: String, _ members: [(key: String, value: String)]) -> String {
        #"{"kind":"\#(kind)","payload":{"# + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}}"
    }

    @Test("each kind is read from what it must carry, and refused without any one of it or with null or a wrong type")
    func requiredMembers() throws {
        for (kind, required) in Self.least {
            _ = try message(Self.line(kind, required))
            for place in required.indices {
                var members = required
                members.remove(at: place)
                #expect(throws: WireError.self, "\(kind) without \(required[place].key)") {
                    try message(Self.line(kind, members))
                }
                for wrong in ["null", "[]", #""?""#, "-0.5e300"] {
                    // A text is what these two are made of.
                    if wrong == #""?""#, ["sessionID", "title"].contains(required[place].key) { continue }
                    members = required
                    members[place].value = wrong
                    #expect(throws: WireError.self, "\(kind) with \(required[place].key) = \(wrong)") {
                        try message(Self.line(kind, members))
                    }
                }
            }
        }
    }

    @Test(
        "a chunk past the number of chunks, or of bytes that are not base 64, is refused",
        arguments: [
            ("1", "1", "Zg=="), ("-1", "1", "Zg=="), ("0", "0", "Zg=="), ("0", "1", "Zg="), ("0", "1", "Z g="),
        ])
    func badChunk(index: String, total: String, data: String) {
        let line =
            #"{"kind":"cueChunk","payload":{"sessionID":"S","revision":1,"index":\#(index),"totalChunks":\#(total),"data":"\#(data)"}}"#
        #expect(throws: WireError.self) { try message(line) }
    }

    @Test("a film time that no clock face can hold is refused", arguments: ["1e10", "-1e10", "1e300"])
    func absurdTimes(time: String) {
        for kind in ["metadata", "snapshot"] {
            for key in ["currentTime", "duration"] {
                let members = Self.least.first { $0.kind == kind }?.required ?? []
                let changed = members.map { $0.key == key ? (key: key, value: time) : $0 }
                #expect(throws: WireError.self, "\(kind) \(key)") { try message(Self.line(kind, changed)) }
            }
        }
    }

    @Test(
        "a sessionID that is no identifier makes the frame unreadable; a trackID like that is not there",
        arguments: ["", String(repeating: "é", count: 64) + "x"])
    func badIdentifiers(id: String) throws {
        for kind in ["metadata", "snapshot", "cueChunk"] {
            let members = Self.least.first { $0.kind == kind }?.required ?? []
            let changed = members.map { $0.key == "sessionID" ? (key: $0.key, value: "\"\(id)\"") : $0 }
            #expect(throws: WireError.self, "\(kind)") { try message(Self.line(kind, changed)) }
        }
        let tracks = [("activeTrackID", "\"\(id)\""), ("tracks", #"[{"id":"\#(id)"},{"id":"a"}]"#)]
        guard case .metadata(let metadata) = try message(Self.line("metadata", Self.least[1].required + tracks)),
            case .snapshot(let snapshot) = try message(Self.line("snapshot", Self.least[2].required + tracks))
        else { return #expect(Bool(false)) }
        #expect(metadata.activeTrackID == nil && snapshot.activeTrackID == nil)
        #expect(metadata.tracks == [.init(id: "a", label: "")])
    }

    @Test("an identifier of 128 bytes is one")
    func longestIdentifier() throws {
        let id = String(repeating: "é", count: 64)
        let members = Self.least[2].required.map { $0.key == "sessionID" ? (key: $0.key, value: "\"\(id)\"") : $0 }
        guard case .snapshot(let snapshot) = try message(Self.line("snapshot", members)) else {
            return #expect(Bool(false))
        }
        #expect(snapshot.sessionID == id)
    }

    @Test("a kind of a later version is passed over, not an error")
    func unknownKind() throws {
        #expect(try message(#"{"kind":"hologram","payload":{"x":1}}"#) == .unknown(kind: "hologram"))
    }

    @Test("an error code of a later version reads as internal; its text is cleaned")
    func unknownErrorCode() throws {
        #expect(
            try message(#"{"kind":"error","re":1,"payload":{"code":"tooLoud","message":"\u001b[1mQuiet!"}}"#)
                == .error(WireError(.internal, "[1mQuiet!")))
        #expect(try message(#"{"kind":"error"}"#) == .error(WireError(.internal, "")))
    }

    @Test("an authentication of a later version is not taken for none")
    func authentication() throws {
        for (auth, expected) in [
            ("", HostHello.Authentication.none), (#","auth":"none""#, .none), (#","auth":"token""#, .token),
            (#","auth":"passkey""#, .token), (#","auth":null"#, .none), (#","auth":5"#, .token),
        ] {
            let line =
                #"{"kind":"hello","payload":{"protocol":1,"host":{"id":"h"},"serverDate":"2026-03-01T12:34:56Z"\#(auth)}}"#
            guard case .hello(let hello) = try message(line) else { return #expect(Bool(false), "\(line)") }
            #expect(hello.authentication == expected, "\(auth)")
        }
    }

    @Test("a track without an id is passed over; the others stay in order")
    func tracks() throws {
        let metadata = Self.least[1].required + [("tracks", #"[{"id":"b"},{"label":"x"},7,{"id":"a","label":"Dub"}]"#)]
        guard case .metadata(let read) = try message(Self.line("metadata", metadata)) else {
            return #expect(Bool(false))
        }
        #expect(read.tracks == [.init(id: "b", label: ""), .init(id: "a", label: "Dub")])
    }

    @Test("a pong's serverDate is the host's, the rest is what the ping carried")
    func pong() throws {
        #expect(
            try message(#"{"kind":"pong","re":1,"payload":{"sent":12.5,"serverDate":"2026-03-01T12:34:56.789Z"}}"#)
                == .pong(Pong(payload: .object([.init("sent", .number(12.5))]), serverDate: Samples.date)))
    }

    @Test(
        "a host answers a ping that carried no object under the key payload, and never with the asker's own serverDate")
    func pongPayloads() {
        let number = HostMessage.pong(Pong(payload: .integer(5), serverDate: Samples.date)).line()
        #expect(
            number.text
                == "{\"kind\":\"pong\",\"payload\":{\"payload\":5,\"serverDate\":\"2026-03-01T12:34:56.789Z\"}}\n")
        let asker = JSONValue.object([.init("serverDate", .string("mine")), .init("a", .null)])
        let dated = HostMessage.pong(Pong(payload: asker, serverDate: Samples.date)).line()
        #expect(
            dated.text == "{\"kind\":\"pong\",\"payload\":{\"a\":null,\"serverDate\":\"2026-03-01T12:34:56.789Z\"}}\n")
    }
}
