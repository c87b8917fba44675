package import WireProtocol

/// A cue that was found.
package struct CueMatch: Equatable, Sendable {
    /// What makes a match better than another, the best first; of equal ones the earlier cue is the better.
    package enum Rank: Int, Comparable, CaseIterable, Sendable {
        /// The words stand in a row, all of them whole.
        case phrase
        /// The same, from one cue into the next.
        case phraseAcrossCues
        /// In a row, the last word not yet typed to its end.
        case unfinishedPhrase
        case wordsInOrder
        case words
        /// Some are only the beginning of a word.
        case prefixesInOrder
        case prefixes
        /// Some stand in the middle of a word.
        case inside

        package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// In the list that was indexed, counted from 0.
    package var place: Int
    package var rank: Rank

    package init(place: Int, rank: Rank) {
        self.place = place
        self.rank = rank
    }
}

/// Finds cues by what is said in them, whatever the case, the accents and the width of the letters.
///
/// A cue is found when it has every word of the query; `CueMatch.Rank` is the order. Words are what stands between
/// spaces and punctuation; in scripts without spaces (Chinese, Japanese, Thai) any run of letters is one. An index of
/// 5 000 cues is made once, in some milliseconds; then every key of a query is answered by one pass over the text.
package struct CueIndex: Sendable {
    /// Of a query; what is longer is cut.
    package static let maximumWords = 16
    package static let maximumQueryScalars = 256
    /// Letters from which on a word is also looked for in the middle of others.
    static let lettersInside = 3

    private let text: FoldedText

    package init(_ cues: [Cue]) {
        text = FoldedText(cues)
    }

    /// Whether there is a word in `words`: something else than spaces and punctuation.
    package static func canFind(_ words: String) -> Bool { !Query(words).words.isEmpty }

    /// The cues that have all `words`, the best first; none for a query without a letter.
    package func find(_ words: String, limit: Int = .max) -> [CueMatch] {
        let query = Query(words)
        // The rarest word leads to the few cues in which the others are worth looking for.
        guard let rarest = query.words.indices.min(by: { isRarer(query.words[$0], query.words[$1]) }) else { return [] }
        var ranks = [CueMatch.Rank?](repeating: nil, count: text.cueCount)
        func note(_ rank: CueMatch.Rank?, cue: Int) {
            guard let rank, rank < ranks[cue] ?? .inside || ranks[cue] == nil else { return }
            ranks[cue] = rank
        }
        var (cue, judged) = (0, -1)
        text.forEachOccurrence(of: query.words[rarest].utf8, in: 0..<text.bytes.count) { offset in
            while text.starts[cue + 1] <= offset { cue += 1 }
            if let (rank, first) = phrase(query, at: offset - query.words[rarest].offset, cue: cue) {
                note(rank, cue: first)
            }
            if cue != judged {
                judged = cue
                note(text.rank(of: query.words, cue: cue), cue: cue)
            }
        }
        return Self.sorted(ranks, limit: limit)
    }

    private func isRarer(_ left: Query.Word, _ right: Query.Word) -> Bool {
        text.frequency(of: left.utf8) < text.frequency(of: right.utf8)
    }

    /// Whether the whole phrase stands at `offset`, and in which cue it begins; `cue` is one that it reaches into.
    private func phrase(_ query: Query, at offset: Int, cue: Int) -> (CueMatch.Rank, cue: Int)? {
        guard offset >= 0, text.has(query.phrase, at: offset) else { return nil }
        let quality = text.quality(at: offset, length: query.phrase.count)
        guard quality != .inside else { return nil }
        var first = cue
        while text.starts[first] > offset { first -= 1 }
        // Cues without a letter begin where the next one does.
        let crosses = offset + query.phrase.count > text.starts[first + 1]
        if quality == .prefix { return (.unfinishedPhrase, first) }
        return (crosses ? .phraseAcrossCues : .phrase, first)
    }

    /// Counted out by rank, since a letter alone may be found in thousands.
    private static func sorted(_ ranks: [CueMatch.Rank?], limit: Int) -> [CueMatch] {
        var matches: [CueMatch] = []
        for rank in CueMatch.Rank.allCases {
            for (place, found) in ranks.enumerated() where found == rank {
                if matches.count >= limit { return matches }
                matches.append(CueMatch(place: place, rank: rank))
            }
        }
        return matches
    }
}

/// What was typed, folded as the text is.
struct Query {
    struct Word {
        var utf8: [UInt8]
        /// In the phrase.
        var offset: Int
        var mayStandInside: Bool
    }

    private(set) var words: [Word] = []
    /// The words in a row.
    private(set) var phrase: [UInt8] = []

    init(_ typed: String) {
        var folder = WordFolder()
        folder.append(String(String.UnicodeScalarView(typed.unicodeScalars.prefix(CueIndex.maximumQueryScalars))))
        for word in folder.bytes.split(separator: 0x20).prefix(CueIndex.maximumWords) {
            let letters = word.count { $0 & 0xC0 != 0x80 }
            if !phrase.isEmpty { phrase.append(0x20) }
            words.append(
                Word(utf8: Array(word), offset: phrase.count, mayStandInside: letters >= CueIndex.lettersInside))
            phrase += word
        }
    }
}
