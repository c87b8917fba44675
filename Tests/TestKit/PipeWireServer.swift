import Foundation

/// A private PipeWire with its session manager and its server for PulseAudio's clients, and one null sink, `cinema`;
/// killed at the end.
package final class PipeWireServer {
    private let folder: TemporaryFolder
    private var processes: [Child] = []
    /// What PULSE_SERVER is to be for its clients.
    package let address: String

    package init() throws {
        folder = try TemporaryFolder("pipewire")
        address = "unix:\(folder.path)/pulse/native"
        let bus = "unix:path=" + folder("bus")
        try start("dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(bus)"], bus)
        try wait(for: folder("bus"))
        // Without a login manager, looking for Bluetooth ends the session manager.
        let settings = folder("config/wireplumber/bluetooth.lua.d")
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        try Data("bluez_monitor.enabled = false\n".utf8).write(to: URL(fileURLWithPath: settings + "/80-off.lua"))
        try start("pipewire", [], bus)
        try wait(for: folder("pipewire-0"))
        try start("wireplumber", [], bus)
        try start("pipewire-pulse", [], bus)
        try wait(for: folder("pulse/native"))
        try load("cinema")
        try makeDefault("cinema")
    }

    deinit {
        for process in processes.reversed() { process.kill() }
    }

    private func start(_ program: String, _ arguments: [String], _ bus: String) throws {
        processes.append(
            try Child(
                program, arguments,
                environment: [
                    "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder("config"),
                    "XDG_STATE_HOME": folder("state"), "DBUS_SESSION_BUS_ADDRESS": bus,
                ]))
    }

    private func wait(for path: String) throws {
        for _ in 0..<500 {
            if FileManager.default.fileExists(atPath: path) { return }
            usleep(20_000)
        }
        throw TestFailure("The private PipeWire does not come up: there is no \(path)")
    }

    /// Adds a null sink; gives its module's number.
    @discardableResult
    package func load(_ sink: String) throws -> String {
        try insist(
            "load-module", "module-null-sink", "sink_name=\(sink)", "rate=48000",
            "sink_properties=device.description=\(sink)"
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func makeDefault(_ sink: String) throws {
        for _ in 0..<200 {
            try insist("set-default-sink", sink)
            // The session manager takes its time, and may have had another in mind.
            if try control("get-default-sink").hasPrefix(sink) { return }
            usleep(25_000)
        }
        throw TestFailure("PipeWire does not make \(sink) its default")
    }

    /// `control`, again and again: refused until the session manager is there.
    @discardableResult
    private func insist(_ arguments: String...) throws -> String {
        for _ in 0..<200 {
            if let output = try? run("pactl", arguments, environment: ["PULSE_SERVER": address, "LC_ALL": "C"]) {
                return output
            }
            usleep(25_000)
        }
        throw TestFailure("PipeWire refuses pactl \(arguments.joined(separator: " "))")
    }

    /// Runs `pactl` with `arguments` and gives its output.
    @discardableResult
    package func control(_ arguments: String...) throws -> String {
        try run("pactl", arguments, environment: ["PULSE_SERVER": address, "LC_ALL": "C"])
    }
}
