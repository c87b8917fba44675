internal import LinuxSystem
internal import Playback
internal import WireProtocol

/// Plays on the monotonic clock, without a device.
final class ClockOutput: OutputDevice {
    weak var delegate: (any OutputDeviceDelegate)?
    private(set) var writeIndex: Int64 = 0
    let isHalted = false
    let depth = Int64(Format.rate / 5)
    let margin: Int64 = 0
    /// Where the timeline stood at `startedAt`, or stands.
    private var base: Double = 0
    private var startedAt: SteadyTime?
    private var timer: LoopTimer?
    private var scratch: [Float]

    /// Seconds between two looks; a quarter of the depth.
    private static let period = 0.05

    init(loop: SoundLoop) {
        scratch = [Float](repeating: 0, count: Int(depth) * Format.channels)
        timer = loop.makeTimer { [unowned self] in tick() }
    }

    var wanted: Int64 {
        Int64(audibleIndex(at: MonotonicClock.now()) ?? base) + depth - writeIndex
    }

    func write(_ range: Range<Int64>, render: (_ from: Int64, _ count: Int, UnsafeMutablePointer<Float>) -> Void) {
        var at = range.lowerBound
        while at < range.upperBound {
            let count = Int(min(depth, range.upperBound - at))
            scratch.withUnsafeMutableBufferPointer { if let start = $0.baseAddress { render(at, count, start) } }
            at += Int64(count)
        }
        writeIndex = range.upperBound
    }

    func audibleIndex(at time: SteadyTime) -> Double? {
        guard let startedAt else { return nil }
        return base + (time - startedAt) * Double(Format.rate)
    }

    func earliestChange(at time: SteadyTime) -> Int64? {
        audibleIndex(at: time).map { Int64($0.rounded(.up)) }
    }

    func open() {
        delegate?.deviceChanged(OutputState(name: "clock", latency: 0, isPresent: true))
        delegate?.deviceStopped(at: Int64(base))
    }

    func start() {
        startedAt = MonotonicClock.now()
        timer?.set(after: ClockOutput.period)
        delegate?.deviceTimed()
    }

    func stop() {
        base = (audibleIndex(at: MonotonicClock.now()) ?? base).rounded(.up)
        startedAt = nil
        timer?.set(nil)
        delegate?.deviceStopped(at: Int64(base))
    }

    func setVolume(_ volume: Double) {}

    func close() {
        timer?.set(nil)
    }

    private func tick() {
        guard startedAt != nil else { return }
        timer?.set(after: ClockOutput.period)
        delegate?.deviceWantsSound()
    }
}
