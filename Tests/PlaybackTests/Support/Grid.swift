import Testing

/// A table with one line for each situation: `situation | actions | what remotes then see`.
struct Grid {
    private var rows: [(situation: Situation, expected: String)] = []

    init(_ table: String) {
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: "|", maxSplits: 1).map { $0.trimmed }
            guard cells.count == 2, let situation = Situation(rawValue: cells[0]) else {
                Issue.record("no row of a grid: \(line)")
                continue
            }
            rows.append((situation, cells[1]))
        }
        #expect(Set(rows.map(\.situation)).count == Situation.allCases.count, "a grid has every situation")
    }

    /// Runs `step` in every situation and compares what comes of it with the table.
    func check(_ step: (inout Rig) -> String) {
        for row in rows {
            var rig = row.situation.rig
            let actions = step(&rig)
            #expect("\(actions) | \(rig.view)" == row.expected, "\(row.situation)")
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
