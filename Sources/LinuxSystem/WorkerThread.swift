internal import CLinux
internal import Glibc

/// A thread of its own for work that may block, so that no loop and no task pool waits for it.
package enum WorkerThread {
    private final class Body: Sendable {
        let name: StaticString
        let run: @Sendable () -> Void

        init(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a detached thread; `name` (at most 15 bytes) is what ps and debuggers show.
    package static func start(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(name, run)).toOpaque()
        let failure = pthread_create(&thread, nil, threadEntry, body)
        precondition(failure == 0, "the system gives no more threads")
        pthread_detach(thread)
    }

    private static let threadEntry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
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
