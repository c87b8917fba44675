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

    /// A third of a second: what the server's queue takes at once, and a little to go on with.
    static let enoughToBegin: FilmFrame = 16_384
    /// Frames decoded between two looks at whether something more urgent has come.
    private static let step = 2_048

    private struct Work {
        /// The one being prepared first.
        var feeds: [Feed] = []
        /// By track; `nil` for one that has been closed.
        var decoders: [TrackDecoder?]
        /// Tracks to be closed once no feed is of them.
        var retired: Set<Int> = []
        var isOpen = true

        func interrupt(_ index: Int) {
            decoders[index]?.demuxer.interrupt.isRaised = true
        }
    }

    private let work: Guarded<Work>
    private let wakeUp = WakeUp()
    private let report: @Sendable (Report) -> Void
    private var thread: WorkerThread?

    /// - Throws: `SystemError` when no thread can be made.
    init(decoders: sending [TrackDecoder], report: @escaping @Sendable (Report) -> Void) throws(SystemError) {
        work = Guarded(Work(decoders: decoders))
        self.report = report
        thread = try WorkerThread("decoding") { [unowned self] in run() }
    }

    func serve(urgent: Feed?, current: Feed?) {
        work.withLock { work in
            let old = work.feeds
            work.feeds = [urgent, current].compactMap(\.self)
            for feed in old where !work.feeds.contains(where: { $0 === feed }) { work.interrupt(feed.trackIndex) }
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
            for index in work.decoders.indices { work.interrupt(index) }
        }
        wakeUp.raise()
        thread?.join()
        thread = nil
    }

    /// Takes over the decoder of one track more, and gives that track's index.
    func add(_ decoder: TrackDecoder) -> Int {
        work.withLock { work in
            work.decoders.append(decoder)
            return work.decoders.count - 1
        }
    }

    /// Closes the decoders of these tracks as soon as no feed is of them.
    func retire(_ indices: Set<Int>) {
        work.withLock { $0.retired.formUnion(indices) }
        wakeUp.raise()
    }

    private func run() {
        var buffer = [Float](repeating: 0, count: DecodingThread.step * Format.channels)
        while true {
            wakeUp.wait()
            while let feed = next() {
                buffer.withUnsafeMutableBufferPointer { decode(feed, through: $0) }
            }
            closeRetired()
            if !work.withLock({ $0.isOpen }) { return }
        }
    }

    /// The most urgent feed that has room.
    ///
    /// Two feeds of one track would drag its decoder to and fro: only the first counts.
    private func next() -> Feed? {
        work.withLock { work in
            for feed in work.feeds {
                work.decoders[feed.trackIndex]?.demuxer.interrupt.isRaised = false
                if !feed.ring.isComplete && feed.ring.room >= DecodingThread.step { return feed }
                if work.feeds.last?.trackIndex == feed.trackIndex { return nil }
            }
            return nil
        }
    }

    private func decode(_ feed: Feed, through buffer: UnsafeMutableBufferPointer<Float>) {
        guard let decoder = work.withLock({ $0.decoders[feed.trackIndex] }) else {
            drop(feed)
            return report(.failed(feed, reason: "the track has been removed"))
        }
        let before = feed.ring.end
        let count: Int
        do throws(LibAVError) {
            count = try decoder.read(from: before, into: buffer)
        } catch {
            if decoder.demuxer.interrupt.isRaised { return decoder.forgetPosition() }
            drop(feed)
            return report(.failed(feed, reason: error.reason))
        }
        // To some demuxers an interrupted read is the end of the file.
        if decoder.demuxer.interrupt.isRaised { return decoder.forgetPosition() }
        if count > 0, let samples = buffer.baseAddress { feed.ring.append(samples, count: count) }
        if count == 0 { feed.ring.finish() }
        let ready = feed.ring.start + DecodingThread.enoughToBegin
        if before < ready && (feed.ring.end >= ready || feed.ring.isComplete) { report(.ready(feed)) }
        if feed.isStarving.exchange(false, ordering: .acquiringAndReleasing) { report(.refilled(feed)) }
    }

    private func closeRetired() {
        // Let go of after the lock: closing a file may take a moment.
        let closing = work.withLock { work in
            let idle = work.retired.filter { index in !work.feeds.contains { $0.trackIndex == index } }
            work.retired.subtract(idle)
            return idle.map { index in
                defer { work.decoders[index] = nil }
                return work.decoders[index]
            }
        }
        withExtendedLifetime(closing) {}
    }

    private func drop(_ feed: Feed) {
        work.withLock { work in work.feeds.removeAll { $0 === feed } }
    }
}
