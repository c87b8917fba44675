import Foundation

/// A private PulseAudio server with one null sink, `cinema`; killed at the end.
///
/// All of a test run's servers share one address, which this process's clients are pointed to: one server at a time.
final class PulseServer {
    private static let folder = TemporaryFolder.make("allspeak-pulse")
    private static var socket: String { folder.appending(path: "native").path }

    private let process: Child

    init() throws {
        PulseServer.useAddress()
        process = try Child(
            "pulseaudio",
            [
                "--daemonize=no", "--exit-idle-time=-1", "-n",
                "--load=module-native-protocol-unix socket=\(PulseServer.socket)",
                "--load=module-null-sink sink_name=cinema rate=48000 sink_properties=device.description=Cinema",
            ],
            environment: ["XDG_RUNTIME_DIR": PulseServer.folder.path, "HOME": PulseServer.folder.path])
        for _ in 0..<200 {
            if (try? control("info")) != nil { return }
            usleep(20_000)
        }
        throw ProgramFailed(program: "pulseaudio", status: -1)
    }

    deinit {
        kill()
    }

    /// Points this process's clients to the address, whether a server is there or not.
    static func useAddress() {
        setenv("PULSE_SERVER", "unix:" + socket, 1)
    }

    @discardableResult
    func control(_ arguments: String...) throws -> String {
        try run("pactl", arguments)
    }

    func kill() {
        guard process.isRunning else { return }
        process.kill()
        try? FileManager.default.removeItem(atPath: PulseServer.socket)
    }

    /// Stops the server from answering, as a hang does, or lets it go on.
    func freeze(_ isFrozen: Bool) {
        process.signal(isFrozen ? SIGSTOP : SIGCONT)
    }
}
