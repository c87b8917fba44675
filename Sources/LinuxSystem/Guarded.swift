internal import Glibc

/// A value that several threads use, one at a time.
///
/// Used in place of the standard library's `Mutex`, because of two things that one cannot do. The thread sanitizer cannot
/// see it: where threads meet, it takes the lock inside libswiftSynchronization, which is not instrumented, so that every
/// use under contention is reported as a race. And it does not lend its holder the priority of those who wait, so that a
/// thread in the background could keep a real-time one waiting.
///
/// It may block, so nothing that hands sound to the device may use it.
// Unchecked: the value is touched only while the lock is held, and whatever goes in or comes out is sent.
package struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Both at an address of their own: a lock must not move while threads wait for it.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        self.mutex = .allocate(capacity: 1)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // A thread that takes the lock twice would wait for itself; this way it is told.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
        let code = pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        precondition(code == 0, "the system gives no lock")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Has `body` use the value while no other thread does; `body` must neither wait for anything nor use this value again.
    ///
    /// - Throws: What `body` throws.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let code = pthread_mutex_lock(mutex)
        precondition(code == 0, "a thread waits for itself")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
