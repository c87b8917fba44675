internal import CFFmpeg

/// An error number of FFmpeg's libraries.
struct LibAVError: Error, Equatable {
    let code: Int32

    /// The library's own words.
    var reason: String {
        if self == .truncated { return "the end of the file is missing" }
        var buffer = [CChar](repeating: 0, count: 128)
        av_strerror(code, &buffer, buffer.count)
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "error \(code)" }
    }

    static let outOfMemory = LibAVError(code: -12)
    /// The file ends before it should; FFmpeg calls that the end of a file as well.
    static let truncated = LibAVError(code: ALLSPEAK_AVERROR_EOF)
    static let interrupted = LibAVError(code: ALLSPEAK_AVERROR_EXIT)
}

/// The one place where the libraries' result codes become errors.
@discardableResult
func checked(_ code: Int32) throws(LibAVError) -> Int32 {
    guard code >= 0 else { throw LibAVError(code: code) }
    return code
}

extension AVRational {
    /// `value` of these units in units of `other`, rounded to the nearest.
    func rescale(_ value: Int64, to other: AVRational) -> Int64 {
        av_rescale_q(value, self, other)
    }
}
