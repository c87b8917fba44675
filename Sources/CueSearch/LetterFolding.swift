// The standard library's own decomposition, which its string comparison rests on; Foundation's would weigh as much as
// the whole remote.
@_spi(_Unicode) internal import Swift

/// What is left of a letter once case, accents and other ways of writing it are put aside.
enum LetterFolding {
    /// Empty for what is invisible or a mark that only points or accents.
    static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let narrow = narrowed(scalar)
        // Down, up and down: the capitals of ß, ligatures, ı, ſ and final sigma are those of their plain spelling.
        let spelled = narrow.properties.lowercaseMapping.uppercased().lowercased()
        return spelled._nfd.flatMap { isDropped($0) ? [] : plain($0) }
    }

    /// Full-width Latin and half-width Katakana in the usual width (Unicode 15, block FF00).
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFF66...0xFF9F: halfWidthKatakana[Int(scalar.value - 0xFF66)]
        default: scalar
        }
    }

    private static let halfWidthKatakana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
            .unicodeScalars)

    /// Accents, Hebrew points, Arabic vowel signs and what is never seen.
    ///
    /// Not every mark: Thai, Hindi and Japanese write vowels and other letters with marks, which tell words apart.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7, 0xFB1E: true
        // Tashkeel, Quranic marks and the tatweel, which only stretches a word.
        case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E8, 0x06EA...0x06ED: true
        case 0x08D3...0x08E1, 0x08E3...0x08FF: true
        // The dots below that Devanagari and its kin put under borrowed sounds, and most leave out.
        case 0x093C, 0x09BC, 0x0A3C, 0x0ABC, 0x0B3C, 0x0CBC: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func plain(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.value < 0x80 { return [scalar] }
        if let digit = scalar.properties.numericValue, scalar.properties.numericType == .decimal,
            let plain = Unicode.Scalar(0x30 + UInt32(digit))
        {
            return [plain]
        }
        // Hiragana stand 0x60 below Katakana.
        if (0x30A1...0x30F6).contains(scalar.value), let hiragana = Unicode.Scalar(scalar.value - 0x60) {
            return [hiragana]
        }
        return spellings[scalar] ?? [scalar]
    }

    /// Letters whose stroke or tie Unicode does not take apart, and those that are the same to a reader.
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "ł": ["l"], "đ": ["d"], "ð": ["d"], "þ": ["t", "h"], "ħ": ["h"],
        "ŧ": ["t"], "ŀ": ["l"], "ĳ": ["i", "j"], "ƒ": ["f"], "ґ": ["г"],
        // Hebrew final letters.
        "ך": ["כ"], "ם": ["מ"], "ן": ["נ"], "ף": ["פ"], "ץ": ["צ"],
        // Arabic alef wasla, alef maqsura and teh marbuta; Persian and Urdu yeh, kaf and heh.
        "ٱ": ["ا"], "ى": ["ي"], "ة": ["ه"], "ی": ["ي"], "ک": ["ك"], "ہ": ["ه"], "ھ": ["ه"], "ە": ["ه"],
    ]
}

extension Unicode.Scalar {
    /// Of a script written without spaces, where a word may begin at every letter.
    var isUnspaced: Bool {
        switch value {
        // Thai, Lao, Myanmar, Khmer: their consonants and leading vowels.
        case 0x0E01...0x0E30, 0x0E40...0x0E44, 0x0E81...0x0EB0, 0x0EC0...0x0EC4, 0x1000...0x102A, 0x1780...0x17B3: true
        // Kana and Han, with their extensions.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// `don't` is one word, and so is `dont`.
    var isApostrophe: Bool {
        switch value {
        case 0x27, 0x60, 0xB4, 0x02BC, 0x2018, 0x2019, 0xFF07: true
        default: false
        }
    }

    /// Punctuation, spaces and controls; signs such as ♪ and $ can be looked for.
    var partsWords: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control,
            .unassigned, .privateUse, .surrogate:
            true
        default: false
        }
    }
}
