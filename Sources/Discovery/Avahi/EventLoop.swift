internal import CAvahi
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A thread of its own that runs Avahi's poll loop and, one at a time, the jobs posted to it.
///
/// Avahi's client calls block on D-Bus, for as long as 25 s when the daemon hangs. So every Avahi object is made, used and
/// freed by jobs on this thread (which holds the poll's lock while it runs them), and nobody else ever waits for the lock.
/// `stop` has to be called once; the thread keeps the loop alive until then.
// Unchecked: the C pointers are set before the thread starts and afterwards used by the thread, and by `stop` once it ended.
final class EventLoop: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    /// How long `stop` waits for a thread that hangs in D-Bus before it leaves it to the end of the process.
    static let patienceMilliseconds: Int32 = 500

    let api: UnsafePointer<AvahiPoll>
    private let poll: OpaquePointer
    private let jobs = Mailbox<Job>()
    private let ended = Mailbox<Void>()
    private var watch: OpaquePointer?
    private let isStopped = Atomic(false)

    /// Starts the thread; `nil` where the system has no memory or thread left.
    init?() {
        guard let poll = avahi_threaded_poll_new() else { return nil }
        guard let api = avahi_threaded_poll_get(poll) else {
            avahi_threaded_poll_free(poll)
            return nil
        }
        self.poll = poll
        self.api = api
        let context = Unmanaged.passRetained(self)
        watch = api.pointee.watch_new(api, jobs.descriptor, AVAHI_WATCH_IN, runJobs, context.toOpaque())
        guard watch != nil, avahi_threaded_poll_start(poll) == 0 else {
            context.release()
            return nil
        }
    }

    deinit {
        if let watch { api.pointee.watch_free(watch) }
        avahi_threaded_poll_free(poll)
    }

    /// Has the thread run `job` after those posted before; never waits.
    func post(_ job: @escaping Job) {
        jobs.post(job)
    }

    /// Runs `lastJob`, which frees every Avahi object, on the thread, and ends the thread.
    func stop(lastJob: @escaping Job) {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        post { [self] in
            lastJob()
            jobs.close()
            avahi_threaded_poll_quit(poll)
            ended.post(())
        }
        if hasEnded(withinMilliseconds: Self.patienceMilliseconds) {
            join()
        } else {
            joinLater()
        }
    }

    private func hasEnded(withinMilliseconds limit: Int32) -> Bool {
        var descriptor = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&descriptor, 1, limit) == 1
    }

    private func join() {
        avahi_threaded_poll_stop(poll)
        // The reference of `init`, for the thread.
        Unmanaged.passUnretained(self).release()
    }

    /// Leaves the waiting to a thread that the end of the process may cut off.
    private func joinLater() {
        var waiter = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&waiter, nil, waitAndJoin, context.toOpaque()) == 0 else { return context.release() }
        pthread_detach(waiter)
    }

    fileprivate func waitAndJoinNow() {
        while !hasEnded(withinMilliseconds: -1) {}
        join()
    }

    fileprivate func runWaitingJobs() {
        for job in jobs.drain() { job() }
    }
}

private func runJobs(
    _ watch: OpaquePointer?, _ descriptor: Int32, _ event: AvahiWatchEvent, _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().runWaitingJobs()
}

private func waitAndJoin(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().waitAndJoinNow() }
    return nil
}
