internal import WireProtocol

/// What holds for every line that a remote sends, whatever is played.
package enum LineRules {
    /// Checks the lines of all trials of a run.
    package static func checks(of plays: [TrialMachine]) -> [Check] {
        let stages = plays.map(\.stage)
        let checks = [
            check("the first line of every connection is hello", "§4", stages.compactMap(firstLine)),
            check("every line is a frame of the specification, within its limits", "§6", stages.compactMap(badLine)),
            check("the remote's id is the same in every connection", "§6", manyIDs(stages).map { [$0] } ?? []),
            check("every command has an id, and none that still waits for its reply", "§6", stages.compactMap(badID)),
            check("nothing is sent that was not typed", "§1", plays.compactMap(unasked)),
        ]
        guard stages.allSatisfy({ $0.received.isEmpty && $0.oversizeLines == 0 }) else { return checks }
        // Silence breaks no rule, and keeps none.
        return checks.map { Check($0.name, section: $0.section, .skipped(reason: "the remote said nothing")) }
    }

    private static func check(_ name: String, _ section: String, _ faults: [String]) -> Check {
        let outcome: Check.Outcome = faults.first.map { .failed(expected: name, got: $0) } ?? .passed
        return Check("lines: \(name)", section: section, outcome)
    }

    private static func text(_ line: Stage.Received) -> String {
        Words.quoted(line.line)
    }

    private static func firstLine(_ stage: Stage) -> String? {
        var seen: Set<Int> = []
        for line in stage.received where seen.insert(line.connection).inserted {
            if case .success(.hello) = line.frame.content { continue }
            return [Stage.refusal(in: [line]), text(line)].compactMap(\.self).joined(separator: ": ")
        }
        return nil
    }

    private static func badLine(_ stage: Stage) -> String? {
        if stage.oversizeLines > 0 { return "a line past \(Limits.frameBytes) bytes" }
        if stage.hasFlooded { return "more than \(Stage.maximumLines) lines" }
        for line in stage.received {
            if case .failure(let error) = line.frame.content { return "\(error.message) \(text(line))" }
            if let fault = line.value.flatMap(looseFault) { return "\(fault): \(text(line))" }
        }
        return nil
    }

    /// What a reader forgives, and a sender does not do.
    private static func looseFault(_ frame: JSONValue) -> String? {
        let payload = frame["payload"]
        if let payload, case .object = payload {} else if payload != nil { return "a payload that is no object" }
        guard frame["kind"]?.stringValue == "hello" else { return nil }
        if let name = payload?["remote"]?["name"], name.stringValue == nil { return "a remote.name that is no text" }
        if let token = payload?["token"], token.stringValue == nil { return "a token that is no text" }
        return nil
    }

    private static func manyIDs(_ stages: [Stage]) -> String? {
        let ids = Set(stages.flatMap { $0.hellos.map(\.hello.remoteID) })
        return ids.count > 1 ? "\(ids.count) ids: " + ids.sorted().prefix(3).joined(separator: ", ") : nil
    }

    private static func badID(_ stage: Stage) -> String? {
        for line in stage.received where line.isCommand {
            guard let id = line.frame.id else { return "no id: \(text(line))" }
            if line.idsWaiting.contains(id) { return "an id that waits: \(text(line))" }
        }
        return nil
    }

    private static func unasked(_ play: TrialMachine) -> String? {
        guard play.trial.need == .nothing else { return nil }
        return play.stage.received.first { $0.isCommand && !$0.isPull }.map(text)
    }
}
