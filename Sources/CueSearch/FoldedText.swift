internal import WireProtocol

/// All cues' words in one row, folded, with a space between any two.
struct FoldedText: Sendable {
    enum Quality: Int { case inside, prefix, whole }

    let bytes: [UInt8]
    let isWordStart: [Bool]
    /// Where each cue's words begin, and after the last the end; a cue without words begins where the next one does.
    let starts: [Int]
    /// How often each byte stands in the text.
    private let counts: [Int]

    var cueCount: Int { starts.count - 1 }

    init(_ cues: [Cue]) {
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
        self.starts = starts
        bytes = folder.bytes
        isWordStart = folder.isWordStart
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        self.counts = counts
    }

    /// No word stands more often in the text than its rarest byte.
    func frequency(of word: [UInt8]) -> Int {
        word.reduce(Int.max) { min($0, counts[Int($1)]) }
    }

    func has(_ wanted: [UInt8], at offset: Int) -> Bool {
        offset + wanted.count <= bytes.count && wanted.indices.allSatisfy { bytes[offset + $0] == wanted[$0] }
    }

    func quality(at offset: Int, length: Int) -> Quality {
        guard isWordStart[offset] else { return .inside }
        let end = offset + length
        return end == bytes.count || bytes[end] == 0x20 || isWordStart[end] ? .whole : .prefix
    }

    /// In the order of the text, overlapping ones included.
    func forEachOccurrence(of wanted: [UInt8], in range: Range<Int>, _ body: (Int) -> Void) {
        guard !wanted.isEmpty, wanted.count <= range.count,
            let anchor = wanted.indices.min(by: { counts[Int(wanted[$0])] < counts[Int(wanted[$1])] })
        else { return }
        let rare = wanted[anchor]
        let all = UInt64(rare) &* 0x0101_0101_0101_0101
        let end = range.upperBound - wanted.count + anchor
        bytes.withUnsafeBytes { text in
            var place = range.lowerBound + anchor
            while place <= end {
                // Eight bytes at once: one of them is zero where the byte looked for stands (Warren, Hacker's Delight §6-1).
                while place + 8 <= text.count {
                    let differences = text.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ all
                    if (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080 != 0 { break }
                    place += 8
                }
                while place <= end, text[place] != rare { place += 1 }
                guard place <= end else { return }
                if has(wanted, at: place - anchor) { body(place - anchor) }
                place += 1
            }
        }
    }

    /// The rank by words alone of a cue that has all of them; `nil` where one is missing.
    func rank(of words: [Query.Word], cue: Int) -> CueMatch.Rank? {
        // The space before the next cue's first word belongs to none.
        let range = starts[cue]..<max(starts[cue], starts[cue + 1] - 1)
        var worst = Quality.whole
        var isInOrder = true
        var reached = -1
        for word in words {
            var best: Quality?
            var bestInOrder: (quality: Quality, offset: Int)?
            forEachOccurrence(of: word.utf8, in: range) { offset in
                let quality = quality(at: offset, length: word.utf8.count)
                guard quality != .inside || word.mayStandInside else { return }
                if quality.rawValue > best?.rawValue ?? -1 { best = quality }
                if offset > reached, quality.rawValue > bestInOrder?.quality.rawValue ?? -1 {
                    bestInOrder = (quality, offset)
                }
            }
            guard let best else { return nil }
            // In order only where that costs nothing of the word's own quality.
            if let bestInOrder, bestInOrder.quality == best {
                reached = bestInOrder.offset
            } else {
                isInOrder = false
            }
            if best.rawValue < worst.rawValue { worst = best }
        }
        switch (worst, isInOrder) {
        case (.whole, true): return .wordsInOrder
        case (.whole, false): return .words
        case (.prefix, true): return .prefixesInOrder
        case (.prefix, false): return .prefixes
        case (.inside, _): return .inside
        }
    }
}
