internal import Glibc
package import TextScreen

/// A terminal whose keys come one by one while it shows nothing but lines, as a screen reader likes it.
///
/// For one thread, and one at a time in a process. Lines are written by whoever owns it, with no more than line feeds.
package final class PlainTerminal {
    /// No list is drawn, and nothing can be tapped.
    private static let size = ScreenSize(columns: 1, rows: 1)

    private let input: TerminalInput
    private var mode: TerminalMode
    private var isOpen = true

    /// Takes the keyboard.
    ///
    /// - Throws: `noTerminal`.
    package init(input: Int32 = 0) throws(TerminalError) {
        guard let mode = TerminalMode(of: input) else { throw .noTerminal }
        self.input = TerminalInput(input, keys: [:])
        self.mode = mode
        enter()
    }

    deinit {
        close()
    }

    /// To be watched for input; reading from it is `readInput`'s affair.
    package var inputDescriptor: Int32 { input.descriptor }

    private func enter() {
        mode.enter(hasLines: true)
        CrashRestore.arm(output: 1, input: input.descriptor, mode: mode.original, farewell: [])
    }

    /// What has been typed since the last time, without waiting for more than the rest of a key (25 ms).
    ///
    /// - Throws: `gone` once there will be no more.
    package func readInput() throws(TerminalError) -> [ScreenInput] {
        guard isOpen else { throw .gone }
        return try input.read(within: Self.size)
    }

    /// Rings, or whatever the terminal does instead.
    package func bell() {
        var bell: UInt8 = 0x07
        _ = write(1, &bell, 1)
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
