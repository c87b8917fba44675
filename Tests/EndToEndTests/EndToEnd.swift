import Testing

/// The real programs, a real sound server and real mDNS.
///
/// One test at a time: they share the mDNS of the run, where a host too many would be found by everybody, and they measure.
@Suite("End to end", .serialized, .timeLimit(.minutes(3)))
struct EndToEnd {}
