/// A file's bytes as UTF-8, whatever encoding it came in.
///
/// Bytes that are no UTF-8 stay as they are; `String(decoding:as:)` makes one U+FFFD of each later, so a bad byte costs
/// one character and nothing around it.
struct SourceText {
    private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private(set) var utf8: [UInt8]
    /// A name of the IANA registry.
    private(set) var encoding = "UTF-8"
    /// Found by likelihood, so that it may be wrong.
    private(set) var isGuess = false
    private(set) var badBytes = 0
    /// Offset in `utf8`.
    private(set) var firstBad: Int?

    /// By the byte-order mark, the zeros of UTF-16, and whether it is UTF-8, in this order; what is left is in an old code
    /// page, and which one is guessed.
    init(_ bytes: [UInt8], pages: (any CodePages)?) {
        if let (form, mark) = WideText.form(of: bytes) {
            self.init(ConvertedText(utf8: WideText.utf8(of: bytes, form, from: mark)), encoding: form.rawValue)
            return
        }
        if let pages, let (text, guess) = Self.legacy(bytes, pages) {
            self.init(text, encoding: guess)
            isGuess = true
            return
        }
        self.init(utf8: bytes)
    }

    /// `nil` where it is UTF-8, or more likely that than anything else.
    private static func legacy(_ bytes: [UInt8], _ pages: any CodePages) -> (ConvertedText, encoding: String)? {
        guard !UTF8Check(bytes, isBrief: true).isMostlyUTF8 else { return nil }
        // Some programs put the mark of UTF-8 before whatever there is.
        let content = bytes.starts(with: utf8Mark) ? Array(bytes.dropFirst(utf8Mark.count)) : bytes
        guard let guess = EncodingGuess(pages).encoding(of: content) else { return nil }
        return pages.convert(content, from: guess).map { ($0, guess) }
    }

    private init(utf8 bytes: [UInt8]) {
        let check = UTF8Check(bytes)
        self.init(ConvertedText(utf8: bytes, badBytes: check.badBytes, firstBad: check.firstBad), encoding: "UTF-8")
    }

    /// As the user says it is; `nil` where no such encoding is known.
    init?(_ bytes: [UInt8], in encoding: String, pages: (any CodePages)?) {
        let name = encoding.uppercased()
        if name == "UTF-8" || name == "UTF8" {
            self.init(utf8: bytes)
        } else if let form = WideText.Form(rawValue: name) {
            self.init(ConvertedText(utf8: WideText.utf8(of: bytes, form, from: 0)), encoding: name)
        } else if let text = pages?.convert(bytes, from: encoding) {
            self.init(text, encoding: encoding)
        } else {
            return nil
        }
    }

    private init(_ text: ConvertedText, encoding: String) {
        let hasMark = text.utf8.starts(with: Self.utf8Mark)
        utf8 = hasMark ? Array(text.utf8.dropFirst(Self.utf8Mark.count)) : text.utf8
        self.encoding = encoding
        badBytes = text.badBytes
        firstBad = text.firstBad.map { hasMark ? $0 - Self.utf8Mark.count : $0 }
    }

    /// Counted from 1; CR, LF and CRLF each end a line.
    func lineNumber(at offset: Int) -> Int {
        SourceLines(utf8, in: 0..<offset).reduce(0) { count, _ in count + 1 }
    }

    /// Of the first letter that is not ASCII; 1 where there is none.
    var firstForeignLine: Int {
        utf8.firstIndex { $0 >= 0x80 }.map(lineNumber) ?? 1
    }
}
