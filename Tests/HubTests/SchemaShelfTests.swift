import Hub
import Testing
import WireProtocol

@Suite("The schemas that a host hands out")
struct SchemaShelfTests {
    private func names() throws -> [String] {
        guard case .names(let names) = try SchemaShelf.answer(name: nil).get() else { return [] }
        return names
    }

    @Test("without a name all names are told, each once, in order")
    func listing() throws {
        let names = try names()
        #expect(names.count == 19 && names == names.sorted() && Set(names).count == 19)
        #expect(Set(["host.json", "remote.json", "bundle.json", "host/schema.json"]).isSubset(of: names))
    }

    @Test("each name gives its schema: one line of JSON whose $id ends in the name")
    func schemas() throws {
        for name in try names() {
            guard case .schema(name, let text) = try SchemaShelf.answer(name: name).get() else {
                Issue.record("no schema \(name)")
                continue
            }
            #expect(!text.contains("\n"))
            // Deeper than a frame may be, which is why it travels as a text.
            let schema = try JSONReader.value(of: Array(text.utf8), maximumDepth: 64)
            #expect(schema["$id"]?.stringValue == "https://allspeak.invalid/protocol/1/" + name)
        }
    }

    @Test(
        "any other name is an invalid argument, told safely",
        arguments: ["", "host", "HOST.JSON", "host.json ", "../README.md", "host/../host.json", "\u{1B}[31m"])
    func unknown(name: String) throws {
        guard case .failure(let error) = SchemaShelf.answer(name: name) else {
            throw TestProblem("\(name) was found")
        }
        #expect(error.code == .invalidArgument)
        #expect(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("no answer is longer than a frame, whatever its id")
    func length() throws {
        let id = MessageID.text(String(repeating: "\u{1}", count: Limits.identifierBytes))
        for name in [nil] + (try names()).map(Optional.some) {
            let line = HostMessage.schema(try SchemaShelf.answer(name: name).get()).line(re: id)
            #expect(line.count <= Limits.frameBytes)
        }
    }

    @Test("a connection answers describe itself, before and after hello, in the order of the questions")
    func connection() throws {
        var peer = Peer()
        let all = #"{"kind":"command","id":1,"payload":{"kind":"describe"}}"# + "\n"
        let one = #"{"kind":"command","id":2,"payload":{"kind":"describe","name":"host.json"}}"# + "\n"
        let none = #"{"kind":"command","id":3,"payload":{"kind":"describe","name":"x"}}"# + "\n"
        #expect(peer.send(all + Line.ping + one + none) == [])
        #expect(
            try peer.readWords() == [
                "hello", "schema 1 of 19", "pong 2", "schema 2 host.json", "error 3 invalidArgument",
            ])
        _ = peer.send(Line.hello)
        #expect(peer.send(one) == [])
        #expect(try peer.readWords() == ["schema 2 host.json"])
    }

    @Test("describe counts as a command, and a wrong name as a faulty frame")
    func limits() throws {
        var peer = Peer()
        let none = #"{"kind":"command","payload":{"kind":"describe","name":"x"}}"# + "\n"
        for _ in 1..<Limits.faultyFramesInARow { #expect(peer.send(none) == []) }
        #expect(peer.send(none) == [.close(reason: "too many faulty frames")])

        var greedy = Peer()
        for _ in 0..<Limits.commandBurst {
            _ = greedy.send(#"{"kind":"command","payload":{"kind":"describe"}}"# + "\n")
            _ = try greedy.read()
        }
        #expect(greedy.send(Line.play) == [])
        #expect(try greedy.readWords() == ["error 1 tooManyRequests"])
    }
}
