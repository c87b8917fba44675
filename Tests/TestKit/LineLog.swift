import Foundation
internal import LinuxSystem
package import WireProtocol

/// The lines that come out of a descriptor, each with the moment it came, read by a thread of their own.
package final class LineLog: Sendable {
    package struct Line: Sendable {
        package var text: String
        package var at: SteadyTime
        /// Place among the lines, from 0.
        package var place: Int
    }

    private struct State {
        var lines: [Line] = []
        var rest: [UInt8] = []
        var isEnded = false
    }

    private let state = Guarded(State())

    /// Takes over `descriptor` and closes it at its end.
    package init(reading descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { break }
                take(buffer[..<count])
            }
            close(descriptor)
            state.withLock { $0.isEnded = true }
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        let now = MonotonicClock.now()
        state.withLock { state in
            var rest = bytes
            while let end = rest.firstIndex(of: 0x0A) {
                let text = String(decoding: state.rest + rest[..<end], as: UTF8.self)
                state.lines.append(Line(text: text, at: now, place: state.lines.count))
                state.rest = []
                rest = rest[(end + 1)...]
            }
            state.rest += rest
        }
    }

    package var lines: [Line] { state.withLock { $0.lines } }
    /// How many lines there are; a mark to wait behind.
    package var count: Int { state.withLock { $0.lines.count } }
    /// The other side has closed.
    package var isEnded: Bool { state.withLock { $0.isEnded } }
    /// What came after the last line end.
    package var rest: String { state.withLock { String(decoding: $0.rest, as: UTF8.self) } }
    package var text: String { (lines.map(\.text) + [rest]).joined(separator: "\n") }

    /// What `pick` makes of the first line from `mark` on that it accepts, waited for up to `seconds`.
    package func first<Result>(
        after mark: Int = 0, within seconds: Double = 5, _ pick: (Line) -> Result?
    ) -> Result? {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        var seen = mark
        while true {
            let (new, isEnded) = state.withLock { ($0.lines.dropFirst(seen), $0.isEnded) }
            for line in new {
                if let found = pick(line) { return found }
            }
            seen += new.count
            if new.isEmpty && (isEnded || MonotonicClock.now() > end) { return nil }
            usleep(1_000)
        }
    }

    /// Waits for the end of the output; false if there is none within `seconds`.
    @discardableResult
    package func waitForEnd(within seconds: Double) -> Bool {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        while !isEnded {
            if MonotonicClock.now() > end { return false }
            usleep(1_000)
        }
        return true
    }
}
