/// How long the server takes to hear of a change, and with it how far ahead of the ear a change has to begin.
///
/// What comes too late loses the beginning of its fade and clicks; what waits too long is a late answer to a tap. A server
/// that is awake hears within a fraction of a millisecond; one on a machine with other work to do, in ten or more.
struct Promptness {
    /// Seconds; the worst of late, which is forgotten by a fifth with each better one.
    private var delay = 0.001
    private var mixing = 0.0

    /// Takes the seconds from a question to the moment for which it was answered.
    mutating func note(_ seconds: Double) {
        delay = max(seconds, delay * 0.8)
    }

    /// Takes the seconds that mixing and handing over a change took, which the server hears of only then.
    mutating func noteMixing(_ seconds: Double) {
        mixing = max(seconds, mixing * 0.8)
    }

    /// Frames from what can still be changed to where something new begins: three times the delay, as the server's mixing
    /// thread has yet to be told, our own mixing, and 2 ms.
    var margin: Int64 {
        Int64(min(0.03, 0.002 + 3 * delay + 1.5 * mixing) * Double(Format.rate))
    }
}
