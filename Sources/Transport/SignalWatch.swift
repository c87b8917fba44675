internal import CLinux
internal import Glibc
package import LinuxSystem

/// Termination signals as events of a loop.
package final class SignalWatch {
    /// The ones that ask a program to end.
    package static let termination = [SIGTERM, SIGINT, SIGHUP]

    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private var watch: EventLoop.Watch?

    /// Blocks `signals` for this thread and those it starts from now on, and reports them to `handler`.
    ///
    /// To be made before any other thread, or that one would still be killed by them.
    /// - Throws: `SystemError` when the system has no descriptor left.
    package init(
        _ signals: [Int32], loop: EventLoop, _ handler: @escaping (Int32) -> Void
    ) throws(SystemError) {
        self.loop = loop
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let raw = try retryingInterrupts("signalfd") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) }
        descriptor = FileDescriptor(owning: raw)
        watch = try loop.watch(raw) { _ in
            var information = signalfd_siginfo()
            while read(raw, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(Int32(information.ssi_signo))
            }
        }
    }

    deinit {
        if let watch { loop.unwatch(watch, of: descriptor.raw) }
    }
}
