internal import Glibc
package import WireProtocol

/// CLOCK_MONOTONIC, and the host's date derived from it.
package enum MonotonicClock {
    package static func now() -> SteadyTime {
        SteadyTime(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC))
    }

    /// Nanoseconds since 1970 of the wall clock; it may jump.
    package static func wallNanoseconds() -> Int64 {
        nanoseconds(of: CLOCK_REALTIME)
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
