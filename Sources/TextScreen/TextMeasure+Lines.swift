/// Making text fit.
extension TextMeasure {
    /// The beginning of `text` (as `shown` makes it) that fits into `columns`, ended by `…` where some is missing.
    package func cut(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard self.columns(text) > columns else { return text }
        // Two columns in terminals set up for East Asia.
        let mark = "…"
        let room = columns - self.columns(mark)
        guard room >= 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let wide = self.columns(character)
            if used + wide > room { break }
            kept.append(character)
            used += wide
        }
        return kept + mark
    }

    /// `text` broken at spaces into lines of at most `columns`; a word that is longer is broken where it has to be.
    ///
    /// At most `limit` lines; the last ends in `…` where more would follow.
    package func wrapped(_ text: String, to columns: Int, limit: Int) -> [String] {
        guard columns > 0, limit > 0 else { return [] }
        var lines: [String] = []
        for paragraph in text.split(separator: "\n") {
            var line = ""
            for word in shown(String(paragraph)).split(separator: " ") {
                if !line.isEmpty, self.columns(line) + 1 + self.columns(word) <= columns {
                    line += " " + word
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                line = String(word)
                while self.columns(line) > columns, lines.count <= limit {
                    let head = beginning(of: line, columns: columns)
                    lines.append(head)
                    line.removeFirst(head.count)
                }
                if lines.count > limit { break }
            }
            if !line.isEmpty { lines.append(line) }
            if lines.count > limit { break }
        }
        guard lines.count > limit else { return lines }
        var kept = Array(lines[..<limit])
        kept[limit - 1] = cut(kept[limit - 1] + " …", to: columns)
        return kept
    }

    /// The most characters that fit, at least one.
    private func beginning(of text: String, columns: Int) -> String {
        var kept = ""
        var used = 0
        for character in text {
            used += self.columns(character)
            if used > columns, !kept.isEmpty { break }
            kept.append(character)
        }
        return kept
    }
}
