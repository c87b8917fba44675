internal import Glibc

/// How the system treats what is typed: line by line with echo for a shell, byte by byte for a screen.
struct TerminalMode {
    let descriptor: Int32
    /// As it was found; what `restore` brings back.
    private(set) var original: termios

    /// `nil` if this is no terminal.
    init?(of descriptor: Int32) {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return nil }
        self.descriptor = descriptor
        original = mode
    }

    /// Every key comes at once and as it is, Ctrl-C, Ctrl-Z and Ctrl-S included; what is written passes unchanged, or
    /// with `hasLines` as lines.
    ///
    /// In the background the system stops the process here until it is in the foreground.
    mutating func enter(hasLines: Bool = false) {
        var found = termios()
        // The shell may have changed it in the meantime.
        if tcgetattr(descriptor, &found) == 0 { original = found }
        var raw = original
        raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON | PARMRK)
        if !hasLines { raw.c_oflag &= ~tcflag_t(OPOST) }
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        withUnsafeMutableBytes(of: &raw.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    /// Also from the background.
    func restore() {
        SignalHandlers.whileBlocked(SIGTTOU) {
            var mode = original
            // Not after what was written has been taken: a terminal that takes nothing would keep us waiting.
            tcsetattr(descriptor, TCSANOW, &mode)
        }
    }

    /// Whether what is typed is for this process; also where nobody can tell.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// Columns and rows; `nil` where the terminal does not tell.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
