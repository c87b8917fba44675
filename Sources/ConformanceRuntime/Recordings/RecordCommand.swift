internal import Conformance
internal import Glibc
internal import LinuxSystem
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-conformance record`: stands between remotes and a host and writes down what passes.
enum RecordCommand {
    static let output = OptionSyntax("--output", "FILE", "write the recording there (default: standard output)")
    static let name = OptionSyntax("--name", "NAME", "the recording's name (default: recorded)")
    static let about = OptionSyntax("--about", "TEXT", "what it shows, in a sentence")
    static let section = OptionSyntax("--section", "§N", "the section of Protocol/README.md it is about (default: §4)")

    static let syntax = CommandSyntax(
        "record", operands: "LISTEN[:PORT] HOST[:PORT]",
        summary: "Passes on what remotes that connect to LISTEN say to HOST and back, and writes a recording of it.",
        options: [output, name, about, section])

    /// Runs until a signal.
    ///
    /// - Throws: `Failure` where it cannot listen or write.
    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        guard invocation.operands.count == 2 else {
            throw ConformanceSyntax.program.usage("record takes LISTEN and HOST", of: syntax)
        }
        let listening = try HostCommand.endpoints(invocation.operands[0])
        let host = try HostCommand.endpoints(invocation.operands[1])
        guard let listening = listening.first, listening.isLoopback else {
            throw ConformanceSyntax.program.usage(
                "record listens on a loopback address: all it passes is plain text", of: syntax)
        }
        let title = invocation.value(name.name) ?? "recorded"
        let place = invocation.value(section.name) ?? "§4"
        if let fault = Recording.fault(ofName: title) ?? Recording.fault(ofSection: place) {
            throw ConformanceSyntax.program.usage("A recording's \(fault)", of: syntax)
        }
        let path = invocation.value(output.name)
        let (loop, listener) = try listen(at: listening)
        // Only then: a recording that cannot be made takes nobody's file.
        let target = try descriptor(path)
        do throws(SystemError) {
            let capture = Capture(
                name: title, about: invocation.value(about.name) ?? "As recorded.",
                section: place, now: MonotonicClock.now())
            let signals = try SignalWatch(SignalWatch.termination, loop: loop) { _ in loop.stop() }
            let recorder = Recorder(capture, host: host, loop: loop, target: target)
            listener.onConnection = { descriptor, _ in recorder.accept(descriptor) }
            Console.standard.warn(
                "Recording. Point remotes at \(listener.endpoint.text); Ctrl-C ends.")
            loop.run()
            recorder.finish()
            withExtendedLifetime(signals) { listener.stop() }
            if let failure = recorder.failure { throw failure }
            if recorder.isEmpty { tellOfNothing(recorder.isFile ? path : nil) }
        } catch {
            throw Failure(.unavailable, "\(SafeText.line(error.sentence)).")
        }
        return .success
    }

    private static func listen(at endpoint: Endpoint) throws(Failure) -> (EventLoop, Listener) {
        do throws(SystemError) {
            let loop = try EventLoop()
            return (loop, try Listener(endpoint, loop: loop))
        } catch {
            throw Failure(.unavailable, "\(SafeText.line(error.sentence)).")
        }
    }

    /// A file without a run in it could not be replayed.
    private static func tellOfNothing(_ path: String?) {
        if let path { Files.remove(path) }
        Console.standard.warn(
            "Nothing was recorded: no remote reached the host."
                + (path.map { " \(SafeText.line($0)) has been removed." } ?? ""))
    }

    /// Opens the file, empty, for this program alone; another recorder keeps its own.
    private static func descriptor(_ path: String?) throws(Failure) -> Int32 {
        guard let path else { return STDOUT_FILENO }
        do throws(SystemError) {
            let raw = try retryingInterrupts("open", subject: path) {
                open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            }
            var status = stat()
            guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return raw }
            if flock(raw, LOCK_EX | LOCK_NB) != 0 {
                close(raw)
                throw SystemError("flock", subject: path, errno: EBUSY)
            }
            try retryingInterrupts("ftruncate", subject: path) { ftruncate(raw, 0) }
            return raw
        } catch {
            throw Failure(.unavailable, "The recording cannot be written: \(SafeText.line(error.sentence)).")
        }
    }
}
