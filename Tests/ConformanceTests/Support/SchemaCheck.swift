import Foundation
import TestKit

/// Asks a validator that is not ours whether lines conform to `Protocol/schema`.
enum SchemaCheck {
    struct Question {
        /// A file of `Protocol/schema`.
        var schema: String
        var line: String
    }

    enum Answer: Equatable {
        case valid
        /// Where and why; also for what is no JSON.
        case invalid(String)

        var isValid: Bool { self == .valid }
    }

    /// The answers, in order; by the schemas in `schemas`, where that is a folder.
    static func answers(_ questions: [Question], schemas: String? = nil) throws -> [Answer] {
        let folder = try TemporaryFolder("schema")
        let input = try questions.map { question in
            String(
                decoding: try JSONEncoder().encode(["schema": question.schema, "line": question.line]), as: UTF8.self)
        }
        let file = try folder.file("lines", input.map { $0 + "\n" }.joined())
        let choice = schemas.map { ["--schemas", $0] } ?? []
        let output = try run(
            "sh",
            [
                "-c", #"input=$1; shift; exec "$0" "$@" <"$input""#, Repository.path("Tests/Support/validate-lines"),
                file,
            ]
                + choice)
        let answers = output.split(separator: "\n").map { $0 == "valid" ? Answer.valid : .invalid(String($0)) }
        guard answers.count == questions.count else {
            throw TestFailure("\(questions.count) questions, \(answers.count) answers")
        }
        return answers
    }

    /// The schemas themselves, by the metaschema; gives their number.
    static func checkSchemas() throws -> Int {
        let output = try run(Repository.path("Tests/Support/validate-lines"), ["--check"])
        return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }
}
