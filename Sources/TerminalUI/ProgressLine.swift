internal import Glibc
internal import LinuxSystem
internal import WireProtocol

/// How far a long piece of work is, on one line of the terminal that is written over; nothing where there is no terminal.
package struct ProgressLine {
    /// Seconds before the line appears, and between two changes of it.
    private static let interval = 0.2
    private static let columns = 30

    private let words: String
    private let isShown: Bool
    private let hasCursor: Bool
    private var nextDraw: SteadyTime
    private var isDrawn = false

    /// `words` stand before the bar, such as `Copying`.
    package init(_ words: String, isShown: Bool = true) {
        self.words = words
        self.isShown = isShown && isatty(STDERR_FILENO) == 1
        hasCursor = Environment.value("TERM") != "dumb"
        nextDraw = MonotonicClock.now() + Self.interval
    }

    /// `done` of `total` bytes are done.
    package mutating func update(_ done: Int, of total: Int) {
        guard isShown, total > 0, MonotonicClock.now() >= nextDraw else { return }
        nextDraw = MonotonicClock.now() + Self.interval
        isDrawn = true
        let filled = min(Self.columns, done * Self.columns / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.columns - filled)
        Self.write(
            "\r\(words) [\(bar)] \(done * 100 / total) % of \(ByteText.size(total))" + (hasCursor ? "\u{1B}[K" : "  "))
    }

    /// Takes the line away.
    package mutating func finish() {
        guard isDrawn else { return }
        isDrawn = false
        Self.write(hasCursor ? "\r\u{1B}[K" : "\n")
    }

    /// A terminal that cannot be written to is no reason to stop.
    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
