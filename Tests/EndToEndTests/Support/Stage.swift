import Foundation
import LinuxSystem
import TestKit
import WireProtocol

/// One test's world: its folders, its sound server, its programs; all of it gone with it.
final class Stage {
    let folder: TemporaryFolder
    private(set) var environment: [String: String]
    /// Where the sound goes, if this stage has a sound server.
    private(set) var sound: PulseServer?
    private let soundFolder: TemporaryFolder

    /// A world with a private PulseAudio server where `hasSound`; else none is to be found.
    init(hasSound: Bool = false) throws {
        folder = try TemporaryFolder("e2e")
        soundFolder = try TemporaryFolder("pa")
        let own = ProcessInfo.processInfo.environment
        environment = [
            "PATH": own["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb",
            "HOME": try folder.folder("home"),
            "XDG_RUNTIME_DIR": try folder.folder("run"), "XDG_DATA_HOME": folder("home/data"),
            "XDG_STATE_HOME": folder("home/state"), "XDG_CACHE_HOME": folder("home/cache"),
            // Where there are no private services, neither are the machine's own disturbed.
            "DBUS_SYSTEM_BUS_ADDRESS": own["ALLSPEAK_TEST_SERVICES"] == nil
                ? "unix:path=/nonexistent" : own["DBUS_SYSTEM_BUS_ADDRESS"] ?? "",
        ]
        for (name, value) in own where name.hasSuffix("SAN_OPTIONS") || name == "LLVM_PROFILE_FILE" {
            environment[name] = value
        }
        if hasSound { try startSound() }
    }

    func startSound() throws {
        sound = try PulseServer(in: soundFolder)
        environment["PULSE_SERVER"] = PulseServer.address(in: soundFolder)
    }

    /// The folder of the library and of the host's identity.
    var data: String { folder("data") }

    /// The same world without mDNS.
    func withoutAvahi() { environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent" }

    // MARK: Programs

    func start(_ program: String, _ arguments: [String], wrapper: [String] = []) throws -> Running {
        try Running(program, arguments, environment: environment, wrapper: wrapper)
    }

    /// Runs `allspeak-remote` to its end.
    func remote(_ arguments: String..., at host: Host? = nil, within seconds: Double = 30) throws -> Outcome {
        try remote(arguments, at: host, within: seconds)
    }

    func remote(_ arguments: [String], at host: Host? = nil, within seconds: Double = 30) throws -> Outcome {
        let place = host.map { ["--host", "127.0.0.1:\($0.port)"] } ?? []
        return try start("allspeak-remote", place + arguments).ended(within: seconds)
    }

    /// Follows the film with `allspeak-remote watch --json`.
    func watch(_ arguments: String..., at host: Host? = nil) throws -> Watch {
        let place = host.map { ["--host", "127.0.0.1:\($0.port)"] } ?? []
        return Watch(try start("allspeak-remote", place + ["watch", "--json"] + arguments))
    }

    /// Runs `allspeak-host` to its end.
    func hostCommand(_ arguments: [String], wrapper: [String] = [], within seconds: Double = 30) throws -> Outcome {
        try start("allspeak-host", arguments, wrapper: wrapper).ended(within: seconds)
    }

    /// Plays `what` (a film's arguments, or a session) with `allspeak-host play --json` and waits until remotes can connect.
    func host(
        _ what: [String], output: String? = nil, isAnnounced: Bool = false, port: Int = 0, data: String? = nil,
        wrapper: [String] = [], _ further: String...
    ) throws -> Host {
        let common = [
            "play", "--json", "--port", "\(port)", "--data", data ?? self.data, "--output",
            output ?? (sound == nil ? "null" : "pulse"), "--mdns", isAnnounced ? "on" : "off",
        ]
        return try Host(
            try start("allspeak-host", common + what + further, wrapper: wrapper), isAnnounced: isAnnounced)
    }
}

/// A host that plays.
final class Host {
    let running: Running
    let port: Int
    let sessionID: String
    let outputName: String

    init(_ running: Running, isAnnounced: Bool) throws {
        self.running = running
        let ready = running.first(within: 20) { $0["ready"].bool == true ? $0 : nil }
        guard let ready, let port = ready["port"].number, let session = ready["sessionID"].text else {
            throw TestFailure("the host did not get ready; it said:\n\(running.output.text)\n\(running.errors.text)")
        }
        self.port = Int(port)
        sessionID = session
        outputName = ready["output"].text ?? ""
        if isAnnounced, event("announced", within: 10) == nil {
            throw TestFailure("the host was not announced; it said:\n\(running.output.text)")
        }
    }

    deinit {
        running.child.end()
        if event("announced", within: 0) != nil { Services.hostHasGone() }
    }

    /// A mark to wait behind.
    var mark: Int { running.output.count }

    /// The first event of that name.
    func event(_ name: String, after mark: Int = 0, within seconds: Double = 5) -> JSON? {
        running.first(after: mark, within: seconds) { $0["event"].text == name ? $0 : nil }
    }

    /// Everything told from `mark` on, without the coming and going of remotes.
    func events(after mark: Int = 0) -> [JSON] {
        running.output.lines.dropFirst(mark).compactMap { try? JSON($0.text) }
            .filter { !["remoteJoined", "remoteLeft", nil].contains($0["event"].text) }
    }

    /// How many descriptors it has open.
    var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(running.child.process)/fd").count) ?? -1
    }

    /// How many threads it has.
    var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(running.child.process)/task").count) ?? -1
    }

    /// Its resident memory in bytes.
    var residentBytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/\(running.child.process)/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The processor time it has used, in seconds, to a hundredth.
    var cpuSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(running.child.process)/stat", encoding: .utf8)) ?? ""
        // The name, in parentheses, may hold spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ").compactMap { Double($0) } ?? []
        return fields.count > 11 ? (fields[10] + fields[11]) / Double(sysconf(Int32(_SC_CLK_TCK))) : 0
    }
}

/// `allspeak-remote watch --json`.
final class Watch {
    let running: Running

    init(_ running: Running) {
        self.running = running
    }

    var mark: Int { running.output.count }

    /// The first line from `mark` on that is so; throws if none comes.
    @discardableResult
    func first(
        _ what: String, after mark: Int = 0, within seconds: Double = 5, _ isSo: (JSON) -> Bool
    ) throws -> JSON {
        guard let found = running.first(after: mark, within: seconds, { isSo($0) ? $0 : nil }) else {
            throw TestFailure(
                "the watching remote did not tell: \(what). It told:\n"
                    + running.output.lines.dropFirst(mark).map(\.text).joined(separator: "\n") + running.errors.text)
        }
        return found
    }

    @discardableResult
    func connected(after mark: Int = 0, within seconds: Double = 10) throws -> JSON {
        try first("connected", after: mark, within: seconds) { $0["connection"].text == "connected" }
    }
}

/// What `Tests/Support/with-services` runs beside the tests.
enum Services {
    private static let lastEnd = Guarded<SteadyTime?>(nil)

    /// An announced host of a test has ended.
    static func hostHasGone() { lastEnd.withLock { $0 = MonotonicClock.now() } }

    /// Fails a test that needs mDNS, rather than skip it, where there is none to play with.
    ///
    /// Waits until no host of an earlier test can be found: what has gone stays in mDNS caches for a second (RFC 6762 §10.1).
    static func require() throws {
        guard ProcessInfo.processInfo.environment["ALLSPEAK_TEST_SERVICES"] != nil else {
            throw TestFailure(
                "This test finds hosts by a real Avahi of its own: run Tests/run, or Tests/Support/with-services swift test"
            )
        }
        let past = lastEnd.withLock { $0 }.map { MonotonicClock.now() - $0 } ?? 2
        usleep(useconds_t(max(0, 1.3 - past) * 1e6))
    }

    /// Stops or starts one of them, as `Tests/Support/service` describes.
    static func control(_ service: String, _ action: String) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Support/service")
        try run(script.path, [service, action])
    }
}
