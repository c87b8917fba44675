import Foundation
import Hub
import TestKit
import Testing
import WireProtocol

@Suite("A host describes itself")
struct DescribeTests {
    /// The files of `Protocol/schema` by their paths there.
    private func files() throws -> [String: String] {
        let folder = Repository.folder("Protocol/schema")
        let names = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".json") }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Repository.text("Protocol/schema/\($0)")) })
    }

    @Test("the schemas in the host are those of Protocol/schema; if not, run Tests/Support/embed-schemas")
    func upToDate() throws {
        _ = try run(Repository.path("Tests/Support/embed-schemas"), ["--check"])
    }

    @Test("a stranger gets every schema over the wire, and with them checks what this very host says")
    func overTheWire() throws {
        let host = try PlayingHost()
        let client = try RawClient(port: host.port)
        #expect(try client.message("hello")["payload"]["features"].array?.contains(.text("describe")) == true)
        client.send(#"{"kind":"command","id":1,"payload":{"kind":"describe"}}"#)
        let names = try #require(try client.reply(to: 1)["payload"]["names"].array).compactMap(\.text)
        let files = try files()
        #expect(names == files.keys.sorted())

        let folder = try TemporaryFolder("schemas")
        for (place, name) in names.enumerated() {
            client.send(#"{"kind":"command","id":\#(place + 2),"payload":{"kind":"describe","name":"\#(name)"}}"#)
            let payload = try client.reply(to: place + 2)["payload"]
            #expect(payload["name"].text == name)
            let schema = try #require(payload["schema"].text)
            #expect(try JSON(schema) == JSON(files[name] ?? ""), "\(name)")
            _ = try folder.folder((name as NSString).deletingLastPathComponent)
            try folder.file(name, schema)
        }

        client.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"stranger"}}}"#)
        client.send(#"{"kind":"command","id":100,"payload":{"kind":"play"}}"#)
        client.send(#"{"kind":"command","id":101,"payload":{"kind":"rewind"}}"#)
        client.send(#"{"kind":"ping","id":102,"payload":{}}"#)
        _ = try client.reply(to: 102)
        _ = try client.message("cueChunk")
        let lines = client.log.lines.map(\.text)
        let questions = lines.map { SchemaCheck.Question(schema: "host.json", line: $0) }
        for (question, answer) in zip(questions, try SchemaCheck.answers(questions, schemas: folder.path)) {
            #expect(answer == .valid, "\(question.line)")
        }
        let kinds = Set(try lines.map { try JSON($0)["kind"].text })
        #expect(kinds == ["hello", "schema", "metadata", "snapshot", "cueChunk", "error", "pong"])
        // They are schemas that can say no.
        let broken = lines.map { line in
            SchemaCheck.Question(
                schema: "host.json",
                line: line.replacing("\"payload\":{", with: "\"payload\":{\"later\":{},").replacing(
                    "\"serverDate\":\"", with: "\"serverDate\":\"~"))
        }
        let answers = try SchemaCheck.answers(broken, schemas: folder.path)
        for (line, answer) in zip(lines, answers) {
            #expect(answer.isValid != line.contains("\"serverDate\":"), "\(line)")
        }
    }

    @Test("without a session it describes itself as well")
    func withoutSession() throws {
        var machine = ConnectionMachine(greeting: [], now: SteadyTime(nanoseconds: 0))
        machine.receive(
            Array("{\"kind\":\"command\",\"payload\":{\"kind\":\"describe\"}}\n".utf8), now: SteadyTime(nanoseconds: 1))
        let actions = machine.nextActions(now: SteadyTime(nanoseconds: 1), date: WireDate(milliseconds: 0))
        #expect(actions == [])
        let line = String(decoding: machine.nextOutput() ?? [], as: UTF8.self)
        #expect(try JSON(line)["payload"]["names"].array?.count == (try files()).count)
    }

    @Test("the examples of the page are what a host answers, and says of itself")
    func examples() throws {
        let asked = try Examples.lines("remote").filter { $0.contains("\"describe\"") }
        var machine = ConnectionMachine(greeting: [], now: SteadyTime(nanoseconds: 0))
        let now = SteadyTime(nanoseconds: 1)
        machine.receive(Array(asked.map { $0 + "\n" }.joined().utf8), now: now)
        while machine.nextActions(now: now, date: WireDate(milliseconds: 0)) != nil {}
        let said = String(decoding: machine.nextOutput() ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(try Examples.lines("host").filter { $0.contains("\"kind\":\"schema\",") } == said && said.count == 2)

        let host = try PlayingHost()
        let hello = try RawClient(port: host.port).message("hello")["payload"]
        let example = try #require(try Examples.lines("host").first { $0.contains("\"features\"") })
        #expect(try JSON(example)["payload"]["features"] == hello["features"])
    }

    @Test("the page's shell line prints a schema")
    func shellLine() throws {
        let page = try Repository.text("Protocol/README.md")
        let block = try #require(page.firstMatch(of: /```sh\n(.*)\n```/)?.output.1)
        let host = try PlayingHost()
        let line = block.replacing("42557", with: "\(host.port)")
        #expect(line != block)
        let shell = try Client(["/bin/bash", "-c", String(line)])
        #expect(try shell.ended() == 0)
        #expect(try JSON(shell.output.text) == JSON(Repository.text("Protocol/schema/host/snapshot.json")))
    }
}
