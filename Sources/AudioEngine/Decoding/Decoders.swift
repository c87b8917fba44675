internal import CFFmpeg

/// What the FFmpeg of this machine can decode.
package enum Decoders {
    /// The decoders of `names`, as FFmpeg calls them, that are not there; some systems' FFmpeg is built without.
    package static func missing(of names: [String]) -> [String] {
        names.filter { avcodec_find_decoder_by_name($0) == nil }
    }
}
