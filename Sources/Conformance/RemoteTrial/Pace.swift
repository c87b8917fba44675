/// How late things may be where a trial is played.
package struct Pace: Equatable, Sendable {
    /// Seconds by which a remote may be late.
    package let late: Double
    /// Seconds by which a shown position may be wrong, beside the round trip.
    package let drift: Double

    /// Real processes: wide enough for fourteen remotes at a time on two busy cores.
    package static let real = Pace(late: 0.2, drift: 0.04)
    /// Virtual time, on which nothing is late but what a position's two decimals hide.
    package static let virtual = Pace(late: 0.005, drift: 0.006)
}
