internal import Glibc

/// What happens on some signals, to be put back later.
struct SignalHandlers {
    private let actions: [(signal: Int32, action: sigaction)]

    init(_ signals: [Int32]) {
        actions = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return (signal, action)
        }
    }

    func restore() {
        for (signal, action) in actions {
            var action = action
            sigaction(signal, &action, nil)
        }
    }

    /// Runs `body` while this thread does not get `signal`.
    static func whileBlocked(_ signal: Int32, _ body: () -> Void) {
        var set = sigset_t()
        var before = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        pthread_sigmask(SIG_BLOCK, &set, &before)
        body()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// Stopping and going on, as a shell's jobs do.
enum JobControl {
    /// Stops this process and the others of its job, as Ctrl-Z does; returns once somebody lets it go on.
    ///
    /// Where the job has no shell that could, it goes on at once (POSIX.1-2017, 2.4.3: orphaned process groups).
    static func stop() {
        let handlers = SignalHandlers([SIGTSTP])
        defer { handlers.restore() }
        signal(SIGTSTP, SIG_DFL)
        var set = sigset_t()
        var before = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        // It waits until this thread takes it, so that it is stopped before it does anything else.
        pthread_sigmask(SIG_BLOCK, &set, &before)
        kill(0, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// A signal that asks to end waits to be taken.
    static var isAskedToEnd: Bool {
        var waiting = sigset_t()
        sigpending(&waiting)
        return [SIGTERM, SIGHUP, SIGINT].contains { sigismember(&waiting, $0) == 1 }
    }
}
