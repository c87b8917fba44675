internal import CCurses
internal import CLinux
internal import Glibc
internal import LinuxSystem
internal import TextScreen

/// The screen of ncursesw: knows what the terminal shows, and composes the fewest bytes that make it show something else.
///
/// It never touches the terminal. Its output is a file in memory, whose content goes where the caller wants it: so a
/// terminal that takes nothing keeps nobody waiting, and a frame is sent in one go. A process has one at a time, on one thread.
final class CursesScreen {
    /// More than any real one; a terminal that claims more is drawn on up to here.
    ///
    /// A cell costs 84 bytes.
    static let largest = ScreenSize(columns: 1_000, rows: 300)

    private let screen: OpaquePointer
    /// Its descriptor is a file in memory; curses writes to the descriptor, not through the stream.
    private let file: UnsafeMutablePointer<FILE>
    private let rewriter: SequenceRewriter
    private let styles: RoleStyles
    /// What a terminal is sent to give it back to the shell, wherever its cursor is.
    let farewell: [UInt8]
    /// The terminal can tell of taps.
    let hasMouse: Bool
    /// What the terminal's special keys send, as terminfo has it.
    let keys: [[UInt8]: ScreenInput.Key]

    /// - Parameters:
    ///   - term: the terminal's kind, as in TERM.
    ///   - size: the terminal's, now.
    ///   - environment: where NO_COLOR and COLORTERM come from.
    /// - Throws: `unknown`, `tooPlain` or `system`.
    init(term: String, size: ScreenSize, environment: (String) -> String?) throws(TerminalError) {
        CharacterLocale.set()
        let descriptor = allspeak_memory_file("screen")
        guard descriptor >= 0, let file = fdopen(descriptor, "r+") else {
            throw .system(.last("memfd_create", subject: "screen"))
        }
        do throws(TerminalError) {
            try Self.check(term, descriptor)
            // Neither LINES and COLUMNS of the environment nor the kind's usual size: the caller knows the size.
            use_env(false)
            use_tioctl(true)
            let handlers = SignalHandlers([SIGINT, SIGTERM, SIGTSTP, SIGWINCH])
            let screen = newterm(term, file, file)
            // Signals are the caller's.
            handlers.restore()
            guard let screen else { throw .system(SystemError("newterm", subject: term, errno: ENOMEM)) }
            self.screen = screen
        } catch {
            fclose(file)
            throw error
        }
        self.file = file

        typeahead(-1)
        nonl()
        let colours = has_colors() && environment("NO_COLOR") == nil
        if colours {
            start_color()
            use_default_colors()
        }
        let depth = ColourDepth(
            colours: colours ? Int(allspeak_colours()) : 0, isDirect: tigetflag("RGB") > 0,
            numbering: Self.text(allspeak_with_number("setaf", 200)), term: term, environment: environment)
        var rewriter = SequenceRewriter()
        // The colours that the user has given the terminal are to stay, and none was changed here.
        if let reset = Self.text(allspeak_capability("oc")) { rewriter.replace(reset) }
        styles = RoleStyles(depth, &rewriter)
        self.rewriter = rewriter
        hasMouse = allspeak_capability("kmous") != nil
        keys = Self.specialKeys()

        resize_term(Int32(min(size.rows, Self.largest.rows)), Int32(min(size.columns, Self.largest.columns)))
        leaveok(allspeak_standard_window(), true)
        curs_set(0)
        // Once in and out, unseen, to learn what curses sends at the end.
        wnoutrefresh(allspeak_standard_window())
        doupdate()
        _ = Self.take(from: file)
        endwin()
        farewell = rewriter.rewritten(Self.take(from: file))
    }

    deinit {
        // Whatever it still has to say to the terminal goes nowhere.
        endwin()
        delscreen(screen)
        fclose(file)
    }

    // MARK: Drawing

    func resize(to size: ScreenSize) {
        resize_term(Int32(min(size.rows, Self.largest.rows)), Int32(min(size.columns, Self.largest.columns)))
    }

    /// Replaces a row.
    func put(_ runs: [Canvas.Run], row: Int) {
        let window = allspeak_standard_window()
        guard wmove(window, Int32(row), 0) == OK else { return }
        wclrtoeol(window)
        // To fill the last cell without scrolling, curses looks at the one before it, also where there is none (6.4).
        if getmaxx(window) == 1, row == getmaxy(window) - 1 { return }
        for run in runs where (0..<Self.largest.columns).contains(run.column) {
            let cells = CellRow(run.text, styles[run.role]).cells
            _ = allspeak_put_cells(Int32(row), Int32(run.column), cells, Int32(cells.count))
        }
    }

    /// `nil` hides it.
    func setCursor(_ place: Canvas.Place?) {
        leaveok(allspeak_standard_window(), place == nil)
        curs_set(place == nil ? 0 : 1)
        if let place { wmove(allspeak_standard_window(), Int32(place.row), Int32(place.column)) }
    }

    /// The next frame is sent as a whole: what the terminal shows is not known.
    func repaintAll() {
        allspeak_repaint_all()
    }

    /// What to send so that the terminal shows what was put; the first time, and after `leave`, it begins with what
    /// makes the terminal fit to be drawn on.
    func frame() -> [UInt8] {
        wnoutrefresh(allspeak_standard_window())
        doupdate()
        return rewriter.rewritten(Self.take(from: file))
    }

    /// What to send to give the terminal back.
    func leave() -> [UInt8] {
        endwin()
        return rewriter.rewritten(Self.take(from: file))
    }

    // MARK: Beginning

    /// - Throws: what is wrong with this kind of terminal.
    private static func check(_ term: String, _ descriptor: Int32) throws(TerminalError) {
        var found: Int32 = 0
        guard setupterm(term, descriptor, &found) == OK else { throw .unknown(term) }
        let isPlain = allspeak_capability("cup") == nil || allspeak_capability("clear") == nil
        allspeak_forget_terminal()
        if isPlain { throw .tooPlain(term) }
    }

    private static func specialKeys() -> [[UInt8]: ScreenInput.Key] {
        let names: [(String, ScreenInput.Key)] = [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("kpp", .pageUp), ("knp", .pageDown),
            ("khome", .home), ("kend", .end), ("kcbt", .backTab), ("kent", .enter),
        ]
        var keys: [[UInt8]: ScreenInput.Key] = [:]
        for (name, key) in names {
            guard let text = text(allspeak_capability(name)) else { continue }
            // What does not begin with ESC is a control character with a meaning of its own.
            if text.utf8.first == 0x1B, text.utf8.count > 1 { keys[Array(text.utf8)] = key }
        }
        return keys
    }

    private static func text(_ capability: UnsafePointer<CChar>?) -> String? {
        capability.map { String(cString: $0) }
    }

    /// What curses has written since the last time.
    private static func take(from file: UnsafeMutablePointer<FILE>) -> [UInt8] {
        let descriptor = fileno(file)
        let count = lseek(descriptor, 0, SEEK_CUR)
        guard count > 0 else { return [] }
        lseek(descriptor, 0, SEEK_SET)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }
}
