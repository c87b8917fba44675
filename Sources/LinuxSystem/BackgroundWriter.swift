internal import CLinux
internal import Glibc
internal import WireProtocol

/// Writes lines to a descriptor from a thread of its own, so that a reader that has stopped never stops the program.
package final class BackgroundWriter: Sendable {
    private struct Queue {
        var bytes: [UInt8] = []
        var isWriting = false
        var droppedLines = 0
        var failure: SystemError?
    }

    /// Bytes kept for a reader that does not read; beyond, lines are dropped and counted.
    private static let capacity = 1 << 20

    private let target: Int32
    private let queue = Guarded(Queue())
    private let wake: FileDescriptor

    /// Writes to `target`, which stays open and is not closed.
    ///
    /// - Throws: `SystemError` when the system gives no thread or descriptor.
    package init(to target: Int32) throws(SystemError) {
        self.target = target
        wake = FileDescriptor(owning: try retryingInterrupts("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) })
        // It lives as long as the process.
        try WorkerThread("output") { [self] in run() }.detach()
    }

    /// Appends a line feed; returns at once.
    package func write(line: [UInt8]) {
        queue.withLock { queue in
            guard queue.bytes.count + line.count < Self.capacity else {
                queue.droppedLines += 1
                return
            }
            queue.bytes += line
            queue.bytes.append(0x0A)
        }
        eventfd_write(wake.raw, 1)
    }

    /// Why something could not be written, if so; what comes later is tried all the same.
    package var failure: SystemError? { queue.withLock { $0.failure } }

    /// Waits until everything is written, `seconds` at most.
    package func flush(within seconds: Double) {
        let deadline = MonotonicClock.now() + seconds
        while MonotonicClock.now() < deadline {
            if queue.withLock({ $0.bytes.isEmpty && !$0.isWriting }) { return }
            usleep(1_000)
        }
    }

    private func run() {
        while true {
            var count: eventfd_t = 0
            eventfd_read(wake.raw, &count)
            while true {
                let batch = queue.withLock { queue in
                    defer { queue.bytes = [] }
                    queue.isWriting = !queue.bytes.isEmpty
                    return queue.bytes
                }
                if batch.isEmpty { break }
                writeAll(batch)
            }
        }
    }

    private func writeAll(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(target, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
                poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                let failure = SystemError.last("write")
                return queue.withLock { $0.failure = $0.failure ?? failure }
            }
        }
    }
}
