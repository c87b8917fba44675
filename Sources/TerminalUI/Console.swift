internal import Glibc
internal import LinuxSystem
package import WireProtocol

/// A program's standard output and error, as a person or another program reads them.
package struct Console: Sendable {
    package static let standard = Console()

    /// Colours and cursor moves are for terminals, and not where NO_COLOR is set (no-color.org) or TERM is dumb.
    package let usesStyle: Bool
    package let isTerminal: Bool

    private init() {
        isTerminal = isatty(STDOUT_FILENO) == 1
        usesStyle = isTerminal && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
    }

    /// Columns of the terminal; 80 where there is none.
    package var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// One line on standard output.
    package func say(_ line: String) {
        Self.write(line + "\n", to: STDOUT_FILENO)
    }

    /// One JSON value on one line of standard output.
    package func say(json: JSONValue) {
        var writer = JSONWriter()
        writer.value(json)
        say(String(decoding: writer.bytes, as: UTF8.self))
    }

    /// One line on standard error.
    package func warn(_ line: String) {
        Self.write(line + "\n", to: STDERR_FILENO)
    }

    package func bold(_ text: String) -> String {
        usesStyle ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    package func faint(_ text: String) -> String {
        usesStyle ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR && errno != EAGAIN { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Runs a program's body and turns what it throws into a sentence and an exit code.
package enum Program {
    package static func run(_ name: String, _ body: () throws(Failure) -> ExitCode) -> Never {
        // A reader of our output that has gone is an error of write, not a reason to die without a word.
        signal(SIGPIPE, SIG_IGN)
        do throws(Failure) {
            exit(try body().rawValue)
        } catch {
            Console.standard.warn("\(name): \(error.message)")
            exit(error.code.rawValue)
        }
    }

    package static var arguments: [String] {
        Array(CommandLine.arguments.dropFirst())
    }
}
