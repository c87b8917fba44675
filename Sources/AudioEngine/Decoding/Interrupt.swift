internal import LinuxSystem
internal import Synchronization
internal import WireProtocol

/// Ends a read: when another thread has no use for it any more, or when its time is over.
///
/// libavformat asks between two blocks of the file, however long it searches in it.
final class Interrupt: Sendable {
    private let raised = Atomic(false)
    private let expired = Atomic(false)
    /// Nanoseconds of the monotonic clock.
    private let deadline = Atomic(Int64.max)

    /// Another thread has no use for what is being read.
    var isRaised: Bool {
        get { raised.load(ordering: .relaxed) }
        set { raised.store(newValue, ordering: .relaxed) }
    }

    /// Whether a read has been ended since the time was set because it took too long.
    var hasExpired: Bool { expired.load(ordering: .relaxed) }

    /// Gives what is read from now on `seconds`, or all the time it takes.
    func setTime(_ seconds: Double?) {
        expired.store(false, ordering: .relaxed)
        let end = seconds.map { (MonotonicClock.now() + $0).nanoseconds } ?? .max
        deadline.store(end, ordering: .relaxed)
    }

    /// Whether the read is to end now; called by whoever reads.
    func isDue() -> Bool {
        if isRaised { return true }
        let end = deadline.load(ordering: .relaxed)
        if end == .max || MonotonicClock.now().nanoseconds < end { return false }
        expired.store(true, ordering: .relaxed)
        return true
    }
}
