/// A moment on the process's monotonic clock, in nanoseconds; only differences mean anything.
package struct SteadyTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: SteadyTime, right: SteadyTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time that lies `seconds` later (earlier when negative); past the clock's range, its last moment.
    ///
    /// A delay may come from a number that a peer sent, so no finite value traps; NaN counts as 0.
    package static func + (time: SteadyTime, seconds: Double) -> SteadyTime {
        let delay = (seconds * 1e9).rounded()
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(
            Int64(exactly: delay) ?? (delay > 0 ? .max : delay < 0 ? .min : 0))
        return SteadyTime(nanoseconds: overflow ? (seconds > 0 ? .max : .min) : sum)
    }

    /// Seconds from `earlier` to `later`.
    package static func - (later: SteadyTime, earlier: SteadyTime) -> Double {
        Double(later.nanoseconds - earlier.nanoseconds) / 1e9
    }
}
