internal import CFFmpeg

/// Reads one track from any film frame on; a frame sounds the same however it was reached.
///
/// Used by one thread at a time.
final class TrackDecoder {
    /// What is found out when a file is opened for the first time.
    struct Facts {
        /// The length of the track.
        var duration: FilmFrame
        /// A file that ends before this is broken.
        var promised: FilmFrame
        /// What the decoder gives from here on is the encoder's padding, not the film's; and the same in source samples.
        var end: FilmFrame
        var sourceEnd: Int64
    }

    let demuxer: Demuxer
    let facts: Facts
    private var codec: AudioCodec
    private var resampler: Resampler
    private var timing: SampleTiming
    /// The source sample that the resampler takes next; `nil` after a seek.
    private var sourcePosition: Int64?
    /// Converted and not yet read: `pending[pendingStart..<pendingEnd]` in frames, the first of which is `position`.
    private var pending: [Float] = []
    private var pendingStart = 0
    private var pendingEnd = 0
    private var position: FilmFrame?
    private var isAtEnd = false
    /// Source samples of silence to be converted before anything else: a hole of the file, and its length if it is long.
    private var gap: Int64 = 0
    /// What was decoded behind the hole; it is valid as long as nothing else is decoded.
    private var behindGap: UnsafeMutablePointer<AVFrame>?

    /// What may be missing at the end: a second.
    private static let lenience = FilmFrame(Format.rate)

    /// Opens `path` and decodes its first frame, which proves that it can be played.
    ///
    /// With `knownFacts`, from an earlier opening, the length is not looked for.
    init(path: String, interrupt: Interrupt, knownFacts: Facts? = nil) throws(EngineError.Fault) {
        demuxer = try Demuxer(path: path, interrupt: interrupt)
        do throws(LibAVError) {
            codec = try AudioCodec(demuxer: demuxer)
            guard let first = try codec.next(from: demuxer) else {
                throw LibAVError(code: ALLSPEAK_AVERROR_INVALIDDATA)
            }
            resampler = try Resampler(for: first)
            timing = SampleTiming(first: first, demuxer: demuxer)
            if timing.isCoarse {
                if let unit = codec.unevenUnit {
                    timing.learn(packet: unit)
                } else if let second = try codec.next(from: demuxer) {
                    timing.learn(packet: Int64(second.pointee.nb_samples))
                }
            }
            if let knownFacts {
                facts = knownFacts
            } else {
                facts = try TrackDecoder.measure(demuxer, timing, codec.packetLength)
            }
        } catch {
            throw error == .truncated ? .truncated : .cannotDecode(error.reason)
        }
    }

    private static func measure(
        _ demuxer: Demuxer, _ timing: SampleTiming, _ packet: Int32
    ) throws(LibAVError) -> Facts {
        let length = try demuxer.measureLength(packet: packet)
        let told = demuxer.toldLength
        if length.isMeasured, demuxer.isCutShort(at: length.seconds) { throw .truncated }
        let seconds = min(max(0, length.seconds - timing.lateStart), Demuxer.longest)
        let duration = Format.frames(seconds: seconds)
        let rate = Double(demuxer.parameters.pointee.sample_rate)
        let isExact = length.isMeasured && !timing.isCoarse
        return Facts(
            duration: duration, promised: told.isGuessed || told.stream == nil ? 0 : duration - lenience,
            end: isExact ? duration : .max,
            sourceEnd: isExact ? Int64((seconds * rate).rounded()) : .max)
    }

    /// Fills `buffer` with the samples from `frame` on; fewer only at the end of the track, where it returns 0.
    /// - Returns: the number of frames.
    func read(from frame: FilmFrame, into buffer: UnsafeMutableBufferPointer<Float>) throws(LibAVError) -> Int {
        if frame >= facts.end { return 0 }
        if frame != position { try seek(to: frame) }
        // Whatever interrupts the next lines leaves no position to go on from.
        position = nil
        while pendingStart == pendingEnd && !isAtEnd { try decode() }
        let count = min(pendingEnd - pendingStart, buffer.count / Format.channels, Int(clamping: facts.end - frame))
        pending.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress, count > 0 else { return }
            buffer.baseAddress?.update(from: source + pendingStart * Format.channels, count: count * Format.channels)
        }
        pendingStart += count
        position = frame + FilmFrame(count)
        return count
    }

    /// Has the next read begin with a seek.
    func forgetPosition() {
        position = nil
    }

    private func seek(to frame: FilmFrame) throws(LibAVError) {
        position = nil
        // The resampler's filter looks back, and a start must fall on a whole sample of both rates.
        let unit = resampler.unit
        let wanted = frame * Int64(resampler.source.rate) / Int64(Format.rate) - resampler.settling
        let start = max(0, wanted / unit.source * unit.source)
        var early = codec.preRoll
        while try !land(on: start, from: start - early) {
            // The container's index pointed behind the target, or nowhere.
            early = early * 2 + Int64(resampler.source.rate)
        }
        position = start / unit.source * unit.output
        try drop(frame - start / unit.source * unit.output)
        position = frame
    }

    /// Has the source sample `start` be the next one converted, decoding from about `first` on; `false` where the container
    /// does not lead there.
    private func land(on start: Int64, from first: Int64) throws(LibAVError) -> Bool {
        if first <= 0 {
            try demuxer.rewind()
            // A reset leaves the AAC decoder the last window's shape, which would be heard in the first packet.
            codec = try AudioCodec(demuxer: demuxer)
        } else {
            guard try demuxer.seek(to: timing.timestamp(of: first)) else { return false }
            codec.reset()
        }
        try resampler.restart()
        pendingStart = 0
        pendingEnd = 0
        isAtEnd = false
        sourcePosition = nil
        gap = 0
        behindGap = nil
        return try decodeFirst(from: start, isRewound: first <= 0)
    }

    /// Decodes up to the packet with source sample `start` and converts from exactly there; `false` if that is past.
    private func decodeFirst(from start: Int64, isRewound: Bool) throws(LibAVError) -> Bool {
        while let frame = try codec.next(from: demuxer) {
            let first = timing.position(of: frame, expected: sourcePosition)
            let end = end(of: frame, at: first)
            if end <= first { break }
            if first > start {
                if sourcePosition == nil && !isRewound { return false }
                sourcePosition = end
                gap = first - start
                behindGap = frame
                return true
            }
            sourcePosition = end
            if end <= start { continue }
            try convert(frame, from: Int32(max(0, start - first)))
            return true
        }
        try finish(reached: start)
        return true
    }

    private func drop(_ count: FilmFrame) throws(LibAVError) {
        var rest = Int(count)
        while rest > 0 {
            while pendingStart == pendingEnd && !isAtEnd { try decode() }
            let dropped = min(rest, pendingEnd - pendingStart)
            if dropped == 0 { return }
            pendingStart += dropped
            rest -= dropped
        }
    }

    /// Decodes and converts the frame that follows.
    private func decode() throws(LibAVError) {
        if let behindGap { return try bridge(to: behindGap) }
        guard let frame = try codec.next(from: demuxer) else { return try finish(reached: 0) }
        let expected = sourcePosition ?? 0
        let first = timing.position(of: frame, expected: expected)
        let end = end(of: frame, at: first)
        if end <= first { return try finish(reached: 0) }
        let overlap = Int32(clamping: expected - first)
        if overlap >= frame.pointee.nb_samples { return }
        sourcePosition = end
        if first > expected {
            gap = first - expected
            behindGap = frame
            return
        }
        try convert(frame, from: max(0, overlap))
    }

    /// Where a frame that begins at source sample `first` ends, after what is not the film's has been cut off it.
    private func end(of frame: UnsafeMutablePointer<AVFrame>, at first: Int64) -> Int64 {
        let end = first + Int64(frame.pointee.nb_samples)
        if end <= facts.sourceEnd { return end }
        frame.pointee.nb_samples = Int32(max(0, facts.sourceEnd - first))
        return first + Int64(frame.pointee.nb_samples)
    }

    private func convert(_ frame: UnsafeMutablePointer<AVFrame>, from first: Int32) throws(LibAVError) {
        if Resampler.Source(frame) != resampler.source {
            // A change of rate in the middle of a track: positions go on from the nearest whole sample.
            resampler = try Resampler(for: frame)
        }
        let count = try resampler.convert(frame, from: first, into: &converted)
        append(count)
    }

    private var converted: [Float] = []

    private func append(_ count: Int) {
        let rest = pendingEnd - pendingStart
        let room = (rest + count) * Format.channels
        if pending.count < room { pending.append(contentsOf: repeatElement(0, count: room - pending.count)) }
        pending.withUnsafeMutableBufferPointer { pending in
            guard let start = pending.baseAddress else { return }
            start.update(from: start + pendingStart * Format.channels, count: rest * Format.channels)
            converted.withUnsafeBufferPointer { converted in
                guard let source = converted.baseAddress else { return }
                (start + rest * Format.channels).update(from: source, count: count * Format.channels)
            }
        }
        pendingStart = 0
        pendingEnd = rest + count
    }

    /// Converts some of the silence before `frame`, or in the end the frame.
    private func bridge(to frame: UnsafeMutablePointer<AVFrame>) throws(LibAVError) {
        let part = min(gap, Int64(frame.pointee.sample_rate))
        gap -= part
        if part > 0 { return try convertSilence(Int32(part), like: frame) }
        behindGap = nil
        try convert(frame, from: 0)
    }

    private func convertSilence(_ count: Int32, like frame: UnsafeMutablePointer<AVFrame>) throws(LibAVError) {
        var silence = av_frame_alloc()
        defer { av_frame_free(&silence) }
        guard let silence else { throw .outOfMemory }
        silence.pointee.format = frame.pointee.format
        silence.pointee.sample_rate = frame.pointee.sample_rate
        try checked(av_channel_layout_copy(&silence.pointee.ch_layout, &frame.pointee.ch_layout))
        silence.pointee.nb_samples = count
        try checked(av_frame_get_buffer(silence, 0))
        try checked(
            av_samples_set_silence(
                silence.pointee.extended_data, 0, count, silence.pointee.ch_layout.nb_channels,
                AVSampleFormat(silence.pointee.format)))
        try convert(silence, from: 0)
    }

    /// The file has no more; `reached` is the source sample up to which it should have been read at least.
    private func finish(reached: Int64) throws(LibAVError) {
        isAtEnd = true
        let position = av_rescale(sourcePosition ?? reached, Int64(Format.rate), Int64(resampler.source.rate))
        if position < facts.promised { throw .truncated }
        append(try resampler.convert(nil, into: &converted))
    }
}
