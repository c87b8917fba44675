/// Knows the encodings of before Unicode.
///
/// Their tables are those of C libraries, so an edge provides them.
package protocol CodePages: Sendable {
    /// The likeliest encoding of text that is not Unicode, by a name of the IANA registry; `nil` where none is likely.
    func guess(_ bytes: [UInt8]) -> String?

    /// The bytes as UTF-8; `nil` where there is no such encoding.
    func convert(_ bytes: [UInt8], from encoding: String) -> ConvertedText?
}

/// Text that was in another encoding.
package struct ConvertedText: Equatable, Sendable {
    package var utf8: [UInt8]
    /// Bytes that mean nothing in that encoding, each of which became U+FFFD.
    package var badBytes: Int
    /// Where in `utf8` the first of them stands.
    package var firstBad: Int?

    package init(utf8: [UInt8] = [], badBytes: Int = 0, firstBad: Int? = nil) {
        self.utf8 = utf8
        self.badBytes = badBytes
        self.firstBad = firstBad
    }
}
