package import WireProtocol

/// A cue that was found.
package struct CueMatch: Equatable, Sendable {
    /// What makes a match better than another, the best first; of equal ones the earlier cue is the better.
    package enum Rank: Int, Comparable, Sendable {
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

    /// All cues' words, with a space between any two.
    let text: [UInt8]
    let isWordStart: [Bool]
    /// Where each cue's words begin, and after the last the end.
    let starts: [Int]

    package init(_ cues: [Cue]) {
        var folder = WordFolder()
        folder.reserve(cues.reduce(0) { $0 + $1.text.utf8.count + 1 })
        var starts: [Int] = []
        starts.reserveCapacity(cues.count + 1)
        for cue in cues {
            // A space stands before the first word unless this is the first at all.
            starts.append(folder.bytes.isEmpty ? 0 : folder.bytes.count + 1)
            folder.append(cue.text)
        }
        starts.append(folder.bytes.isEmpty ? 0 : folder.bytes.count + 1)
        text = folder.bytes
        isWordStart = folder.isWordStart
        self.starts = starts
    }

    /// The cues that have all `words`, the best first; none for a query without a letter.
    package func find(_ words: String, limit: Int = .max) -> [CueMatch] {
        let query = Query(words)
        guard !query.words.isEmpty else { return [] }
        var tally = Tally(cues: starts.count - 1)
        for (number, word) in query.words.enumerated() { count(word, number: number, into: &tally) }
        notePhrases(query, in: &tally)
        let ranks = tally.ranks(words: query.words.count)
        var matches = ranks.enumerated().compactMap { place, rank in rank.map { CueMatch(place: place, rank: $0) } }
        matches.sort { ($0.rank, $0.place) < ($1.rank, $1.place) }
        return matches.count > limit ? Array(matches.prefix(limit)) : matches
    }

    private func count(_ word: Query.Word, number: Int, into tally: inout Tally) {
        var cue = 0
        forEachOccurrence(of: word.utf8) { offset in
            let quality = quality(at: offset, length: word.utf8.count)
            guard quality != .inside || word.mayStandInside else { return }
            while starts[cue + 1] <= offset { cue += 1 }
            tally.note(offset, quality, word: number, cue: cue)
        }
    }

    private func notePhrases(_ query: Query, in tally: inout Tally) {
        var cue = 0
        forEachOccurrence(of: query.phrase) { offset in
            let quality = quality(at: offset, length: query.phrase.count)
            guard quality != .inside else { return }
            while starts[cue + 1] <= offset { cue += 1 }
            let crosses = offset + query.phrase.count > starts[cue + 1]
            switch (quality, crosses) {
            case (.whole, false): tally.notePhrase(.phrase, cue: cue)
            case (.whole, true): tally.notePhrase(.phraseAcrossCues, cue: cue)
            default: tally.notePhrase(.unfinishedPhrase, cue: cue)
            }
        }
    }

    private func quality(at offset: Int, length: Int) -> Tally.Quality {
        guard isWordStart[offset] else { return .inside }
        let end = offset + length
        return end == text.count || text[end] == 0x20 || isWordStart[end] ? .whole : .prefix
    }

    /// In the order of the text, overlapping ones included.
    private func forEachOccurrence(of wanted: [UInt8], _ body: (Int) -> Void) {
        guard let first = wanted.first, wanted.count <= text.count else { return }
        text.withUnsafeBufferPointer { text in
            wanted.withUnsafeBufferPointer { wanted in
                for offset in 0...(text.count - wanted.count) where text[offset] == first {
                    var length = 1
                    while length < wanted.count, text[offset + length] == wanted[length] { length += 1 }
                    if length == wanted.count { body(offset) }
                }
            }
        }
    }
}

/// What was typed, folded as the text is.
struct Query {
    struct Word {
        var utf8: [UInt8]
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
            words.append(Word(utf8: Array(word), mayStandInside: letters >= CueIndex.lettersInside))
        }
        phrase = Array(words.map(\.utf8).joined(separator: [0x20]))
    }
}
