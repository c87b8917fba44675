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

    /// Seconds of sound to be decoded before a target, so that what a codec predicts from earlier packets has settled.
    ///
    /// RFC 7845 asks 80 ms of Opus; MP3's bit reservoir may reach ten packets back; SBR takes a few. Vorbis needs one packet,
    /// but libavformat dates the last page of a file right only when it has read the one before, and a page holds a second.
    var preRoll: Double {
        guard let context, let descriptor = avcodec_descriptor_get(context.pointee.codec_id) else { return 0.5 }
        if descriptor.pointee.props & AV_CODEC_PROP_LOSSY == 0 { return 0 }
        return context.pointee.codec_id == AV_CODEC_ID_VORBIS ? 2.5 : 0.5
    }

    /// Whether all packets but the first and the last hold as many samples.
    var hasEvenPackets: Bool { context?.pointee.codec_id != AV_CODEC_ID_VORBIS }

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
