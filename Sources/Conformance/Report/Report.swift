package import WireProtocol

/// The checks of one run, as TAP (testanything.org, version 14) and as JSON.
package struct Report: Sendable {
    /// What was tried, such as `host 127.0.0.1:42557`.
    package let subject: String
    package private(set) var checks: [Check] = []

    package init(of subject: String) {
        self.subject = subject
    }

    package var failures: Int { checks.count { $0.hasFailed } }

    /// False also for a run in which nothing was checked.
    package var hasPassed: Bool { failures == 0 && checks.contains { $0.outcome == .passed } }

    /// The line a TAP stream begins with.
    package static let tapHeader = "TAP version 14"
    /// The line a TAP stream ends with.
    package var tapPlan: String { "1..\(checks.count)" }

    /// Adds a check and gives its TAP lines.
    package mutating func add(_ check: Check) -> [String] {
        checks.append(check)
        let title = "\(checks.count) - \(Self.tapText(check.name))"
        switch check.outcome {
        case .passed: return ["ok \(title)"]
        case .skipped(let reason): return ["ok \(title) # SKIP \(Self.tapText(reason))"]
        case .failed(let expected, let got):
            return [
                "not ok \(title)", "  ---", "  expected: \(Self.yaml(expected))", "  got: \(Self.yaml(got))",
                "  section: \(Self.yaml("Protocol/README.md " + check.section))", "  ...",
            ]
        }
    }

    /// The whole run, with its timings in seconds.
    package var json: JSONValue {
        .object([
            .init("subject", .string(subject)), .init("passed", .bool(hasPassed)),
            .init("checks", .array(checks.map(Self.json(of:)))),
        ])
    }

    private static func json(of check: Check) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(check.name)), .init("section", .string(check.section)),
        ]
        switch check.outcome {
        case .passed: members.append(.init("outcome", .string("passed")))
        case .skipped(let reason):
            members += [.init("outcome", .string("skipped")), .init("reason", .string(reason))]
        case .failed(let expected, let got):
            members += [
                .init("outcome", .string("failed")), .init("expected", .string(expected)), .init("got", .string(got)),
            ]
        }
        if !check.timings.isEmpty {
            let timings = check.timings.map { JSONValue.Member($0.name, .number($0.seconds)) }
            members.append(.init("timings", .object(timings)))
        }
        return .object(members)
    }

    /// `#` begins a directive in a TAP line.
    private static func tapText(_ text: String) -> String {
        String(SafeText.line(text).map { $0 == "#" ? "." : $0 })
    }

    /// A JSON text is a YAML one.
    private static func yaml(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(.string(Words.cut(text, 256)))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
