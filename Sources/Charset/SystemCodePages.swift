package import Subtitles

/// The code pages this machine knows: uchardet guesses, glibc's iconv converts.
package struct SystemCodePages: CodePages {
    package init() {}

    package func guess(_ bytes: [UInt8]) -> String? {
        guard let name = EncodingDetector()?.guess(bytes), !name.isEmpty else { return nil }
        return name
    }

    package func convert(_ bytes: [UInt8], from encoding: String) -> ConvertedText? {
        TextConverter(from: encoding)?.convert(bytes)
    }

    /// Whether `encoding` names one, as `iconv -l` lists them.
    package func knows(_ encoding: String) -> Bool {
        TextConverter(from: encoding) != nil
    }
}
