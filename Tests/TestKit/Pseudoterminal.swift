import Foundation
internal import LinuxSystem
internal import WireProtocol

/// The bare other end of a terminal: what a program sends to it is kept, byte by byte, and nothing is done with it.
package final class Pseudoterminal: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isReading = true
        var isOpen = true
        var isToClose = false
    }

    private let master: Int32
    private let state = Guarded(State())
    /// To be opened by the program.
    package let path: String

    package init(columns: Int, rows: Int) throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        guard openpty(&master, &slave, nil, nil, nil) == 0, let name = ttyname(slave) else {
            throw TestFailure("no pseudoterminal: \(String(cString: strerror(errno)))")
        }
        path = String(cString: name)
        close(slave)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK)
        self.master = master
        resize(columns: columns, rows: rows)
        Thread.detachNewThread { [weak self] in
            while self?.read() == true {}
        }
    }

    deinit {
        if state.withLock({ $0.isOpen }) { close(master) }
    }

    /// Takes what is there, or waits a moment for it; false once the terminal is closed, which happens here only.
    private func read() -> Bool {
        if state.withLock({ $0.isReading }) {
            var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, 20) <= 0 || ready.revents & Int16(POLLIN) == 0 { usleep(5_000) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = Foundation.read(master, &buffer, buffer.count)
            if count > 0 { state.withLock { $0.bytes += buffer[..<count] } }
        } else {
            usleep(20_000)
        }
        return state.withLock { state in
            guard state.isToClose else { return true }
            close(master)
            state.isOpen = false
            return false
        }
    }

    package func resize(columns: Int, rows: Int) {
        var size = winsize(
            ws_row: UInt16(truncatingIfNeeded: rows), ws_col: UInt16(truncatingIfNeeded: columns), ws_xpixel: 0,
            ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// What the program has sent so far.
    package var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// The same as text, `␛` for each ESC.
    package var text: String {
        String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\u{1B}", with: "␛")
    }

    package func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    /// A terminal that takes nothing, or does so again.
    package func freeze(_ isFrozen: Bool) {
        state.withLock { $0.isReading = !isFrozen }
    }

    /// Closes the terminal, as when its window is closed or the connection is cut.
    package func hangUp() {
        state.withLock { $0.isToClose = true }
    }

    /// Waits until what has come behind `mark` contains `text`; throws, with that, where it does not come.
    package func wait(for text: String, after mark: Int = 0, within seconds: Double = 20) throws {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        let wanted = Array(text.replacingOccurrences(of: "␛", with: "\u{1B}").utf8)
        while true {
            let new = bytes.dropFirst(mark)
            if new.indices.contains(where: { new[$0...].starts(with: wanted) }) { return }
            if MonotonicClock.now() > end { throw TestFailure("no “\(text)” came, but \(self.text.suffix(2_000))") }
            usleep(2_000)
        }
    }

    /// The mode of the line discipline, as `stty -g` would tell it.
    package var mode: [UInt32] {
        var mode = termios()
        tcgetattr(master, &mode)
        return [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
    }
}
