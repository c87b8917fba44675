internal import Glibc
internal import LinuxSystem
internal import Transport
internal import WireProtocol

/// A remote under trial: a process whose standard input and output are one channel.
///
/// Confined to its loop. It and whatever it has started are killed when it is let go.
final class ChildProgram {
    private let process: pid_t
    private let channel: Channel
    private let loop: EventLoop
    private var rest: [UInt8] = []
    private var input: [UInt8] = []
    private var isCollected = false

    var onLine: (String) -> Void = { _ in }
    /// Its output has ended; with the code or signal it ended with, as `with code 2`, where it has.
    var onEnd: (String?) -> Void = { _ in }

    /// Bytes of an unfinished line that are kept; more are thrown away.
    private static let longestLine = 8_192

    /// Starts `command`, a program (a path, or a name in PATH) and its arguments, with `variables` added to the environment.
    ///
    /// - Throws: `SystemError` with the program's name.
    init(_ command: [String], _ variables: [String: String], loop: EventLoop) throws(SystemError) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try retryingInterrupts("socketpair") { socketpair(AF_UNIX, kind, 0, &ends) }
        let far = FileDescriptor(owning: ends[1])
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        self.loop = loop
        channel = try Channel(owning: ends[0], loop: loop)
        process = try Self.spawn(command, variables, far.raw)
        channel.nextOutput = { [weak self] in
            guard let self, !input.isEmpty else { return nil }
            defer { input = [] }
            return input
        }
        channel.onBytes = { [weak self] in self?.take($0) }
        channel.onEnd = { [weak self] _ in self?.awaitEnd(tries: 20) }
    }

    deinit {
        kill()
    }

    func type(_ bytes: [UInt8]) {
        input += bytes
        channel.flush()
    }

    func kill() {
        channel.close()
        guard !isCollected else { return }
        isCollected = true
        Glibc.kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// A program's files are closed a moment before it can be waited for; one that lives on without output has no code.
    private func awaitEnd(tries: Int) {
        guard !isCollected else { return }
        var ending = siginfo_t()
        // Left to be collected by `kill`: until then its group's number is nobody else's.
        let code = waitid(P_PID, id_t(process), &ending, WEXITED | WNOHANG | WNOWAIT)
        let status = ending._sifields._sigchld
        guard code == 0, status.si_pid == process else {
            guard tries > 0 else { return onEnd(nil) }
            loop.schedule(at: loop.now + 0.005) { [weak self] in self?.awaitEnd(tries: tries - 1) }
            return
        }
        onEnd("\(ending.si_code == CLD_EXITED ? "with code" : "by signal") \(status.si_status)")
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            if byte != 0x0A {
                if rest.count < Self.longestLine { rest.append(byte) }
                continue
            }
            let line = String(decoding: rest, as: UTF8.self)
            rest = []
            onLine(line)
        }
    }

    private static func spawn(
        _ command: [String], _ variables: [String: String], _ channel: Int32
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, channel, 0)
        posix_spawn_file_actions_adddup2(&actions, channel, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        // Our own signals are blocked, and a group of its own lets its children be ended with it.
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        let kept = inherited.filter { line in !variables.keys.contains { line.hasPrefix($0 + "=") } }
        var arguments = command.map { strdup($0) } + [nil]
        var environment = (kept + variables.map { "\($0.key)=\($0.value)" }).map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw SystemError("posix_spawn", subject: command[0], errno: code) }
        return process
    }

    private static var inherited: [String] {
        var lines: [String] = []
        var next = environ
        while let text = next.pointee {
            lines.append(String(cString: text))
            next = next.advanced(by: 1)
        }
        return lines
    }
}
