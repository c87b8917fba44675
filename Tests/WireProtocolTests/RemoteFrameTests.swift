import Testing
import WireProtocol

@Suite("What a host reads from a remote")
struct RemoteFrameTests {
    private func frame(_ text: String) -> RemoteFrame { RemoteFrame(line: Array(text.utf8)) }

    private func code(_ text: String) -> WireError.Code? {
        if case .failure(let error) = frame(text).content { error.code } else { nil }
    }

    private func hello(_ payload: String) -> RemoteHello? {
        if case .success(.hello(let hello)) = frame(#"{"kind":"hello","payload":\#(payload)}"#).content {
            hello
        } else {
            nil
        }
    }

    // MARK: Envelope

    @Test(
        "what is no frame is malformed",
        arguments: [
            "", "x", "GET / HTTP/1.1", "{", "{}x", "[]", "1", "null", "\"hello\"", "{}", #"{"kind":1}"#,
            #"{"kind":null}"#,
            #"{"kind":["ping"]}"#, #"{"payload":{}}"#, #"{"kind":"ping","payload":{"at":1e999}}"#,
            #"{"kind":"ping","payload":NaN}"#,
        ])
    func malformed(text: String) {
        #expect(code(text) == .malformed)
    }

    @Test(
        "a kind that is not in the list is told so, by name", arguments: ["", "Ping", "snapshot", "metadata", "play"])
    func unknownKind(kind: String) {
        let frame = frame(#"{"kind":"\#(kind)","id":5}"#)
        #expect(frame.id == .integer(5))
        #expect(frame.content == .failure(WireError(.unknownKind, "There is no kind \(kind).")))
    }

    @Test("what a peer wrote comes back in an error only cut and cleaned")
    func safeErrors() {
        let frame = frame(#"{"kind":"\u001b[31m\#(String(repeating: "x", count: 500))\n"}"#)
        guard case .failure(let error) = frame.content else { return #expect(Bool(false)) }
        #expect(error.message.count < 80)
        #expect(!error.message.unicodeScalars.contains("\u{1B}"))
    }

    @Test("the order of keys means nothing, unknown ones are passed over, of equal ones the last counts")
    func keys() {
        #expect(
            frame(#"{"payload":{"seconds":9,"kind":"skip","seconds":1,"why":{}},"id":1,"x":[1],"kind":"command"}"#)
                == RemoteFrame(id: .integer(1), content: .success(.command(.skip(seconds: 1)))))
    }

    @Test("an error still carries the id where that was legible")
    func idOfFaultyFrame() {
        #expect(frame(#"{"id":"a","kind":"command","payload":{"kind":"fly"}}"#).id == .text("a"))
        #expect(frame(#"{"id":"a","kind":7}"#).id == .text("a"))
        #expect(frame(#"{"id":"a","kind":"#).id == nil)
    }

    // MARK: Hello

    @Test("a hello needs its protocol and who it is; a name may be missing")
    func leastHello() {
        #expect(hello(#"{"protocol":1,"remote":{"id":"r"}}"#) == RemoteHello(remoteID: "r", remoteName: ""))
        #expect(hello(#"{"protocol":1,"remote":{"id":"r","name":7}}"#) == RemoteHello(remoteID: "r", remoteName: ""))
        #expect(hello(#"{"protocol":2.0,"remote":{"id":"r"}}"#)?.protocolVersion == 2)
    }

    @Test("null for a part that may be missing is the same as missing")
    func nullParts() {
        #expect(
            hello(#"{"protocol":1,"remote":{"id":"r","name":null},"token":null,"cues":null}"#)
                == RemoteHello(remoteID: "r", remoteName: ""))
    }

    @Test(
        "a hello without them is an invalid argument",
        arguments: [
            "{}", "1", #"{"protocol":1}"#, #"{"remote":{"id":"r"}}"#, #"{"protocol":"1","remote":{"id":"r"}}"#,
            #"{"protocol":1.5,"remote":{"id":"r"}}"#, #"{"protocol":null,"remote":{"id":"r"}}"#,
            #"{"protocol":1,"remote":"r"}"#,
            #"{"protocol":1,"remote":{}}"#, #"{"protocol":1,"remote":{"id":""}}"#, #"{"protocol":1,"remote":{"id":5}}"#,
            #"{"protocol":1,"remote":{"id":"\#(String(repeating: "é", count: 65))"}}"#,
            #"{"protocol":1,"remote":{"id":"r"},"cues":{}}"#, #"{"protocol":1,"remote":{"id":"r"},"cues":"d"}"#,
            #"{"protocol":1,"remote":{"id":"r"},"cues":{"sessionID":"S"}}"#,
            #"{"protocol":1,"remote":{"id":"r"},"cues":{"sessionID":"S","digest":1}}"#,
        ])
    func badHello(payload: String) {
        #expect(code(#"{"kind":"hello","payload":\#(payload)}"#) == .invalidArgument)
    }

    @Test("a remote's id may have 128 bytes")
    func longestRemoteID() {
        let id = String(repeating: "é", count: 64)
        #expect(hello(#"{"protocol":1,"remote":{"id":"\#(id)"}}"#)?.remoteID == id)
    }

    @Test("a name is cut to 64 characters and cleaned as it is read")
    func remoteName() {
        #expect(
            hello(#"{"protocol":1,"remote":{"id":"r","name":"\u001b[2J Kitchen\n\u202ephone"}}"#)?.remoteName
                == "[2J Kitchen phone")
        let long = String(repeating: "n", count: 1_000)
        #expect(hello(#"{"protocol":1,"remote":{"id":"r","name":"\#(long)"}}"#)?.remoteName.count == 64)
    }

    // MARK: Ping, pong, goodbye

    @Test("a ping may carry anything; without a payload it carries an empty object")
    func ping() {
        #expect(frame(#"{"kind":"ping"}"#).content == .success(.ping(.object([]))))
        #expect(
            frame(#"{"kind":"ping","payload":[1,"a"]}"#).content
                == .success(.ping(.array([.integer(1), .string("a")]))))
    }

    @Test("a pong's payload stays as it is, a date in it too")
    func pong() {
        let payload = JSONValue.object([.init("serverDate", .string("2026-03-01T12:34:56.789Z"))])
        #expect(
            frame(#"{"kind":"pong","re":1,"payload":{"serverDate":"2026-03-01T12:34:56.789Z"}}"#).content
                == .success(.pong(Pong(payload: payload))))
    }

    @Test("a goodbye needs no reason")
    func goodbye() {
        #expect(frame(#"{"kind":"goodbye"}"#).content == .success(.goodbye(.other(""))))
        #expect(frame(#"{"kind":"goodbye","payload":{"reason":"finished"}}"#).content == .success(.goodbye(.finished)))
        #expect(frame(#"{"kind":"goodbye","payload":{"reason":5}}"#).content == .success(.goodbye(.other(""))))
    }

    @Test("no line whatever stops the reader")
    func damagedLines() {
        var generator = SeededGenerator(seed: 10)
        let lines = Samples.remote.map { $0.line(id: .integer(1)) }
        for _ in 0..<5_000 {
            guard var line = lines.randomElement(using: &generator) else { return }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                line[Int.random(in: line.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = RemoteFrame(line: line)
            _ = try? HostFrame(line: line)
        }
    }
}
