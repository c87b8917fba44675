internal import Glibc

/// A counting semaphore: `raise` is lock-free and may be called on the audio path.
// Unchecked: sem_t is made for use by several threads; the pointer never changes.
final class WakeUp: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func raise() {
        sem_post(semaphore)
    }

    /// Blocks until raised; several raises before it count as one.
    func wait() {
        while sem_wait(semaphore) != 0 {}
        while sem_trywait(semaphore) == 0 {}
    }
}
