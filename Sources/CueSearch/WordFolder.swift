/// Folds text into words: lower-case, without accents, one space between them.
struct WordFolder {
    /// What one scalar becomes; a film has few different ones, and each takes a microsecond to fold.
    private struct Folded {
        var utf8: [UInt8]
        var partsWords = false
        var isApostrophe = false
        var isUnspaced = false
    }

    private var known: [Unicode.Scalar: Folded] = [:]
    private(set) var bytes: [UInt8] = []
    /// For each of `bytes` whether a word begins there.
    private(set) var isWordStart: [Bool] = []
    private var owesSpace = false
    private var beginsWord = true

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
        isWordStart.reserveCapacity(count)
    }

    /// Appends `text`, parted from what stands before it.
    mutating func append(_ text: String) {
        endWord()
        for scalar in text.unicodeScalars {
            if (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value) {
                append(UInt8(truncatingIfNeeded: scalar.value), isStart: false)
            } else {
                append(folded(scalar))
            }
        }
        endWord()
    }

    private mutating func append(_ folded: Folded) {
        if folded.isApostrophe {
            // What follows an apostrophe can be looked for by itself: l'homme.
            if !owesSpace { beginsWord = true }
        } else if folded.partsWords {
            endWord()
        } else {
            for (place, byte) in folded.utf8.enumerated() { append(byte, isStart: place == 0 && folded.isUnspaced) }
        }
    }

    private mutating func append(_ byte: UInt8, isStart: Bool) {
        if owesSpace {
            bytes.append(0x20)
            isWordStart.append(false)
            owesSpace = false
        }
        bytes.append(byte)
        isWordStart.append(isStart || beginsWord)
        beginsWord = false
    }

    private mutating func endWord() {
        owesSpace = !bytes.isEmpty
        beginsWord = true
    }

    private mutating func folded(_ scalar: Unicode.Scalar) -> Folded {
        if let folded = known[scalar] { return folded }
        var folded = Folded(utf8: [])
        if scalar.isApostrophe {
            folded.isApostrophe = true
        } else if scalar.partsWords && !scalar.properties.isDefaultIgnorableCodePoint {
            folded.partsWords = true
        } else {
            let letters = LetterFolding.fold(scalar)
            folded.utf8 = letters.flatMap { Array(UTF8.encode($0) ?? .init()) }
            folded.isUnspaced = letters.first?.isUnspaced == true
        }
        known[scalar] = folded
        return folded
    }
}
