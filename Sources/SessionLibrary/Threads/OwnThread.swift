internal import Glibc

/// One thread; `join` must be called before it is released.
// Unchecked: the identifier never changes.
final class OwnThread: @unchecked Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let thread: pthread_t

    /// Starts it; all signals stay blocked in it, since others wait for them.
    init(_ run: @escaping @Sendable () -> Void) {
        var every = sigset_t()
        var before = sigset_t()
        sigfillset(&every)
        // A thread inherits the mask: set around its birth, no signal can slip in.
        pthread_sigmask(SIG_BLOCK, &every, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        precondition(code == 0, "the system has no thread left")
        self.thread = thread
    }

    /// Waits for its end; on the thread itself it detaches instead.
    func join() {
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}
