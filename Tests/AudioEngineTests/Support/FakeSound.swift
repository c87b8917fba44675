import Playback
import WireProtocol

@testable import AudioEngine

/// A device whose time is moved by the test, and which remembers what lies at each of its indices.
final class FakeDevice: OutputDevice {
    weak var delegate: (any OutputDeviceDelegate)?
    private(set) var writeIndex: Int64 = 0
    let depth: Int64 = 9_600
    let margin: Int64 = 240
    var isHalted = false
    private(set) var isRunning = false
    private(set) var isStopping = false
    private(set) var volume: Double?
    /// The index that is heard; as long as it is `nil` while running, the device does not know its time.
    var audible: Double = 0
    var knowsTime = true
    /// The film frame that was written at an index, and the track; silence is -1.
    private(set) var content: [Int64: (film: Float, track: Float)] = [:]
    /// Whether it remembers; hours of sound take gigabytes.
    var remembers = true {
        didSet { if !remembers { content = [:] } }
    }
    var onWrite: () -> Void = {}

    var wanted: Int64 { Int64(audible) + depth - writeIndex }

    func write(_ range: Range<Int64>, render: (_ from: Int64, _ count: Int, UnsafeMutablePointer<Float>) -> Void) {
        onWrite()
        let count = Int(range.count)
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: count * 2)
        defer { buffer.deallocate() }
        render(range.lowerBound, count, buffer)
        for offset in 0..<count where remembers {
            content[range.lowerBound + Int64(offset)] = (buffer[offset * 2], buffer[offset * 2 + 1])
        }
        writeIndex = range.upperBound
    }

    func audibleIndex(at time: SteadyTime) -> Double? { isRunning && knowsTime ? audible : nil }
    func earliestChange(at time: SteadyTime) -> Int64? { audibleIndex(at: time).map { Int64($0) + margin } }
    func open() {}
    func start() { isRunning = true }
    func stop() { isStopping = true }
    func setVolume(_ volume: Double) { self.volume = volume }
    func close() {}

    /// Becomes present, or comes back.
    func appear() {
        writeIndex = 0
        audible = 0
        content = [:]
        delegate?.deviceStopped(at: 0)
    }

    func answerStop() {
        isStopping = false
        isRunning = false
        delegate?.deviceStopped(at: Int64(audible))
    }

    func lose() {
        let last = isRunning && knowsTime ? audible : nil
        isRunning = false
        isStopping = false
        delegate?.deviceLost(audible: last, reason: "unplugged")
    }

    /// Sounds on for `frames`, as a device does: asking for more on the way.
    func advance(_ frames: Int64) {
        guard isRunning else { return }
        var rest = frames
        while rest > 0 {
            let step = min(rest, 480)
            audible += Double(step)
            rest -= step
            delegate?.deviceWantsSound()
        }
    }
}

/// Fills feeds when the test says so: the left channel tells the film frame in seconds, the right one the track.
final class FakeDecoding: FeedDecoding {
    private(set) var urgent: Feed?
    private(set) var current: Feed?
    /// The tracks' ends.
    var ends: [FilmFrame]
    var isStuck = false
    /// How often it was asked to serve other feeds.
    private(set) var requests = 0

    init(ends: [FilmFrame]) {
        self.ends = ends
    }

    func serve(urgent: Feed?, current: Feed?) {
        self.urgent = urgent
        self.current = current
        requests += 1
    }

    func nudge() {}

    /// Fills both feeds as far as they go, and gives what there is to report.
    func work() -> [DecodingThread.Report] {
        if isStuck { return [] }
        var reports: [DecodingThread.Report] = []
        for feed in [urgent, current].compactMap(\.self) {
            let before = feed.ring.end
            let count = min(feed.ring.room, max(0, ends[feed.trackIndex] - before))
            var samples: [Float] = []
            for frame in before..<before + count { samples += [Float(frame) / 48_000 + 1, Float(feed.trackIndex + 1)] }
            if count > 0 { feed.ring.append(samples, count: Int(count)) }
            if feed.ring.end >= ends[feed.trackIndex] { feed.ring.finish() }
            if feed === urgent { reports.append(.ready(feed)) }
            if count > 0 && feed === current { reports.append(.refilled(feed)) }
        }
        return reports
    }
}
