package import LinuxSystem

/// Why there is no screen to draw on.
package enum TerminalError: Error, Equatable, Sendable {
    /// Input or output is a file, a pipe or nothing.
    case noTerminal
    /// TERM is not set.
    case nameless
    /// The terminfo database does not know this value of TERM.
    case unknown(String)
    /// A terminal of this kind, as TERM names it, cannot move its cursor.
    case tooPlain(String)
    /// The terminal has been closed, or the connection to it was cut.
    case gone
    /// The system refused something.
    case system(SystemError)

    /// What happened and what to do, in whole sentences.
    package var sentence: String {
        switch self {
        case .noTerminal:
            "There is no terminal to draw on: input or output leads elsewhere. Start it in a terminal, without pipes."
        case .nameless:
            "The kind of this terminal is not known: TERM is not set. For most terminals: export TERM=xterm-256color"
        case .unknown(let name):
            """
            Terminals of the kind "\(Self.printable(name))" (TERM) are not known here. Install them: apt-get install \
            ncurses-term - or, for most terminals: export TERM=xterm-256color
            """
        case .tooPlain(let name):
            """
            A terminal of the kind "\(Self.printable(name))" (TERM) cannot move its cursor, so nothing can be drawn on \
            it. If yours can: export TERM=xterm-256color
            """
        case .gone: "The terminal is gone."
        case .system(let error): "The terminal cannot be used: \(error.sentence)."
        }
    }

    /// A variable's value is foreign text: it is cut, and what is not ASCII or cannot be seen is a question mark.
    private static func printable(_ name: String) -> String {
        String(name.unicodeScalars.prefix(40).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
    }
}
