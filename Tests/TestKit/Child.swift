package import Foundation
internal import LinuxSystem
internal import WireProtocol

/// What a test needs and does not get.
package struct TestFailure: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A program that a test has started; killed when the test lets go of it.
///
/// Foundation's `Process` waits on a run loop, which a test's thread does not have.
package final class Child {
    package let process: pid_t
    private let program: String
    private var status: Int32?

    /// Starts `program` (a path, or a name looked for in PATH).
    ///
    /// `input`, `output` and `errors` become its standard input, output and error, which lead nowhere for `nil`. `environment` is added to
    /// this process's own, or is all of it where `inheriting` is false. `terminal`, the path of one, becomes all three, and
    /// the terminal of a session that the program leads.
    package init(
        _ program: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil,
        environment: [String: String] = [:], inheriting: Bool = true, terminal: String? = nil
    ) throws {
        self.program = program
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        } else if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for (number, descriptor) in [(Int32(1), output), (2, errors)] {
            if terminal != nil {
                posix_spawn_file_actions_adddup2(&actions, 0, number)
            } else if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
            }
        }
        let own = inheriting ? ProcessInfo.processInfo.environment : [:]
        let variables = own.merging(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var process: pid_t = 0
        // The threads that tests run on block every signal, and a shell that inherits this could not end its own children.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // The first terminal that a session's leader opens is that session's. The number is POSIX_SPAWN_SETSID, which
        // spawn.h hides without _GNU_SOURCE.
        let leads: Int16 = terminal == nil ? 0 : 0x80
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | leads)
        let code = posix_spawnp(&process, program, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw TestFailure("\(program) cannot be started: \(String(cString: strerror(code)))") }
        self.process = process
    }

    deinit {
        kill()
    }

    /// Where the build has put one of our programs: beside the tests.
    package static func path(of program: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = ((tests as NSString).deletingLastPathComponent as NSString).appendingPathComponent(program)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw TestFailure("\(path) is not there: swift build --build-tests makes it")
        }
        return path
    }

    /// A program and the descriptor from which its output can be read, which the caller closes.
    package static func reading(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], inheriting: Bool = true
    ) throws -> (Int32, Child) {
        let (near, far) = try channel()
        let writing = FileDescriptor(owning: far)
        let child = try Child(
            program, arguments, output: writing.raw, environment: environment, inheriting: inheriting)
        return (near, child)
    }

    /// Two connected descriptors that other children do not inherit, which a pipe's would.
    package static func channel() throws -> (near: Int32, far: Int32) {
        var ends: [Int32] = [0, 0]
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        guard made == 0 else { throw TestFailure("There is no socket left: \(String(cString: strerror(errno)))") }
        return (ends[0], ends[1])
    }

    package var isRunning: Bool {
        if status == nil { collect(WNOHANG) }
        return status == nil
    }

    private func collect(_ options: Int32) {
        var status: Int32 = 0
        var found = waitpid(process, &status, options)
        while found < 0 && errno == EINTR { found = waitpid(process, &status, options) }
        if found == process { self.status = status }
        // Somebody else has collected it; it is gone all the same.
        if found < 0 { self.status = -1 }
    }

    /// Waits for its end and gives its wait status.
    @discardableResult
    package func wait() -> Int32 {
        if status == nil { collect(0) }
        return status ?? -1
    }

    /// Its exit code, or minus the signal that ended it; `nil` if it runs on after `seconds`.
    package func exitCode(within seconds: Double) -> Int32? {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        while isRunning {
            if MonotonicClock.now() > end { return nil }
            usleep(1_000)
        }
        let status = wait()
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    package func signal(_ number: Int32) {
        if isRunning { Foundation.kill(process, number) }
    }

    /// Ends it, asking first where a sanitizer looks for leaks: it does so at an end in good order only.
    package func end() {
        if Sanitizer.isOn {
            signal(SIGTERM)
            if exitCode(within: 2) != nil { return }
        }
        kill()
    }

    package func kill() {
        signal(SIGKILL)
        wait()
    }
}

/// Runs a program to its end and gives its output.
@discardableResult
package func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
    let (reading, child) = try Child.reading(program, arguments, environment: environment)
    defer { close(reading) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(reading, &buffer, buffer.count)
        if count <= 0 { break }
        output += buffer[..<count]
    }
    let status = child.wait()
    if status != 0 { throw TestFailure("\(program) \(arguments.joined(separator: " ")) ended with status \(status)") }
    return String(decoding: output, as: UTF8.self)
}
