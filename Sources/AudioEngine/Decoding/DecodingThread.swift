internal import LinuxSystem
internal import Synchronization

/// What fills feeds.
protocol FeedDecoding: AnyObject {
    /// Serves `urgent` until it has enough, then both; what was served before and is not named is dropped.
    func serve(urgent: Feed?, current: Feed?)
    /// Tells that a feed has room again; lock-free.
    func nudge()
}

/// Decodes what feeds ask for, on a thread of its own.
// Unchecked: a decoder is touched by the decoding thread alone once it is here, but for its flag.
final class DecodingThread: FeedDecoding, @unchecked Sendable {
    enum Report: Sendable {
        /// There is enough of the feed to begin with.
        case ready(Feed)
        /// There is more for a feed that had run dry.
        case refilled(Feed)
        case failed(Feed, reason: String)
    }

    /// What the device may hold of the old sound (`OutputDevice.depth`), all of which the new one is written over.
    ///
    /// Less could begin earlier, with silence behind it for the case that no more comes in time. But the way to the first
    /// 2 048 frames takes most of the time (0.1 to 0.5 ms, 2 ms of Opus), and the rest 0.1 to 0.4 ms: there is nothing to win.
    static let enoughToBegin: FilmFrame = 9_600
    /// Seconds that reading one piece may take, the way to it included, before the feed is given up.
    ///
    /// A disk that has to start up takes up to five.
    static let patience = 5.0
    /// Frames decoded between two looks at whether something more urgent has come.
    private static let step = 2_048

    private struct Work {
        /// The one being prepared first.
        var feeds: [Feed] = []
        /// The one whose next piece is being decoded.
        var underWay: Feed?
        /// By track; `nil` for one that has been closed.
        var sources: [TrackSource?]
        /// Tracks to be closed once no feed is of them.
        var retired: Set<Int> = []
        var isOpen = true

        func serves(_ feed: Feed) -> Bool { feeds.contains { $0 === feed } }

        /// The tracks that nobody listens to.
        var unused: [TrackSource] {
            sources.indices.compactMap { index in feeds.contains { $0.trackIndex == index } ? nil : sources[index] }
        }
    }

    private let work: Guarded<Work>
    private let wakeUp = WakeUp()
    private let patience: Double
    private let report: @Sendable (Report) -> Void
    private var thread: WorkerThread?

    /// - Throws: `SystemError` when no thread can be made.
    init(
        sources: sending [TrackSource], patience: Double = DecodingThread.patience,
        report: @escaping @Sendable (Report) -> Void
    ) throws(SystemError) {
        work = Guarded(Work(sources: sources))
        self.patience = patience
        self.report = report
        thread = try WorkerThread("decoding") { [unowned self] in run() }
    }

    func serve(urgent: Feed?, current: Feed?) {
        work.withLock { work in
            work.feeds = [urgent, current].compactMap(\.self)
            if let feed = work.underWay, !work.serves(feed) {
                work.sources[feed.trackIndex]?.interrupt.isRaised = true
            }
        }
        wakeUp.raise()
    }

    func nudge() {
        wakeUp.raise()
    }

    func shutDown() {
        work.withLock { work in
            work.feeds = []
            work.isOpen = false
            for source in work.sources { source?.interrupt.isRaised = true }
        }
        wakeUp.raise()
        thread?.join()
        thread = nil
    }

    /// Takes over one track more, and gives that track's index.
    func add(_ source: TrackSource) -> Int {
        work.withLock { work in
            work.sources.append(source)
            return work.sources.count - 1
        }
    }

    /// Closes these tracks as soon as no feed is of them.
    func retire(_ indices: Set<Int>) {
        work.withLock { $0.retired.formUnion(indices) }
        wakeUp.raise()
    }

    private func run() {
        var buffer = [Float](repeating: 0, count: DecodingThread.step * Format.channels)
        while true {
            wakeUp.wait()
            while let (feed, source) = next() {
                buffer.withUnsafeMutableBufferPointer { decode(feed, of: source, through: $0) }
            }
            closeRetired()
            guard work.withLock({ $0.isOpen }) else { return }
            // The memory of tracks that were switched away from.
            for source in work.withLock({ $0.unused }) { source.putAwayIfUnused() }
        }
    }

    /// The most urgent feed that has room, and its track.
    ///
    /// Two feeds of one track would drag its decoder to and fro: only the first counts.
    private func next() -> (Feed, TrackSource)? {
        work.withLock { work in
            work.underWay = nil
            for feed in work.feeds {
                guard let source = work.sources[feed.trackIndex] else { continue }
                source.interrupt.isRaised = false
                if !feed.ring.isComplete && feed.ring.room >= DecodingThread.step {
                    work.underWay = feed
                    return (feed, source)
                }
                if work.feeds.last?.trackIndex == feed.trackIndex { return nil }
            }
            return nil
        }
    }

    private func decode(
        _ feed: Feed, of source: TrackSource, through buffer: UnsafeMutableBufferPointer<Float>
    ) {
        let before = feed.ring.end
        let count: Int
        source.interrupt.setTime(patience)
        defer { source.interrupt.setTime(nil) }
        do throws(ReadFailure) {
            count = try source.read(from: before, into: buffer)
        } catch {
            if source.interrupt.isRaised { return source.forgetPosition() }
            return fail(feed, of: source, reason: error.reason)
        }
        // To some demuxers an interrupted read is the end of the file.
        if source.interrupt.isRaised { return source.forgetPosition() }
        if source.interrupt.hasExpired { return fail(feed, of: source, reason: "") }
        if count > 0, let samples = buffer.baseAddress { feed.ring.append(samples, count: count) }
        if count == 0 { feed.ring.finish() }
        let ready = feed.ring.start + DecodingThread.enoughToBegin
        if before < ready && (feed.ring.end >= ready || feed.ring.isComplete) { report(.ready(feed)) }
        if feed.isStarving.exchange(false, ordering: .acquiringAndReleasing) { report(.refilled(feed)) }
    }

    private func fail(_ feed: Feed, of source: TrackSource, reason: String) {
        source.forgetPosition()
        work.withLock { work in work.feeds.removeAll { $0 === feed } }
        let isLate = source.interrupt.hasExpired
        report(.failed(feed, reason: isLate ? "nothing could be read there within \(patience) seconds" : reason))
    }

    private func closeRetired() {
        // Let go of after the lock: closing a file may take a moment.
        let closing = work.withLock { work in
            let idle = work.retired.filter { index in !work.feeds.contains { $0.trackIndex == index } }
            work.retired.subtract(idle)
            return idle.map { index in
                defer { work.sources[index] = nil }
                return work.sources[index]
            }
        }
        withExtendedLifetime(closing) {}
    }
}
