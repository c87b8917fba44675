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
        var descriptor = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&descriptor, 1, Self.patienceMilliseconds) == 1 else { return }
        avahi_threaded_poll_stop(poll)
        Unmanaged.passUnretained(self).release()
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
