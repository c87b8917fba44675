internal import CFFmpeg

/// A decoder of one stream and the frame it decodes into.
final class AudioCodec {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var decoded: UnsafeMutablePointer<AVFrame>?
    /// Packets in a row that were no sound.
    private var badPackets = 0

    /// About two seconds of AAC; a shorter damage is bridged with silence.
    private static let patience = 100

    init(demuxer: Demuxer) throws(LibAVError) {
        guard let codec = avcodec_find_decoder(demuxer.parameters.pointee.codec_id) else {
            throw LibAVError(code: ALLSPEAK_AVERROR_DECODER_NOT_FOUND)
        }
        context = avcodec_alloc_context3(codec)
        packet = av_packet_alloc()
        decoded = av_frame_alloc()
        guard let context, packet != nil, decoded != nil else { throw .outOfMemory }
        try checked(avcodec_parameters_to_context(context, demuxer.parameters))
        context.pointee.pkt_timebase = demuxer.timeBase
        // A second thread would only add a frame of delay and memory; one core decodes some hundred times faster than
        // it sounds.
        context.pointee.thread_count = 1
        try checked(avcodec_open2(context, codec, nil))
    }

    deinit {
        avcodec_free_context(&context)
        av_packet_free(&packet)
        av_frame_free(&decoded)
    }

    /// Source samples to be decoded before a target, so that what a codec predicts from earlier packets has settled.
    ///
    /// - AAC-LC adds each packet's second half to the next one's first (ISO/IEC 14496-3, 4.6.11); one packet more settles the
    ///   shape of its window. What is built on it (SBR and its parametric stereo) repeats its header about twice a second.
    /// - MP3 may keep up to 511 bytes (MPEG-2: 255) of a packet's data in those before it (ISO/IEC 11172-3, 2.4.2.7), which is
    ///   nine packets at 32 kbit/s and 48 kHz, 24 at 8 kbit/s and 24 kHz; the overlap and the filter bank need another two.
    /// - Opus is to be given 80 ms (RFC 7845, 4.6); noise then differs by up to a twentieth of full scale, after half a
    ///   second by less than a thousandth.
    /// - Vorbis needs one packet, but libavformat dates the last page of a file right only when it has read the one before, and
    ///   a page holds a second.
    var preRoll: Int64 {
        guard let context, let descriptor = avcodec_descriptor_get(context.pointee.codec_id) else { return 24_000 }
        if descriptor.pointee.props & AV_CODEC_PROP_LOSSY == 0 { return 0 }
        let rate = Int64(context.pointee.sample_rate)
        switch context.pointee.codec_id {
        case AV_CODEC_ID_AAC where context.pointee.profile == FF_PROFILE_AAC_LOW: return 2 * 1_024
        case AV_CODEC_ID_MP3: return rate >= 32_000 ? 12 * 1_152 : 26 * 576
        case AV_CODEC_ID_VORBIS: return rate * 5 / 2
        default: return rate / 2
        }
    }

    /// Samples of a packet, where all hold as many; 0 elsewhere.
    var packetLength: Int32 { context?.pointee.frame_size ?? 0 }

    /// What all packets' lengths are multiples of, where they differ; `nil` where all but the first and the last are alike.
    ///
    /// A Vorbis packet gives a quarter of its block and a quarter of the one before, of which there are two sizes (Vorbis I,
    /// 4.3.8); the smaller one is told in the first header (4.2.2).
    var unevenUnit: Int64? {
        guard let context, context.pointee.codec_id == AV_CODEC_ID_VORBIS else { return nil }
        let header = UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size))
        // Each header begins with its type and a name; sizes are in the 29th byte of the first.
        for start in header.indices.prefix(16) where header[start...].starts(with: [1] + "vorbis".utf8) {
            guard start + 28 < header.count else { break }
            return 1 << Int64(header[start + 28] & 15) / 4
        }
        return 1
    }

    /// Forgets what it has been fed; needed after every seek.
    func reset() {
        avcodec_flush_buffers(context)
        badPackets = 0
    }

    /// The next decoded frame, `nil` at the end; it is valid until the next call.
    func next(from demuxer: Demuxer) throws(LibAVError) -> UnsafeMutablePointer<AVFrame>? {
        guard let packet, let decoded else { throw .outOfMemory }
        while true {
            let code = avcodec_receive_frame(context, decoded)
            if code >= 0 {
                badPackets = 0
                if decoded.pointee.nb_samples > 0 { return decoded }
                continue
            }
            if code == ALLSPEAK_AVERROR_EOF { return nil }
            if code != ALLSPEAK_AVERROR_EAGAIN { try forgive(code) }
            if try demuxer.read(into: packet) {
                let sent = avcodec_send_packet(context, packet)
                if sent < 0 { try forgive(sent) }
            } else {
                avcodec_send_packet(context, nil)
            }
        }
    }

    private func forgive(_ code: Int32) throws(LibAVError) {
        badPackets += 1
        if badPackets > AudioCodec.patience { throw LibAVError(code: code) }
    }
}
