/// A moment on the process's monotonic clock, in nanoseconds; only differences mean anything.
package struct SteadyTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: SteadyTime, right: SteadyTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time that lies `seconds` later (earlier when negative).
    package static func + (time: SteadyTime, seconds: Double) -> SteadyTime {
        SteadyTime(nanoseconds: time.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// Seconds from `earlier` to `later`.
    package static func - (later: SteadyTime, earlier: SteadyTime) -> Double {
        Double(later.nanoseconds - earlier.nanoseconds) / 1e9
    }
}
