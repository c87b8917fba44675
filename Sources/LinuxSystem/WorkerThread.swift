internal import CLinux
internal import Glibc

/// A thread of its own for work that may block, so that no loop and no task pool waits for it.
///
/// All signals stay blocked in it, since a loop waits for them elsewhere.
// Unchecked: the identifier never changes.
package final class WorkerThread: @unchecked Sendable {
    private final class Body: Sendable {
        let name: StaticString
        let run: @Sendable () -> Void

        init(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let thread: pthread_t

    /// Starts a thread that ends with `run`; it is to be joined or detached, once.
    ///
    /// `name`, at most 15 bytes, is what ps and debuggers show.
    /// - Throws: `SystemError` of pthread_create.
    package init(_ name: StaticString, _ run: @escaping @Sendable () -> Void) throws(SystemError) {
        var every = sigset_t()
        var before = sigset_t()
        sigfillset(&every)
        // A thread inherits the mask: set around its birth, no signal can slip in.
        pthread_sigmask(SIG_BLOCK, &every, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(name, run))
        let code = pthread_create(&thread, nil, Self.entry, body.toOpaque())
        if code != 0 {
            body.release()
            throw SystemError("pthread_create", errno: code)
        }
        self.thread = thread
    }

    /// Waits until the function has returned; on the thread itself it detaches instead.
    package func join() {
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// Lets the thread end by itself, whenever that is.
    package func detach() {
        pthread_detach(thread)
    }

    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context else { return nil }
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        body.name.withUTF8Buffer { bytes in
            // A static string ends with a zero byte in memory.
            bytes.withMemoryRebound(to: CChar.self) {
                if let start = $0.baseAddress { allspeak_name_this_thread(start) }
            }
        }
        body.run()
        return nil
    }
}
