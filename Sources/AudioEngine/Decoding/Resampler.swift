internal import CFFmpeg

/// Turns decoded frames of one kind into the engine's format.
///
/// Output sample `n` lies at the time of source sample `n * sourceRate / 48000`, both counted from where the resampler was
/// started; `unit` says where it may be started so that both fall on whole samples.
final class Resampler {
    /// What of a frame decides the conversion.
    struct Source: Equatable {
        let rate: Int32
        let format: Int32
        let channels: Int32
        let layout: UInt64
    }

    let source: Source
    private var context: OpaquePointer?

    init(for frame: UnsafeMutablePointer<AVFrame>) throws(LibAVError) {
        source = Source(frame)
        var output = AVChannelLayout()
        av_channel_layout_default(&output, Int32(Format.channels))
        var input = AVChannelLayout()
        if frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&input, frame.pointee.ch_layout.nb_channels)
        } else {
            try checked(av_channel_layout_copy(&input, &frame.pointee.ch_layout))
        }
        try checked(
            swr_alloc_set_opts2(
                &context, &output, AV_SAMPLE_FMT_FLT, Int32(Format.rate), &input, AVSampleFormat(source.format),
                source.rate, 0, nil))
        let object = UnsafeMutableRawPointer(context)
        // A down-mix that cannot exceed full scale: of 5.1, front + 0.707 centre + 0.707 back, all by 0.414, and no bass
        // (libswresample's levels, after ITU-R BS.775); and float inside whatever the source, for one way of rounding.
        av_opt_set_double(object, "rematrix_maxval", 1, 0)
        av_opt_set_sample_fmt(object, "internal_sample_fmt", AV_SAMPLE_FMT_FLTP, 0)
        try checked(swr_init(context))
        if source.channels == 1 {
            // The library's own matrix would take 3 dB off.
            swr_close(context)
            try checked(swr_set_matrix(context, [1, 1], 1))
            try checked(swr_init(context))
        }
    }

    deinit {
        swr_free(&context)
    }

    /// A start at a multiple of `source` samples is one at a multiple of `output` samples.
    var unit: (source: Int64, output: Int64) {
        let divisor = Int64(av_gcd(Int64(source.rate), Int64(Format.rate)))
        return (Int64(source.rate) / divisor, Int64(Format.rate) / divisor)
    }

    /// Source samples after a start whose output depends on what came before it.
    ///
    /// The filter is 32 taps long (libswresample's `filter_size`), more by the ratio when the rate goes down.
    var settling: Int64 {
        source.rate == Format.rate ? 0 : 64 * max(1, (Int64(source.rate) + 47_999) / 48_000)
    }

    /// Starts afresh.
    func restart() throws(LibAVError) {
        swr_close(context)
        try checked(swr_init(context))
    }

    /// Converts all of `frame` from sample `first` on, or without a frame what is still inside, into `output`.
    func convert(
        _ frame: UnsafeMutablePointer<AVFrame>?, from first: Int32 = 0, into output: inout [Float]
    ) throws(LibAVError) -> Int {
        let count = frame.map { $0.pointee.nb_samples - first } ?? 0
        let room = try checked(swr_get_out_samples(context, count))
        if output.count < Int(room) * Format.channels {
            output = [Float](repeating: 0, count: Int(room) * Format.channels)
        }
        let planes = frame.map { Resampler.planes(of: $0, from: first) } ?? []
        let code = output.withUnsafeMutableBytes { bytes in
            var destination: UnsafeMutablePointer<UInt8>? = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return planes.withUnsafeBufferPointer { sources in
                var input = sources.map { UnsafePointer($0) }
                return input.withUnsafeMutableBufferPointer {
                    swr_convert(context, &destination, room, planes.isEmpty ? nil : $0.baseAddress, count)
                }
            }
        }
        return Int(try checked(code))
    }

    private static func planes(
        of frame: UnsafeMutablePointer<AVFrame>, from first: Int32
    ) -> [UnsafeMutablePointer<UInt8>?] {
        let format = AVSampleFormat(frame.pointee.format)
        let channels = frame.pointee.ch_layout.nb_channels
        let isPlanar = av_sample_fmt_is_planar(format) == 1
        let skip = Int(first) * Int(av_get_bytes_per_sample(format)) * (isPlanar ? 1 : Int(channels))
        return (0..<(isPlanar ? Int(channels) : 1)).map { frame.pointee.extended_data[$0]?.advanced(by: skip) }
    }
}

extension Resampler.Source {
    init(_ frame: UnsafeMutablePointer<AVFrame>) {
        let layout = frame.pointee.ch_layout
        self.init(
            rate: frame.pointee.sample_rate, format: frame.pointee.format, channels: layout.nb_channels,
            layout: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0)
    }
}
