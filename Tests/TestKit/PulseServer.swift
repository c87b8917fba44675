import Foundation

/// A private PulseAudio server with one null sink, `cinema` (48 kHz, “Cinema”); killed at the end.
package final class PulseServer {
    /// The folder of its socket and state.
    private let folder: TemporaryFolder
    private let process: Child

    /// Its socket, in a folder that outlives it, so that a second server can take its place.
    package init(in folder: TemporaryFolder) throws {
        self.folder = folder
        process = try Child(
            "pulseaudio",
            [
                "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no", "--high-priority=no",
                "-n",
                "--load=module-native-protocol-unix socket=\(Self.socket(in: folder)) auth-cookie-enabled=0",
                "--load=module-null-sink sink_name=cinema rate=48000 sink_properties=device.description=Cinema",
            ],
            environment: ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "PULSE_STATE_PATH": folder.path])
        for _ in 0..<500 {
            if (try? control("info")) != nil { return }
            guard process.isRunning else { break }
            usleep(20_000)
        }
        throw TestFailure("The private PulseAudio server does not answer; is pulseaudio installed?")
    }

    deinit {
        kill()
    }

    private static func socket(in folder: TemporaryFolder) -> String { folder("native") }

    /// What PULSE_SERVER is to be for a client of a server in `folder`, whether it runs or not.
    package static func address(in folder: TemporaryFolder) -> String { "unix:" + socket(in: folder) }

    /// What PULSE_SERVER is to be for its clients.
    package var address: String { Self.address(in: folder) }

    /// Runs `pactl` with `arguments` and gives its output.
    @discardableResult
    package func control(_ arguments: String...) throws -> String {
        try run("pactl", arguments, environment: ["PULSE_SERVER": address, "LC_ALL": "C"])
    }

    /// 0 to 1 (and above), of the left channel.
    package func volume(ofSink sink: String = "cinema") throws -> Double {
        let text = try control("get-sink-volume", sink)
        // Volume: front-left: 26214 /  40% / -23.88 dB,   front-right: …
        guard let value = text.split(separator: " ").compactMap({ Double($0) }).first else {
            throw TestFailure("pactl told no volume: \(text)")
        }
        return value / 65_536
    }

    package func kill() {
        // Its place may have been taken by another.
        guard process.isRunning else { return }
        process.kill()
        try? FileManager.default.removeItem(atPath: Self.socket(in: folder))
    }

    /// Stops the server from answering, as a hang does, or lets it go on.
    package func freeze(_ isFrozen: Bool) {
        process.signal(isFrozen ? SIGSTOP : SIGCONT)
    }
}
