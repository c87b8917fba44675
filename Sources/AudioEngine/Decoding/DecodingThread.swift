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
// Unchecked: the decoders are touched by the decoding thread alone once it runs.
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
        var isOpen = true
    }

    private let work = Guarded(Work())
    private let wakeUp = WakeUp()
    private let sources: [TrackSource]
    private let patience: Double
    private let report: @Sendable (Report) -> Void
    private var thread: WorkerThread?

    /// - Throws: `SystemError` when no thread can be made.
    init(
        sources: sending [TrackSource], patience: Double = DecodingThread.patience,
        report: @escaping @Sendable (Report) -> Void
    ) throws(SystemError) {
        self.sources = sources
        self.patience = patience
        self.report = report
        thread = try WorkerThread("decoding") { [unowned self] in run() }
    }

    func serve(urgent: Feed?, current: Feed?) {
        let dropped = work.withLock { work in
            let old = work.feeds
            work.feeds = [urgent, current].compactMap(\.self)
            return old.filter { feed in !work.feeds.contains { $0 === feed } }
        }
        for feed in dropped { sources[feed.trackIndex].interrupt.isRaised = true }
        wakeUp.raise()
    }

    func nudge() {
        wakeUp.raise()
    }

    func shutDown() {
        work.withLock { $0 = Work(isOpen: false) }
        for source in sources { source.interrupt.isRaised = true }
        wakeUp.raise()
        thread?.join()
        thread = nil
    }

    private func run() {
        var buffer = [Float](repeating: 0, count: DecodingThread.step * Format.channels)
        while true {
            wakeUp.wait()
            while let feed = next() {
                buffer.withUnsafeMutableBufferPointer { decode(feed, through: $0) }
            }
            if !work.withLock({ $0.isOpen }) { return }
            putAwayUnused()
        }
    }

    /// The most urgent feed that has room.
    ///
    /// Two feeds of one track would drag its decoder to and fro: only the first counts.
    private func next() -> Feed? {
        work.withLock { work in
            for feed in work.feeds {
                sources[feed.trackIndex].interrupt.isRaised = false
                if !feed.ring.isComplete && feed.ring.room >= DecodingThread.step { return feed }
                if work.feeds.last?.trackIndex == feed.trackIndex { return nil }
            }
            return nil
        }
    }

    /// Gives back the memory of tracks that were switched away from.
    private func putAwayUnused() {
        let served = work.withLock { $0.feeds.map(\.trackIndex) }
        for (index, source) in sources.enumerated() where !served.contains(index) { source.putAwayIfUnused() }
    }

    private func decode(_ feed: Feed, through buffer: UnsafeMutableBufferPointer<Float>) {
        let source = sources[feed.trackIndex]
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
}
