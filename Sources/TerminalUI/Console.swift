internal import Glibc
package import LinuxSystem
internal import Synchronization
package import WireProtocol

/// A program's standard output and error, as a person or another program reads them.
package struct Console: Sendable {
    package static let standard = Console()

    /// Colours and cursor moves are for terminals, and not where NO_COLOR is set (no-color.org) or TERM is dumb.
    package let usesStyle: Bool
    package let isTerminal: Bool

    /// The last error of writing to standard output, as a number of errno.h; 0 while there is none.
    private static let failure = Atomic<Int32>(0)

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

    /// Many lines at once on standard output; nothing where there are none.
    package func say(lines: [String]) {
        if !lines.isEmpty { say(lines.joined(separator: "\n")) }
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

    /// Whether somebody sees how things go on: standard error is a terminal that can rewrite a line.
    package var showsProgress: Bool {
        isatty(STDERR_FILENO) == 1 && Environment.value("TERM") != "dumb"
    }

    /// How things go on, in one line that the next one replaces, where somebody sees it.
    ///
    /// `nil` takes the last one away.
    package func progress(_ line: String?) {
        guard showsProgress else { return }
        Self.write("\r\u{1B}[K" + (line ?? ""), to: STDERR_FILENO)
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
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                if descriptor == STDOUT_FILENO { failure.store(errno, ordering: .relaxed) }
                return
            }
        }
    }

    /// What to tell of output that could not be written; `nil` where all was, or where nobody reads on, as `head` does.
    static var outputFailure: Failure? {
        let number = failure.load(ordering: .relaxed)
        return number == 0 ? nil : outputFailure(SystemError("write", errno: number))
    }

    /// What to tell of an error of writing the output; `nil` where nobody reads on, as `head` does.
    package static func outputFailure(_ error: SystemError) -> Failure? {
        error.isBrokenPipe ? nil : Failure(.unavailable, "The output cannot be written: \(error.reason).")
    }
}

/// Runs a program's body and turns what it throws into a sentence and an exit code.
package enum Program {
    /// Descriptors asked for, and those without which nothing works.
    private static let descriptors = (wanted: 64, fewest: 16)

    package static func run(_ name: String, _ body: () throws(Failure) -> ExitCode) -> Never {
        Descriptors.fillStandardGaps()
        // A reader of our output that has gone is an error of write, not a reason to die without a word.
        signal(SIGPIPE, SIG_IGN)
        // Likewise a file that may not grow further (ulimit -f).
        signal(SIGXFSZ, SIG_IGN)
        do throws(Failure) {
            let allowed = Descriptors.allow(descriptors.wanted)
            guard allowed >= descriptors.fewest else {
                throw Failure(
                    .unavailable, "This process may open only \(allowed) files at once. Allow more: ulimit -n 1024")
            }
            let code = try body()
            guard let failure = Console.outputFailure else { exit(code.rawValue) }
            throw code == .success ? failure : Failure(code, failure.message)
        } catch {
            Console.standard.warn("\(name): \(error.message)")
            exit(error.code.rawValue)
        }
    }

    package static var arguments: [String] {
        // Not `CommandLine.arguments`, which repairs what is not UTF-8: such a name would be lost.
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            CommandLine.unsafeArgv[place].map { text in
                NativePath.text(of: UnsafeRawBufferPointer(start: text, count: strlen(text)))
            }
        }
    }
}
