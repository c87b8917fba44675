/// Finds the code page of a file that is not Unicode.
///
/// The detector's word counts first, but of a few words it is often mistaken, and it names the ISO pages where files
/// are in Microsoft's larger ones. So its answer stands beside the pages it is taken for, and the one that makes the
/// most sense is taken: `Plausibility`.
struct EncodingGuess {
    /// Bytes a guess is made from.
    private static let sampleBytes = 16_384
    /// Letters beyond ASCII below which the detector is no better than the commonest page.
    private static let fewLetters = 4

    /// Tried where nothing else makes sense: damage throws the detector off, and only text of such a page is whole in it.
    private static let eastAsian = ["GB18030", "BIG5", "BIG5-HKSCS", "CP932", "UHC"]

    private let pages: any CodePages

    init(_ pages: any CodePages) {
        self.pages = pages
    }

    /// `nil` where nothing fits.
    func encoding(of bytes: [UInt8]) -> String? {
        let sample = Self.sample(of: bytes)
        var best: (encoding: String, faults: Int)?
        let candidates = Self.candidates(detected: pages.guess(sample) ?? "", sample: sample)
        for candidate in candidates + Self.eastAsian {
            guard let text = pages.convert(sample, from: candidate) else { continue }
            let faults = Plausibility.faults(in: text)
            if faults == 0 { return candidate }
            if faults < best?.faults ?? .max { best = (candidate, faults) }
        }
        return best?.encoding
    }

    /// The lines that hold anything beside ASCII: time lines and numbers tell nothing.
    private static func sample(of bytes: [UInt8]) -> [UInt8] {
        var sample: [UInt8] = []
        for line in SourceLines(bytes) where bytes[line].contains(where: { $0 >= 0x80 }) {
            sample += bytes[line].prefix(sampleBytes - sample.count)
            sample.append(0x0A)
            if sample.count >= sampleBytes { break }
        }
        return sample
    }

    /// In the order of trust.
    private static func candidates(detected: String, sample: [UInt8]) -> [String] {
        let latin = ["WINDOWS-1252", "WINDOWS-1250"]
        switch detected.uppercased() {
        case "WINDOWS-1251", "MAC-CYRILLIC", "ISO-8859-5", "IBM855":
            return ["WINDOWS-1251", detected, "KOI8-R", "IBM866"]
        case "KOI8-R", "KOI8-U": return ["KOI8-R", "KOI8-U", "WINDOWS-1251"]
        case "IBM866": return ["IBM866", "WINDOWS-1251"]
        case "WINDOWS-1253", "ISO-8859-7": return ["WINDOWS-1253", "ISO-8859-7"]
        case "WINDOWS-1255", "ISO-8859-8": return ["WINDOWS-1255", "ISO-8859-8"]
        case "WINDOWS-1256": return ["WINDOWS-1256", "ISO-8859-6"]
        case "ISO-8859-6": return ["ISO-8859-6", "WINDOWS-1256"]
        case "TIS-620", "ISO-8859-11": return ["CP874", "WINDOWS-1252"]
        case "SHIFT_JIS": return ["CP932"]
        case "UHC", "EUC-KR", "JOHAB": return ["UHC"]
        case "BIG5": return ["BIG5", "BIG5-HKSCS"]
        case "GB18030": return ["GB18030"]
        case "EUC-JP", "EUC-TW": return [detected]
        case "ISO-8859-2" where isRich(sample), "ISO-8859-16" where isRich(sample):
            return ["ISO-8859-2", "WINDOWS-1250"] + latin
        case "WINDOWS-1250" where isRich(sample): return ["WINDOWS-1250", "ISO-8859-2"] + latin
        case "ISO-8859-15" where isRich(sample): return ["ISO-8859-15"] + latin
        case "ISO-8859-9" where isRich(sample), "WINDOWS-1254" where isRich(sample): return ["WINDOWS-1254"] + latin
        case "ISO-8859-13" where isRich(sample), "WINDOWS-1257" where isRich(sample): return ["WINDOWS-1257"] + latin
        default: return latin + ["WINDOWS-1251"]
        }
    }

    private static func isRich(_ sample: [UInt8]) -> Bool {
        sample.count { $0 >= 0x80 } >= fewLetters
    }
}

/// Tells text from what the wrong code page makes of it.
enum Plausibility {
    /// 0 for text without anything odd.
    static func faults(in text: ConvertedText) -> Int {
        var faults = 0
        var (last, beforeLast) = (Sign.other, Sign.other)
        var (accented, plain) = (0, 0)
        for scalar in String(decoding: text.utf8, as: UTF8.self).unicodeScalars {
            let sign = Sign(scalar)
            if sign == .impossible { faults += 4 }
            if sign == .unusual { faults += 1 }
            // A word that goes on in capitals: KOI8-R and windows-1251 have them the other way round.
            if case .letter(let above, false, _) = last, case .letter(above, true, let isASCII) = sign, !isASCII {
                faults += 1
            }
            if case .letter(let script, _, _) = sign {
                if case .letter(let above, _, _) = last, above != script { faults += 2 }
                if last == .symbol { faults += beforeLast.isLetter ? 2 : 1 }
                if last == .innerMark, beforeLast.isLetter { faults += 2 }
            }
            if case .letter(.latin, _, let isASCII) = sign {
                if isASCII { plain += 1 } else { accented += 1 }
            }
            (beforeLast, last) = (last, sign)
        }
        // No language has more accented letters than others; Cyrillic or Chinese read as Western has nothing else.
        return faults + max(0, accented - plain)
    }

    private enum Script { case latin, greek, cyrillic, other }

    private enum Sign: Equatable {
        case letter(Script, isCapital: Bool, isASCII: Bool)
        /// `¶`, `±`, `³`: seldom part of a word.
        case symbol
        /// `¿`, `»`: at a word's edge, never inside.
        case innerMark
        /// Half-width Katakana, of which other pages' letters make rows in Shift-JIS.
        case unusual
        /// Controls, characters of nobody's, and what stands for a bad byte.
        case impossible
        case other

        var isLetter: Bool {
            if case .letter = self { true } else { false }
        }

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x41...0x5A: self = .letter(.latin, isCapital: true, isASCII: true)
            case 0x61...0x7A: self = .letter(.latin, isCapital: false, isASCII: true)
            case 0x09, 0x0A, 0x0D, 0x1B, 0x20..<0x7F: self = .other
            case 0..<0x20, 0x7F..<0xA0, 0xE000...0xF8FF, 0xFFFD: self = .impossible
            // The acute accent stands for an apostrophe, the degree and ordinal signs follow letters and digits.
            case 0xB4, 0xB0, 0xAA, 0xBA: self = .other
            case 0xA1, 0xAB, 0xBB, 0xBF: self = .innerMark
            case 0xA2..<0xC0, 0xD7, 0xF7: self = .symbol
            case 0xC0...0x24F:
                self = .letter(.latin, isCapital: scalar.properties.isUppercase, isASCII: false)
            case 0x370...0x3FF where scalar.properties.isAlphabetic:
                self = .letter(.greek, isCapital: scalar.properties.isUppercase, isASCII: false)
            case 0x400...0x52F: self = .letter(.cyrillic, isCapital: scalar.properties.isUppercase, isASCII: false)
            case 0x530...0x1FFF where scalar.properties.isAlphabetic:
                self = .letter(.other, isCapital: false, isASCII: false)
            case 0xFF61...0xFF9F: self = .unusual
            case 0x2500...0x25FF, 0x2020...0x2022, 0x2030: self = .symbol
            default: self = .other
            }
        }
    }
}
