internal import Glibc
internal import LinuxSystem
internal import Terminal
internal import TextScreen
internal import Transport

/// A page, a loop, and a terminal.
final class Demo {
    private let loop: EventLoop
    private let terminal: Terminal
    private let page: [(row: Int, column: Int, role: Role, text: String)]
    private let log: Int32
    private var signals: SignalWatch?
    private var inputWatch: EventLoop.Watch?
    private var outputWatch: EventLoop.Watch?
    private var last = ""
    private var count = 0
    private var showsCursor = false
    private var failure: TerminalError?

    init(page: String, log: String) throws(TerminalError) {
        self.page = Self.read(page)
        self.log = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw .system(error)
        }
        terminal = try Terminal()
    }

    func run() throws(TerminalError) {
        do throws(SystemError) {
            let watched = SignalWatch.termination + [SIGWINCH, SIGCONT, SIGTSTP]
            signals = try SignalWatch(watched, loop: loop) { [unowned self] in handle(signal: $0) }
            inputWatch = try loop.watch(terminal.inputDescriptor) { [unowned self] _ in readInput() }
        } catch {
            throw .system(error)
        }
        show()
        tell("ready \(getpid())")
        loop.run()
        terminal.close()
        tell("closed")
        if let failure { throw failure }
    }

    private func handle(signal: Int32) {
        switch signal {
        case SIGWINCH: handle([.resized(terminal.resized())])
        case SIGCONT: handle(terminal.continued())
        case SIGTSTP: handle(terminal.suspend())
        default:
            tell("signal \(signal)")
            loop.stop()
        }
    }

    private func readInput() {
        do throws(TerminalError) {
            handle(try terminal.readInput())
        } catch {
            tell("gone")
            failure = error
            if let inputWatch { loop.unwatch(inputWatch, of: terminal.inputDescriptor) }
            loop.stop()
        }
    }

    private func handle(_ inputs: [ScreenInput]) {
        for input in inputs {
            last = "\(input)".replacing("TextScreen.", with: "").replacing("ScreenInput.Key.", with: "")
            tell(last)
            switch input {
            case .key(.character(let letter)): act(letter)
            case .key(.suspend): handle(terminal.suspend())
            default: break
            }
        }
        if !inputs.isEmpty { show() }
    }

    private func act(_ letter: Character) {
        switch letter {
        case "q": loop.stop()
        case "b": terminal.bell()
        case "n": count += 1
        case "c": showsCursor.toggle()
        case "S": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
        case "A": abort()
        case "F": fatalError("asked for")
        case "O": last = "\(recurse(1))"
        case "T":
            failure = .gone
            loop.stop()
        default: break
        }
    }

    @inline(never)
    private func recurse(_ depth: Int) -> Int {
        depth < 0 ? 0 : recurse(depth + 1) + (last.utf8.count + recurse(depth + 2))
    }

    private func show() {
        var canvas = Canvas(terminal.size, measure: terminal.measure)
        for piece in page { canvas.write(piece.text, piece.role, row: piece.row, column: piece.column) }
        let bottom = terminal.size.rows - 1
        if bottom > 0 {
            canvas.write("\(terminal.size.columns)x\(terminal.size.rows) ", .quiet, row: bottom)
            canvas.write(last, row: bottom, column: 8)
            canvas.writeBack("\(count) ", .strong, row: bottom)
        }
        if showsCursor { canvas.cursor = Canvas.Place(row: bottom, column: 0) }
        terminal.draw(canvas)
        catchUpLater()
    }

    private func catchUpLater() {
        guard terminal.isBehind, outputWatch == nil else { return }
        outputWatch = try? loop.watch(terminal.outputDescriptor, for: .writable) { [unowned self] _ in
            terminal.catchUp()
            if !terminal.isBehind, let outputWatch {
                loop.unwatch(outputWatch, of: terminal.outputDescriptor)
                self.outputWatch = nil
                tell("caught up")
            }
        }
    }

    private func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        write(log, bytes, bytes.count)
    }

    private static func read(_ path: String) -> [(row: Int, column: Int, role: Role, text: String)] {
        guard let text = try? Files.read(path, maximumBytes: 1 << 20) else { return [] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", maxSplits: 3)
            guard fields.count == 4, let row = Int(fields[0]), let column = Int(fields[1]) else { return nil }
            let role = Role.allCases.first { "\($0)" == fields[2] }
            return (row, column, role ?? .text, String(fields[3]))
        }
    }
}
