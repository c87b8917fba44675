import Testing
import WireProtocol

@Suite("Commands and their arguments")
struct CommandTests {
    /// For each kind of argument: JSON texts that are right, and ones that are wrong for this reason.
    private struct Cases {
        var key: String
        var good: [String]
        var bad: [String]
        var isOptional = false

        init(_ argument: CommandTable.Argument) {
            switch argument {
            case .seconds(let key):
                self.key = key
                good = ["0", "-0", "5", "-3", "0.5", "-1.25e2", "1e300", "9007199254740993"]
                bad = ["\"5\"", "true", "[5]", "{}", "\"\""]
            case .fraction(let key):
                self.key = key
                good = ["0", "1", "0.5", "1.0", "1e-9", "-0.0"]
                bad = ["-0.01", "1.01", "100", "-1", "1e300", "\"0.5\"", "false", "[0.5]", "{}"]
            case .identifier(let key), .optionalIdentifier(let key):
                self.key = key
                if case .optionalIdentifier = argument { isOptional = true }
                good = ["\"a\"", "\"\(String(repeating: "é", count: 64))\"", "\"}\\n{\"", "\"🎬\""]
                bad = ["\"\"", "\"\(String(repeating: "é", count: 64))x\"", "1", "true", "[\"a\"]", "{}"]
            case .count(let key):
                self.key = key
                good = ["0", "1", "2.0", "9223372036854775807"]
                bad = ["-1", "0.5", "9223372036854775808", "1e300", "\"1\"", "true", "[1]", "{}"]
            }
        }
    }

    private func result(_ name: String, _ arguments: [(key: String, value: String)]) -> Result<RemoteMessage, WireError>
    {
        let members = [("kind", "\"\(name)\"")] + arguments.map { ($0.key, $0.value) }
        let payload = members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return RemoteFrame(line: Array(#"{"kind":"command","id":1,"payload":{\#(payload)}}"#.utf8)).content
    }

    private func code(_ result: Result<RemoteMessage, WireError>) -> WireError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test("the list is the documented one, in its order")
    func names() {
        #expect(
            CommandTable.entries.map(\.name) == [
                "play", "pause", "togglePlayPause", "skip", "seek", "switchTrack", "setVolume", "requestCueChunk",
                "describe",
            ])
    }

    @Test("every command with every right argument is accepted and means the same when written again")
    func accepted() throws {
        for entry in CommandTable.entries {
            let cases = entry.arguments.map(Cases.init)
            let usual = cases.map { (key: $0.key, value: $0.good[0]) }
            for place in cases.indices {
                for value in cases[place].good {
                    var arguments = usual
                    arguments[place].value = value
                    let message = try result(entry.name, arguments).get()
                    #expect(RemoteFrame(line: message.line().dropLast()).content == .success(message), "\(value)")
                }
            }
            _ = try result(entry.name, usual + [("later", "{}")]).get()
        }
    }

    @Test("every command with any argument missing, null, ill-typed or out of range is an invalid argument, by name")
    func refused() {
        var count = 0
        for entry in CommandTable.entries {
            let cases = entry.arguments.map(Cases.init)
            let usual = cases.map { (key: $0.key, value: $0.good[0]) }
            for place in cases.indices {
                let missing: [String?] = cases[place].isOptional ? [] : [nil, "null"]
                for value in missing + cases[place].bad.map(Optional.some) {
                    var arguments = usual
                    if let value { arguments[place].value = value } else { arguments.remove(at: place) }
                    let result = result(entry.name, arguments)
                    #expect(
                        code(result) == .invalidArgument, "\(entry.name) \(cases[place].key) = \(value ?? "missing")")
                    if case .failure(let error) = result { #expect(error.message.contains(cases[place].key)) }
                    count += 1
                }
            }
        }
        #expect(count > 50)
    }

    @Test("arguments arrive as what they say")
    func meanings() throws {
        #expect(try result("skip", [("seconds", "-0.5")]).get() == .command(.skip(seconds: -0.5)))
        #expect(try result("seek", [("time", "61")]).get() == .command(.seek(time: 61)))
        #expect(try result("switchTrack", [("trackID", "\"T\"")]).get() == .command(.switchTrack(trackID: "T")))
        #expect(try result("setVolume", [("volume", "0.25")]).get() == .command(.setVolume(0.25)))
        #expect(
            try result("requestCueChunk", [("index", "2"), ("sessionID", "\"S\""), ("revision", "7")]).get()
                == .command(.requestCueChunk(CueChunkRequest(sessionID: "S", revision: 7, index: 2))))
        #expect(try result("describe", []).get() == .command(.describe(name: nil)))
        #expect(try result("describe", [("name", "null")]).get() == .command(.describe(name: nil)))
        #expect(try result("describe", [("name", "\"host.json\"")]).get() == .command(.describe(name: "host.json")))
        for (name, command) in [("play", Command.play), ("pause", .pause), ("togglePlayPause", .togglePlayPause)] {
            #expect(try result(name, []).get() == .command(command))
        }
    }

    @Test("names count by letter", arguments: ["", "Play", "play ", "stop", "toggle", "quit", "p\\u006cay2"])
    func unknown(name: String) {
        #expect(code(result(name, [])) == .unknownCommand)
    }

    @Test("an escaped letter is the same letter")
    func escapedName() throws {
        #expect(try result("p\\u006cay", []).get() == .command(.play))
    }

    @Test(
        "a command whose payload is missing or has no kind is malformed",
        arguments: [
            "", #","payload":null"#, #","payload":{}"#, #","payload":"play""#, #","payload":["play"]"#,
            #","payload":{"kind":1}"#,
            #","payload":{"kind":null}"#,
        ])
    func noKind(payload: String) {
        #expect(code(RemoteFrame(line: Array(#"{"kind":"command"\#(payload)}"#.utf8)).content) == .malformed)
    }
}
