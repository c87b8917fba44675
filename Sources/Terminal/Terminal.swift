internal import Glibc
internal import LinuxSystem
package import TextScreen

/// A terminal as a screen to draw on and a keyboard, mouse or finger to read; given back as it was found.
///
/// For one thread, and one at a time in a process. It does nothing by itself: whoever owns it watches `inputDescriptor`,
/// and turns the signals SIGWINCH, SIGCONT and SIGTSTP into `resized`, `continued` and `suspend`, and those that ask to
/// end into `close`. What it shows is given back also where the process dies of a fault of its own.
package final class Terminal {
    /// Where the shell is shown again: nothing has been drawn yet, or the job is stopped.
    private enum State {
        case away
        case shown
        case closed
    }

    /// Milliseconds that a terminal that takes nothing may delay an end.
    private static let patience: Int32 = 200
    /// How often a job that was stopped may be sent to the background before it stays there.
    private static let mostStops = 1_000

    /// How many columns text takes here.
    package let measure = TextMeasure.ofTerminals
    /// How much there is to draw on; as of the last `resized` or `continued`.
    package private(set) var size: ScreenSize

    private let output: TerminalOutput
    private let screen: CursesScreen
    private var mode: TerminalMode
    private let input: TerminalInput
    private var state = State.away
    /// What curses has been given, row by row.
    private var drawn: [[Canvas.Run]] = []
    private var cursor: Canvas.Place?
    /// The size as curses knows it.
    private var screenSize: ScreenSize
    /// Drawn while the terminal was not ready for more; only the newest counts.
    private var waiting: Canvas?

    /// Takes the terminal; it shows nothing of it until the first `draw`.
    ///
    /// - Parameters:
    ///   - input: an open descriptor of the terminal, which stays the caller's.
    ///   - output: likewise, and usually the same terminal.
    ///   - environment: where TERM, COLORTERM and NO_COLOR come from.
    /// - Throws: why there is none to draw on.
    package init(
        input: Int32 = 0, output: Int32 = 1, environment: (String) -> String? = Environment.value
    ) throws(TerminalError) {
        guard isatty(output) == 1, let mode = TerminalMode(of: input) else { throw .noTerminal }
        guard let term = environment("TERM") else { throw .nameless }
        let size = Self.size(of: output)
        self.output = TerminalOutput(output)
        self.mode = mode
        self.size = size
        screenSize = size
        screen = try CursesScreen(term: term, size: size, environment: environment)
        self.input = TerminalInput(input, keys: screen.keys)
        self.mode.enter()
        armCrashRestore()
    }

    deinit {
        close()
    }

    /// Whether a person sits at this process: input and output are terminals.
    package static var isThere: Bool { isatty(0) == 1 && isatty(1) == 1 }

    /// To be watched for input; reading from it is `readInput`'s affair.
    package var inputDescriptor: Int32 { input.descriptor }

    // MARK: Showing

    /// Has the terminal show `canvas`: rows that differ are compared with what is there, and what has changed is sent.
    ///
    /// Where the terminal is not ready for more it is shown later, by `catchUp`, or not at all if another follows.
    package func draw(_ canvas: Canvas) {
        guard state != .closed, !output.isGone, mode.isInForeground else { return }
        output.flush()
        guard !output.isBehind else {
            waiting = canvas
            return
        }
        waiting = nil
        let isFirst = state == .away
        if screenSize != size {
            screen.resize(to: size)
            screenSize = size
            drawn = []
            screen.repaintAll()
        }
        for row in 0..<min(size.rows, CursesScreen.largest.rows) {
            let runs = canvas.rows.indices.contains(row) ? canvas.rows[row] : []
            guard !drawn.indices.contains(row) || drawn[row] != runs else { continue }
            screen.put(runs, row: row)
        }
        drawn = canvas.rows
        if isFirst || cursor != canvas.cursor { screen.setCursor(canvas.cursor) }
        cursor = canvas.cursor
        var bytes = screen.frame()
        if isFirst {
            state = .shown
            armCrashRestore()
            if screen.hasMouse { bytes += Mouse.begin }
        }
        output.send(bytes)
    }

    /// The terminal has not taken all of it yet: call `catchUp` when `outputDescriptor` is writable.
    package var isBehind: Bool { output.isBehind || waiting != nil && !output.isGone }

    /// To be watched for being writable while `isBehind`.
    package var outputDescriptor: Int32 { output.descriptor }

    /// Sends what the terminal has not taken yet, and then the newest of what was drawn meanwhile.
    package func catchUp() {
        output.flush()
        if !output.isBehind, let canvas = waiting { draw(canvas) }
    }

    /// Rings, or whatever the terminal does instead.
    package func bell() {
        if state == .shown, !output.isBehind { output.send([0x07]) }
    }

    // MARK: Reading

    /// What has been done at the terminal since the last time, at most a few kilobytes of it; it never waits for more.
    ///
    /// Only behind an ESC it waits a moment (25 ms), to tell the key from the beginning of another one's sequence.
    /// - Throws: `gone` once the terminal is gone and all it sent has been returned: there will be no more.
    package func readInput() throws(TerminalError) -> [ScreenInput] {
        guard state != .closed else { throw .gone }
        let events = try input.read(within: size)
        if events.contains(.exposed) { screen.repaintAll() }
        return events
    }

    // MARK: Coming and going

    /// The terminal may have another size (SIGWINCH); what is drawn next is drawn anew.
    ///
    /// - Returns: the size that it has now.
    package func resized() -> ScreenSize {
        size = Self.size(of: output.descriptor)
        return size
    }

    /// Gives the terminal back and stops the process (Ctrl-Z, SIGTSTP); returns once it is in the foreground again, or
    /// asked to end.
    ///
    /// - Returns: what it means for the screen, to be handled as input.
    package func suspend() -> [ScreenInput] {
        guard state != .closed else { return [] }
        giveBack()
        var stops = 0
        repeat {
            JobControl.stop()
            stops += 1
            // Let go on in the background, there is nothing to do there, unless a signal that asks to end waits in the loop.
            // The limit is for a job that no shell looks after any more, which cannot be stopped.
        } while !mode.isInForeground && !JobControl.isAskedToEnd && stops < Self.mostStops
        return continued()
    }

    /// The process goes on after it was stopped (SIGCONT), by whom ever.
    ///
    /// - Returns: what it means for the screen, to be handled as input.
    package func continued() -> [ScreenInput] {
        guard state != .closed, mode.isInForeground else { return [] }
        if state == .shown {
            // Stopped without a chance to give the terminal back: whatever it shows now, it is begun anew.
            _ = screen.leave()
            state = .away
            mode.restore()
        }
        mode.enter()
        armCrashRestore()
        let before = size
        return (resized() == before ? [] : [.resized(size)]) + [.exposed]
    }

    /// Gives the terminal back for good; nothing is drawn or read any more.
    package func close() {
        guard state != .closed else { return }
        giveBack()
        state = .closed
    }

    private func giveBack() {
        waiting = nil
        if state == .shown {
            output.sendLast((screen.hasMouse ? Mouse.end : []) + screen.leave(), waiting: Self.patience)
            state = .away
        }
        mode.restore()
        CrashRestore.disarm()
    }

    private func armCrashRestore() {
        CrashRestore.arm(
            output: output.descriptor, input: inputDescriptor, mode: mode.original,
            farewell: state == .shown ? (screen.hasMouse ? Mouse.end : []) + screen.farewell : [])
    }

    /// A line that tells nothing has the size every terminal once had.
    private static func size(of descriptor: Int32) -> ScreenSize {
        let told = TerminalMode.size(of: descriptor) ?? (80, 24)
        return ScreenSize(columns: told.columns, rows: told.rows)
    }
}
