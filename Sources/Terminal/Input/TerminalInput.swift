internal import Glibc
internal import LinuxSystem
internal import TextScreen

/// What comes from the terminal, without ever waiting for it.
final class TerminalInput {
    /// Milliseconds that may lie between an ESC and the rest of a key's sequence; the Escape key is noticed this late.
    private static let escapeDelay: Int32 = 25
    /// Bytes read at a time, so that a flood keeps nobody waiting.
    private static let mostRead = 4_096

    let descriptor: Int32
    private var decoder: InputDecoder
    private var isGone = false

    init(_ descriptor: Int32, keys: [[UInt8]: ScreenInput.Key]) {
        self.descriptor = descriptor
        decoder = InputDecoder(keys: keys)
    }

    /// What has been done since the last time; taps outside of `size` are passed over.
    ///
    /// - Throws: `gone` once there will be no more.
    func read(within size: ScreenSize) throws(TerminalError) -> [ScreenInput] {
        guard !isGone else { throw .gone }
        var events = decoder.feed(bytes(waiting: 0)[...], at: MonotonicClock.now())
        var tries = 4
        while decoder.mayBeEscapeKey {
            let bytes = tries > 0 ? bytes(waiting: Self.escapeDelay) : []
            tries -= 1
            let now = MonotonicClock.now()
            events += bytes.isEmpty ? decoder.pause(at: now) : decoder.feed(bytes[...], at: now)
        }
        if isGone, events.isEmpty { throw .gone }
        return events.filter { input in
            switch input {
            case .tapped(let row, let column), .scrolled(_, let row, let column):
                row < size.rows && column < size.columns
            default: true
            }
        }
    }

    /// What is there; nothing if nothing comes within `milliseconds`.
    private func bytes(waiting milliseconds: Int32) -> [UInt8] {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard !isGone, poll(&ready, 1, milliseconds) > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Self.mostRead) { buffer, filled in
            let count = Glibc.read(descriptor, buffer.baseAddress, Self.mostRead)
            filled = max(0, count)
            // Every byte counts for a read, so none at all is the end.
            isGone = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        }
    }
}
