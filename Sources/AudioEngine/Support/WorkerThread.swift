internal import Glibc
internal import LinuxSystem

/// A thread that runs one function, joined at its end.
// Unchecked: `thread` is written in `init` and read by whoever calls `join`, once.
final class WorkerThread: @unchecked Sendable {
    private let thread: pthread_t

    /// - Throws: `SystemError` of pthread_create.
    init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run: body))
        let code = pthread_create(&thread, nil, runBody, context.toOpaque())
        if code != 0 {
            context.release()
            throw SystemError("pthread_create", errno: code)
        }
        self.thread = thread
    }

    /// Waits until the function has returned; call it exactly once.
    func join() {
        pthread_join(thread, nil)
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<WorkerThread.Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
