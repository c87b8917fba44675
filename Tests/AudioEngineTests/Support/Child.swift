import Foundation
import LinuxSystem

struct ProgramFailed: Error {
    var program: String
    var status: Int32
}

/// A program that a test has started; killed when the test lets go of it.
///
/// Foundation's `Process` waits on a run loop, which a test's thread does not have.
final class Child {
    let process: pid_t
    private let program: String
    private var status: Int32?

    /// Starts it, with `output` as its standard output.
    ///
    /// - Throws: `ProgramFailed` where it cannot be started.
    init(_ program: String, _ arguments: [String], output: Int32? = nil, environment: [String: String] = [:]) throws {
        self.program = program
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, &actions, nil, &argv, &envp)
        guard code == 0 else { throw ProgramFailed(program: program, status: code) }
        self.process = process
    }

    deinit {
        kill()
    }

    /// A program and the descriptor from which its output can be read, which the caller closes.
    static func reading(_ program: String, _ arguments: [String]) throws -> (Int32, Child) {
        var ends: [Int32] = [0, 0]
        // Not a pipe: only this call can have other children not inherit the ends.
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        guard made == 0 else { throw ProgramFailed(program: "socketpair", status: errno) }
        let writing = FileDescriptor(owning: ends[1])
        return (ends[0], try Child(program, arguments, output: writing.raw))
    }

    var isRunning: Bool { status == nil }

    /// Waits for its end and gives its wait status.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        self.status = status
        return status
    }

    func signal(_ number: Int32) {
        if isRunning { Foundation.kill(process, number) }
    }

    func kill() {
        signal(SIGKILL)
        wait()
    }
}

/// Runs a program to its end and gives its output.
@discardableResult
func run(_ program: String, _ arguments: [String]) throws -> String {
    let (reading, child) = try Child.reading(program, arguments)
    defer { close(reading) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(reading, &buffer, buffer.count)
        if count <= 0 { break }
        output += buffer[..<count]
    }
    let status = child.wait()
    if status != 0 { throw ProgramFailed(program: program, status: status) }
    return String(decoding: output, as: UTF8.self)
}
