internal import Glibc
internal import LinuxSystem

/// Bytes on their way to a terminal that may take them slowly, or not at all.
final class TerminalOutput {
    /// An open file of our own, where the system allows it.
    ///
    /// The one handed over is also the shell's, which would find it non-blocking. Where it has to do, a stalled terminal
    /// keeps us waiting.
    private let own: FileDescriptor?
    let descriptor: Int32
    private var rest: ArraySlice<UInt8> = []
    /// Nobody will ever take anything again.
    private(set) var isGone = false

    init(_ descriptor: Int32) {
        let opened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        own = opened < 0 ? nil : FileDescriptor(owning: opened)
        self.descriptor = opened < 0 ? descriptor : opened
    }

    /// There is something the terminal has not taken yet.
    var isBehind: Bool { !rest.isEmpty && !isGone }

    func send(_ bytes: [UInt8]) {
        rest += bytes
        flush()
    }

    /// Sends as much as is taken at once.
    func flush() {
        while !rest.isEmpty && !isGone {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                isGone = true
            }
        }
        rest = []
    }

    /// Sends `bytes` in place of what is left, and waits for at most `milliseconds` until they are taken.
    ///
    /// They have to begin with ESC, which ends whatever was sent in part.
    func sendLast(_ bytes: [UInt8], waiting milliseconds: Int32) {
        rest = []
        send(bytes)
        guard isBehind else { return }
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&room, 1, milliseconds) > 0 { flush() }
        rest = []
    }
}
