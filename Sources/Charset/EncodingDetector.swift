internal import CUchardet

/// uchardet's detector: letter frequencies of some hundred pairs of language and code page.
final class EncodingDetector {
    private let detector: uchardet_t

    init?() {
        guard let detector = uchardet_new() else { return nil }
        self.detector = detector
    }

    deinit {
        uchardet_delete(detector)
    }

    /// The likeliest encoding's name, empty where there is none.
    func guess(_ bytes: [UInt8]) -> String {
        uchardet_reset(detector)
        let failed = bytes.withUnsafeBytes { buffer in
            uchardet_handle_data(detector, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count) != 0
        }
        if failed { return "" }
        uchardet_data_end(detector)
        return uchardet_get_charset(detector).map { String(cString: $0) } ?? ""
    }
}
