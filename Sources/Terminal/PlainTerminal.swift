internal import Glibc
internal import LinuxSystem
package import TextScreen

/// A terminal whose keys come one by one while it shows nothing but lines, as a screen reader likes it.
///
/// For one thread, and one at a time in a process. Lines are written by whoever owns it, with no more than line feeds.
package final class PlainTerminal {
    private static let escapeDelay: Int32 = 25
    private static let mostRead = 4_096

    /// To be watched for input; reading from it is `readInput`'s affair.
    package let inputDescriptor: Int32
    private var mode: TerminalMode
    private var decoder = InputDecoder()
    private var isOpen = true
    private var isGone = false

    /// Takes the keyboard.
    ///
    /// - Throws: `noTerminal`.
    package init(input: Int32 = 0) throws(TerminalError) {
        guard let mode = TerminalMode(of: input) else { throw .noTerminal }
        inputDescriptor = input
        self.mode = mode
        enter()
    }

    deinit {
        close()
    }

    private func enter() {
        mode.enter(hasLines: true)
        CrashRestore.arm(output: 1, input: inputDescriptor, mode: mode.original, farewell: [])
    }

    /// Rings, or whatever the terminal does instead.
    package func bell() {
        var bell: UInt8 = 0x07
        _ = write(1, &bell, 1)
    }

    /// What has been typed since the last time, without waiting for more than the rest of a key (25 ms).
    ///
    /// - Throws: `gone` once there will be no more.
    package func readInput() throws(TerminalError) -> [ScreenInput] {
        guard isOpen, !isGone else { throw .gone }
        var events = decoder.feed(read(waiting: 0)[...], at: MonotonicClock.now())
        if decoder.mayBeEscapeKey {
            let rest = read(waiting: Self.escapeDelay)
            let now = MonotonicClock.now()
            events += rest.isEmpty ? decoder.pause(at: now) : decoder.feed(rest[...], at: now)
        }
        if isGone, events.isEmpty { throw .gone }
        return events
    }

    private func read(waiting milliseconds: Int32) -> [UInt8] {
        var ready = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, milliseconds) > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Self.mostRead) { buffer, filled in
            let count = Glibc.read(inputDescriptor, buffer.baseAddress, Self.mostRead)
            filled = max(0, count)
            isGone = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        }
    }

    /// Gives the keyboard back and stops the process (Ctrl-Z, SIGTSTP); returns once it goes on in the foreground.
    package func suspend() {
        guard isOpen else { return }
        giveBack()
        repeat { JobControl.stop() } while !mode.isInForeground && !JobControl.isAskedToEnd
        if mode.isInForeground { enter() }
    }

    /// The process goes on after it was stopped by somebody else (SIGCONT).
    package func continued() {
        guard isOpen, mode.isInForeground else { return }
        giveBack()
        enter()
    }

    /// Gives the keyboard back for good.
    package func close() {
        guard isOpen else { return }
        giveBack()
        isOpen = false
    }

    private func giveBack() {
        mode.restore()
        CrashRestore.disarm()
    }
}
