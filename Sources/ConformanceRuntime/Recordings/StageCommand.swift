internal import Conformance
internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// Runs a program that does what no remote can: it is given the words of a stage event as arguments.
///
/// Exit code 0: done; 77: it cannot do that; anything else: it failed. One that takes longer than a minute is stopped.
final class StageCommand {
    /// What test programs end with that cannot run here (automake's convention).
    private static let unableCode: Int32 = 77
    /// Seconds for one event; a host that restarts, the slowest of them, needs a few.
    private static let patience = 60.0

    private let program: String?
    private let mailbox = Mailbox<StageOutcome>()
    private let loop: EventLoop
    private var watch: EventLoop.Watch?
    var onOutcome: (StageOutcome) -> Void = { _ in }

    /// Has a path, or `nil` where there is no stage.
    ///
    /// - Throws: `Failure` where the loop cannot watch for its end.
    init(_ program: String?, loop: EventLoop) throws(Failure) {
        self.program = program
        self.loop = loop
        do throws(SystemError) {
            watch = try loop.watch(mailbox.descriptor) { [weak self] _ in self?.drain() }
        } catch {
            throw Failure(.bug, "The stage cannot be watched: \(error.sentence).")
        }
    }

    deinit {
        if let watch { loop.unwatch(watch, of: mailbox.descriptor) }
    }

    func perform(_ words: [String]) {
        guard let program else {
            return mailbox.post(.unable(reason: "a stage (--stage COMMAND) that can \(words.joined(separator: " "))"))
        }
        let mailbox = self.mailbox
        do throws(SystemError) {
            let run = StageRun()
            try WorkerThread("stage") { mailbox.post(Self.run(program, words, run)) }.detach()
            loop.schedule(at: loop.now + Self.patience) { run.stop() }
        } catch {
            mailbox.post(.failed(reason: error.sentence))
        }
    }

    private func drain() {
        for outcome in mailbox.drain() { onOutcome(outcome) }
    }

    private static func run(_ program: String, _ words: [String], _ run: StageRun) -> StageOutcome {
        let shown = "\(SafeText.line(program)) \(words.joined(separator: " "))"
        var arguments = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread blocks every signal; the program is to be open to them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A group of its own, so that what it has started can be stopped with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Standard output carries the report.
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
        guard code == 0 else {
            return .failed(reason: "\(shown): \(SystemError("posix_spawn", errno: code).reason)")
        }
        run.began(process)
        defer { run.ended() }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return .failed(reason: "\(shown) was lost") } }
        let exitCode = (status >> 8) & 0xFF
        switch (status & 0x7F, exitCode) {
        case (0, 0): return .done
        case (0, unableCode): return .unable(reason: "a stage that can \(words.joined(separator: " "))")
        case (0, _): return .failed(reason: "\(shown) ended with \(exitCode)")
        case (SIGKILL, _) where run.wasStopped:
            return .failed(reason: "\(shown) did not end within \(Int(patience)) s and was stopped")
        case (let signal, _): return .failed(reason: "\(shown) was ended by signal \(signal)")
        }
    }
}

/// The process of one stage event, which another thread may have to stop: named from its start until it was waited for.
private final class StageRun: Sendable {
    private let process = Atomic<pid_t>(0)
    private let stopped = Atomic(false)

    var wasStopped: Bool { stopped.load(ordering: .acquiring) }

    func began(_ process: pid_t) { self.process.store(process, ordering: .releasing) }
    func ended() { process.store(0, ordering: .releasing) }

    func stop() {
        let group = process.load(ordering: .acquiring)
        guard group > 0 else { return }
        stopped.store(true, ordering: .releasing)
        kill(-group, SIGKILL)
    }
}
