/// What has been found of a query in each cue, one word after the other.
struct Tally {
    enum Quality: Int8 { case inside, prefix, whole }

    private struct Finding {
        /// Of the query, how many are found; a cue that lacks one is out.
        var words: Int16 = 0
        /// Of the word being looked for.
        var best = Quality.inside
        var bestInOrder: Quality?
        /// Of the worst word before it.
        var worst = Quality.whole
        var isInOrder = true
        /// After the last word found in order, and the end of the candidate for the present one.
        var reached = -1
        var reachedNow = -1
        var phrase: CueMatch.Rank?
    }

    private var findings: [Finding]

    init(cues: Int) {
        findings = [Finding](repeating: Finding(), count: cues)
    }

    /// `word` (counted from 0; words come in their order) stands at `offset` of the text.
    mutating func note(_ offset: Int, _ quality: Quality, word: Int, cue: Int) {
        var finding = findings[cue]
        let expected = Int16(word)
        guard finding.words >= expected else { return }
        if finding.words == expected {
            settle(&finding)
            finding.words = expected + 1
            finding.best = quality
        } else if quality.rawValue > finding.best.rawValue {
            finding.best = quality
        }
        if offset > finding.reached, quality.rawValue > finding.bestInOrder?.rawValue ?? -1 {
            finding.bestInOrder = quality
            finding.reachedNow = offset
        }
        findings[cue] = finding
    }

    mutating func notePhrase(_ rank: CueMatch.Rank, cue: Int) {
        if rank < findings[cue].phrase ?? .inside { findings[cue].phrase = rank }
    }

    /// Counts in the word looked for until now.
    private func settle(_ finding: inout Finding) {
        guard finding.words > 0 else { return }
        // In order only where that costs nothing of the words' own quality.
        if let inOrder = finding.bestInOrder, inOrder == finding.best {
            finding.reached = finding.reachedNow
        } else {
            finding.isInOrder = false
        }
        finding.bestInOrder = nil
        if finding.best.rawValue < finding.worst.rawValue { finding.worst = finding.best }
    }

    /// `nil` for the cues that lack a word.
    func ranks(words: Int) -> [CueMatch.Rank?] {
        findings.map { found in
            if let phrase = found.phrase { return phrase }
            guard found.words == words else { return nil }
            var finding = found
            settle(&finding)
            switch (finding.worst, finding.isInOrder) {
            case (.whole, true): return .wordsInOrder
            case (.whole, false): return .words
            case (.prefix, true): return .prefixesInOrder
            case (.prefix, false): return .prefixes
            case (.inside, _): return .inside
            }
        }
    }
}
