import Foundation
import TestKit
import Testing
import WireProtocol

@Suite("Protocol/schema, by a validator that is not ours")
struct SchemaTests {
    @Test("the schemas conform to the metaschema of 2020-12")
    func metaschema() throws {
        #expect(try SchemaCheck.checkSchemas() == 19)
    }

    @Test("every example line of the pages conforms; the faulty ones do not")
    func examples() throws {
        var questions: [SchemaCheck.Question] = []
        for label in ["host", "remote", "bundle"] {
            let lines = try Examples.lines(label)
            #expect(!lines.isEmpty)
            questions += lines.map { .init(schema: "\(label).json", line: $0) }
        }
        for (question, answer) in zip(questions, try SchemaCheck.answers(questions)) {
            #expect(answer == .valid, "\(question.line)")
        }
        let refused = try Examples.refused()
        let answers = try SchemaCheck.answers(refused.map { .init(schema: "remote.json", line: $0) })
        #expect(answers.allSatisfy { !$0.isValid } && answers.count == refused.count)
    }

    @Test("of the vectors those conform that are read, but for the ones that say otherwise")
    func vectors() throws {
        let single = Vector.all.filter { $0.expectations.count == 1 }
        let questions = single.compactMap { vector -> (Vector, SchemaCheck.Question)? in
            var frames: [LineFramer.Frame] = []
            var framer = LineFramer()
            framer.append(vector.bytes) { frames.append($0) }
            guard case .line(let line) = frames.first, let text = String(validating: line, as: UTF8.self) else {
                return nil
            }
            return (vector, .init(schema: "\(vector.sender.rawValue).json", line: text))
        }
        #expect(questions.count > 200)
        for ((vector, _), answer) in zip(questions, try SchemaCheck.answers(questions.map(\.1))) {
            if answer == .invalid("too deep for this validator") { continue }
            #expect(answer.isValid == vector.conforms, "\(vector.testDescription): \(answer)")
        }
    }

    // MARK: Exact

    private struct Change: Hashable {
        var side: String
        var kind: String
        var path: String
    }

    private static let helloWithToken =
        #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r","name":"R"},"token":"t"}}"#

    @Test("what conforms is read; what is read conforms, but for the places where the page says that readers forgive")
    func exactness() throws {
        let values: [JSON?] = [
            nil, .null, .bool(true), .number(0), .number(-1), .number(1.5), .number(1e12), .text(""), .text("x"),
            .array([]), .array([.number(1)]), .object([:]),
        ]
        var questions: [SchemaCheck.Question] = []
        var changes: [Change] = []
        for side in ["host", "remote"] {
            for example in try Examples.lines(side) + (side == "remote" ? [Self.helloWithToken] : []) {
                let json = try JSON(example)
                let command = json["kind"] == .text("command") ? json["payload"]["kind"].text : nil
                let kind = command ?? json["kind"].text ?? ""
                for path in json.paths where !path.isEmpty && path != ["kind"] {
                    for value in values {
                        let line = try #require(json.replacing(path, by: value)).line
                        questions.append(.init(schema: "\(side).json", line: line))
                        let place = path.map { Int($0) == nil ? $0 : "#" }.joined(separator: ".")
                        changes.append(Change(side: side, kind: kind, path: place))
                    }
                }
            }
        }
        #expect(questions.count > 1_500)
        var forgiven: Set<Change> = []
        for ((question, change), answer) in zip(zip(questions, changes), try SchemaCheck.answers(questions)) {
            let line = Array(question.line.utf8)
            let isRead: Bool
            if change.side == "host" {
                isRead = (try? HostFrame(line: line)) != nil
            } else if case .success = RemoteFrame(line: line).content {
                isRead = true
            } else {
                isRead = false
            }
            if answer.isValid { #expect(isRead, "it conforms, and is not read: \(question.line)") }
            if isRead && !answer.isValid { forgiven.insert(change) }
        }
        let page = Set(
            try Repository.text("Protocol/schema/README.md").matches(of: /\| `(\w+)` `(\w+)` \| ([^|]*) \|/)
                .flatMap { match in
                    match.output.3.split(separator: ",").map { path in
                        Change(
                            side: String(match.output.1), kind: String(match.output.2),
                            path: path.trimmingCharacters(in: ["`", " "]))
                    }
                })
        func list(_ changes: Set<Change>) -> [String] { changes.map { "\($0.side) \($0.kind) \($0.path)" }.sorted() }
        #expect(list(forgiven.subtracting(page)) == [], "forgiven, and not on the page")
        #expect(list(page.subtracting(forgiven)) == [], "on the page, and not forgiven")
    }
}
