internal import Glibc
internal import LinuxSystem
internal import WireProtocol

/// State that threads share, with a way to wait until it changes.
///
/// Every change wakes all who wait; there are two or three of them at most.
// Unchecked: `state` is touched only while `mutex` is held.
final class Monitor<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Deadlines must not move when the wall clock is set.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Changes or reads the state; `body` must not wait for anything.
    func update<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Waits until `body` gives a result; it may also name a moment to be asked again without any change.
    func wait<Result>(_ body: (inout State) -> Wait<Result>) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch body(&state) {
            case .done(let result):
                pthread_cond_broadcast(changed)
                return result
            case .untilChange:
                pthread_cond_wait(changed, mutex)
            case .until(let time):
                var deadline = timespec(
                    tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_nsec: Int(time.nanoseconds % 1_000_000_000))
                pthread_cond_timedwait(changed, mutex, &deadline)
            }
        }
    }
}

/// What a look at a monitor's state came to.
enum Wait<Result> {
    case done(Result)
    case untilChange
    case until(SteadyTime)
}
