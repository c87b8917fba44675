internal import CFFmpeg

/// Reads one track from any film frame on; a frame sounds the same however it was reached.
///
/// Used by one thread at a time.
// Unchecked: whoever opens it hands it on to the decoding thread, which alone uses it from then on.
final class TrackDecoder: @unchecked Sendable {
    let demuxer: Demuxer
    /// The length of the track as the file tells it.
    let duration: FilmFrame
    /// A file that ends before this is broken.
    private let promised: FilmFrame
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

    /// What may be missing at the end: a second.
    private static let lenience = FilmFrame(Format.rate)

    /// Opens `path` and decodes its first frame, which proves that it can be played.
    init(path: String) throws(EngineError.Fault) {
        demuxer = try Demuxer(path: path)
        var seconds = demuxer.duration
        let isExact = demuxer.isDurationExact && !demuxer.isDurationGuessed
        if demuxer.isMP3 { demuxer.forgetDuration() }
        do throws(LibAVError) {
            codec = try AudioCodec(demuxer: demuxer)
            guard let first = try codec.next(from: demuxer) else {
                throw LibAVError(code: ALLSPEAK_AVERROR_INVALIDDATA)
            }
            resampler = try Resampler(for: first)
            timing = SampleTiming(first: first, demuxer: demuxer)
            if timing.isCoarse, codec.hasEvenPackets, let second = try codec.next(from: demuxer) {
                timing.learn(second: second)
            }
            if seconds == nil || demuxer.isDurationGuessed { seconds = try demuxer.measureDuration() }
        } catch {
            throw .cannotDecode(error.reason)
        }
        duration = max(0, Format.frames(seconds: (seconds ?? 0) - timing.lateStart))
        promised = isExact ? duration - TrackDecoder.lenience : 0
    }

    /// Fills `buffer` with the samples from `frame` on; fewer only at the end of the track, where it returns 0.
    /// - Returns: the number of frames.
    func read(from frame: FilmFrame, into buffer: UnsafeMutableBufferPointer<Float>) throws(LibAVError) -> Int {
        if frame != position { try seek(to: frame) }
        // Whatever interrupts the next lines leaves no position to go on from.
        position = nil
        while pendingStart == pendingEnd && !isAtEnd { try decode() }
        let count = min(pendingEnd - pendingStart, buffer.count / Format.channels)
        for index in 0..<count * Format.channels { buffer[index] = pending[pendingStart * Format.channels + index] }
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
        var early = Int64(codec.preRoll * Double(resampler.source.rate))
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
        return try decodeFirst(from: start, isRewound: first <= 0)
    }

    /// Decodes up to the packet with source sample `start` and converts from exactly there; `false` if that is past.
    private func decodeFirst(from start: Int64, isRewound: Bool) throws(LibAVError) -> Bool {
        while let frame = try codec.next(from: demuxer) {
            let first = timing.position(of: frame, expected: sourcePosition)
            let end = first + Int64(frame.pointee.nb_samples)
            if first > start {
                if sourcePosition == nil && !isRewound { return false }
                try convertSilence(first - start, like: frame)
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
        guard let frame = try codec.next(from: demuxer) else { return try finish(reached: 0) }
        let expected = sourcePosition ?? 0
        let first = timing.position(of: frame, expected: expected)
        let overlap = Int32(clamping: expected - first)
        if overlap >= frame.pointee.nb_samples { return }
        if first > expected { try convertSilence(first - expected, like: frame) }
        sourcePosition = first + Int64(frame.pointee.nb_samples)
        try convert(frame, from: max(0, overlap))
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
        if pendingStart > 0 {
            for index in 0..<rest * Format.channels { pending[index] = pending[pendingStart * Format.channels + index] }
        }
        if pending.count < room { pending.append(contentsOf: repeatElement(0, count: room - pending.count)) }
        for index in 0..<count * Format.channels { pending[rest * Format.channels + index] = converted[index] }
        pendingStart = 0
        pendingEnd = rest + count
    }

    /// Bridges a hole of the file.
    private func convertSilence(_ count: Int64, like frame: UnsafeMutablePointer<AVFrame>) throws(LibAVError) {
        var silence = av_frame_alloc()
        defer { av_frame_free(&silence) }
        guard let silence else { throw .outOfMemory }
        silence.pointee.format = frame.pointee.format
        silence.pointee.sample_rate = frame.pointee.sample_rate
        try checked(av_channel_layout_copy(&silence.pointee.ch_layout, &frame.pointee.ch_layout))
        silence.pointee.nb_samples = frame.pointee.sample_rate
        try checked(av_frame_get_buffer(silence, 0))
        try checked(
            av_samples_set_silence(
                silence.pointee.extended_data, 0, silence.pointee.nb_samples, silence.pointee.ch_layout.nb_channels,
                AVSampleFormat(silence.pointee.format)))
        var rest = count
        while rest > 0 {
            silence.pointee.nb_samples = Int32(min(rest, Int64(frame.pointee.sample_rate)))
            rest -= Int64(silence.pointee.nb_samples)
            try convert(silence, from: 0)
        }
    }

    /// The file has no more; `reached` is the source sample up to which it should have been read at least.
    private func finish(reached: Int64) throws(LibAVError) {
        isAtEnd = true
        let position = av_rescale(sourcePosition ?? reached, Int64(Format.rate), Int64(resampler.source.rate))
        if position < promised { throw .truncated }
        append(try resampler.convert(nil, into: &converted))
    }
}
