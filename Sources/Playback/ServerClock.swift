package import WireProtocol

/// The host's date: wall time read once at start, carried on by the steady clock, so that an NTP step moves no position.
package struct ServerClock: Equatable, Sendable {
    private let wallNanosecondsAtZero: Int64

    package init(now: SteadyTime, wallNanoseconds: Int64) {
        wallNanosecondsAtZero = wallNanoseconds - now.nanoseconds
    }

    /// The date at `time`, cut to milliseconds.
    package func date(at time: SteadyTime) -> WireDate {
        WireDate(milliseconds: (time.nanoseconds + wallNanosecondsAtZero) / 1_000_000)
    }

    /// The steady time that `date` stands for.
    package func time(of date: WireDate) -> SteadyTime {
        SteadyTime(nanoseconds: date.milliseconds * 1_000_000 - wallNanosecondsAtZero)
    }

    /// The first whole millisecond at or after `time`, and the steady time it stands for.
    ///
    /// An anchor is given for that instant rather than for `time`, so that rounding the date costs no accuracy.
    package func anchorInstant(notBefore time: SteadyTime) -> (date: WireDate, time: SteadyTime) {
        let milliseconds = (time.nanoseconds + wallNanosecondsAtZero + 999_999) / 1_000_000
        return (
            WireDate(milliseconds: milliseconds),
            SteadyTime(nanoseconds: milliseconds * 1_000_000 - wallNanosecondsAtZero)
        )
    }
}
