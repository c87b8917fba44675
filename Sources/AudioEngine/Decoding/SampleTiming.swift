internal import CFFmpeg

/// Where a decoded frame lies in its stream, counted in source samples from the first one that is to be heard.
struct SampleTiming {
    private let timeBase: AVRational
    private let sampleUnit: AVRational
    /// The timestamp of the first sample to be heard.
    private let origin: Int64
    /// Samples of one packet and where the second packet begins; where timestamps are coarser than samples (Matroska: 1
    /// ms), packets are counted instead.
    private var grid: Int64 = 1
    private var gridOffset: Int64
    /// Samples that one unit of the timestamps spans, rounded down.
    private let tick: Int64

    init(first frame: UnsafeMutablePointer<AVFrame>, demuxer: Demuxer) {
        timeBase = demuxer.timeBase
        sampleUnit = AVRational(num: 1, den: frame.pointee.sample_rate)
        let stamp = SampleTiming.timestamp(of: frame) ?? 0
        // Sound before time 0 is the encoder's priming, not the film's. Where the container has a time line of its own, what
        // lies between its zero and the first sample is silence; elsewhere the first sample is the zero.
        origin = demuxer.hasTimeLine ? 0 : max(0, stamp)
        tick = av_rescale_q_rnd(1, timeBase, sampleUnit, AV_ROUND_DOWN)
        let early = timeBase.rescale(stamp - origin, to: sampleUnit)
        let padding = Int64(demuxer.parameters.pointee.initial_padding)
        gridOffset = (abs(early + padding) <= tick ? -padding : early) + Int64(frame.pointee.nb_samples)
    }

    /// Samples beyond which a timestamp is nonsense: months.
    private static let limit: Int64 = 1 << 40

    var isCoarse: Bool { tick > 1 }

    /// Learns what the length of all packets but the first and the last is, or is a multiple of.
    mutating func learn(packet: Int64) {
        grid = packet
    }

    /// Seconds by which the stream's clock is ahead of the film's.
    var lateStart: Double {
        Double(origin) * Double(timeBase.num) / Double(timeBase.den)
    }

    func timestamp(of sample: Int64) -> Int64 {
        origin + sampleUnit.rescale(sample, to: timeBase)
    }

    /// The position of the frame's first sample; `expected` is where the frame before it ended.
    func position(of frame: UnsafeMutablePointer<AVFrame>, expected: Int64?) -> Int64 {
        guard let stamp = SampleTiming.timestamp(of: frame) else { return expected ?? 0 }
        let nearby = min(
            max(timeBase.rescale(stamp &- origin, to: sampleUnit), -SampleTiming.limit), SampleTiming.limit)
        if let expected, abs(nearby - expected) <= tolerance { return expected }
        // A coarser clock than that tells nothing about the place on a finer grid.
        if grid <= tick { return nearby }
        let steps = (Double(nearby - gridOffset) / Double(grid)).rounded()
        return gridOffset + Int64(steps) * grid
    }

    /// Timestamps that are rounded wander by up to a tick.
    private var tolerance: Int64 { tick * 2 }

    private static func timestamp(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
        let stamp = frame.pointee.best_effort_timestamp
        return stamp == ALLSPEAK_AV_NOPTS ? nil : stamp
    }
}
