internal import CFFmpeg

/// How long a stream is: what the file says, and what it holds.
extension Demuxer {
    /// What a file says about a stream's length, in seconds on the stream's clock.
    struct ToldLength {
        /// The stream's own.
        var stream: Double?
        /// The whole file's, in which a picture may last longer.
        var file: Double?
        /// The file says nothing: libavformat has guessed from its size and bit rate.
        var isGuessed: Bool
    }

    static func toldLength(
        of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>
    ) -> ToldLength {
        let base = stream.pointee.time_base
        var told = ToldLength(isGuessed: context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE)
        var microseconds: Int64 = 0
        if stream.pointee.duration > 0 {
            told.stream = Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
        } else if let text = av_dict_get(stream.pointee.metadata, "DURATION", nil, 0)?.pointee.value,
            av_parse_time(&microseconds, text, 1) >= 0, microseconds > 0
        {
            told.stream = Double(microseconds) / 1e6
        }
        told.stream = told.stream.map { min($0, longest) }
        if context.pointee.duration > 0 {
            told.file = min(Double(context.pointee.duration) / Double(AV_TIME_BASE), longest)
        }
        return told
    }

    /// Whether the end of the stream is found without reading all of it.
    private var isEndNear: Bool { hasIndexInFile || ["matroska,webm", "ogg"].contains(formatName) }

    /// The stream's length in seconds on its own clock, and whether that is the end of its last packet.
    ///
    /// What the stream holds counts, not what is said about it; where the end cannot be reached quickly and the file says
    /// something, that has to do. `packet` is the length of a packet, in samples, that does not tell its own.
    func measureLength(packet: Int32) throws(LibAVError) -> (seconds: Double, isMeasured: Bool) {
        if isEndNear {
            interrupt.setTime(Demuxer.measuringTime)
            defer { interrupt.setTime(nil) }
            do throws(LibAVError) {
                if let end = try lastEnd(packet) { return (seconds(end), true) }
            } catch {
                if interrupt.isRaised { throw error }
            }
        }
        if let gaplessTag {
            // The tag counts from the first sample to be heard; the clock from the packet that it is in.
            let unit = AVRational(num: 1, den: parameters.pointee.sample_rate)
            let packet = timeBase.rescale(packetDuration, to: unit)
            let heard = gaplessTag.samples(packet: packet) + gaplessTag.delay + GaplessTag.decoderDelay
            return (Double(heard) / Double(parameters.pointee.sample_rate), true)
        }
        if !toldLength.isGuessed, let told = toldLength.stream ?? toldLength.file { return (told, false) }
        if let counted = try countPackets() { return (seconds(counted), true) }
        return (try totalLength(), true)
    }

    /// Whether there was more once: a Matroska file has no other sign of it than that stream and file are both told longer.
    func isCutShort(at end: Double) -> Bool {
        guard formatName == "matroska,webm", let stream = toldLength.stream, let file = toldLength.file else {
            return false
        }
        return min(stream, file) - 1 > end
    }

    /// Seconds that no track exceeds, whatever is told of it: four months.
    static let longest = 1e7

    /// Seconds in which the end of a stream is looked for, when the file says something about it as well.
    private static let measuringTime = 2.0

    private func seconds(_ timestamp: Int64) -> Double {
        Double(timestamp) * Double(timeBase.num) / Double(timeBase.den)
    }

    /// Where the last packet ends; `nil` where there is no way to it.
    private func lastEnd(_ packet: Int32) throws(LibAVError) -> Int64? {
        guard let length = toldLength.file ?? toldLength.stream else { return nil }
        // From the end backwards: in a film whose picture lasts longer nothing of the sound may be there.
        for distance in [0, 2, 30, 300, 3_000].filter({ $0 == 0 || $0 < length }) {
            let target = (length - Double(distance)) * Double(timeBase.den) / Double(timeBase.num)
            guard try seek(to: distance == 0 ? .max / 2 : Int64(target)) else { continue }
            if let end = try readEnd(packet) { return end }
        }
        return nil
    }

    /// Reads on to the end of the file: where the last packet ends, without what is cut off it.
    private func readEnd(_ usual: Int32) throws(LibAVError) -> Int64? {
        var end: Int64?
        try readAll { packet in
            guard packet.pointee.pts != ALLSPEAK_AV_NOPTS else { return }
            let unit = AVRational(num: 1, den: parameters.pointee.sample_rate)
            var length = packet.pointee.duration
            if length <= 0 { length = unit.rescale(Int64(usual), to: timeBase) }
            var size = 0
            // Ogg's packets are told without what is cut off.
            if formatName != "ogg", let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size),
                size >= 8
            {
                // Four bytes of what is to be skipped at the beginning, then as many for the end; little-endian.
                let cut = UnsafeRawPointer(data).loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                length = max(0, length - unit.rescale(Int64(UInt32(littleEndian: cut)), to: timeBase))
            }
            end = max(end ?? .min, packet.pointee.pts &+ length)
        }
        return end
    }

    /// The length by reading the file from its beginning to its end.
    private func totalLength() throws(LibAVError) -> Double {
        try rewind()
        var total: Int64 = 0
        try readAll { total &+= $0.pointee.duration }
        return seconds(total)
    }

    /// Reads to the end of the file; the reader stands there afterwards.
    private func readAll(_ look: (UnsafeMutablePointer<AVPacket>) -> Void) throws(LibAVError) {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw .outOfMemory }
        while try read(into: packet) { look(packet) }
    }
}
