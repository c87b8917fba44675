/// How many slips of the finger part two words.
enum EditDistance {
    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    static func between(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var best = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
