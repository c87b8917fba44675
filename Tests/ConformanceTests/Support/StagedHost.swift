import Foundation
import LinuxSystem
import TestKit

/// A running `allspeak-host` with the film of `Protocol/recordings/make-film`, and a stage: a program that does what no
/// remote can, for `allspeak-conformance host --stage`.
// Unchecked: `peer` is set once, by the test that asks for a stage.
final class StagedHost: @unchecked Sendable {
    private struct State {
        var port = 0
        var log: LineLog
        var child: Child
    }

    /// Made once for all tests; it is the same every time.
    private static let film = Guarded<TemporaryFolder?>(nil)

    private let folder: TemporaryFolder
    private let sound: Sound?
    private let state: Guarded<State>

    /// A sound server of the host's own.
    private final class Sound: @unchecked Sendable {
        // Only the stage's thread touches it after the start.
        let folder: TemporaryFolder
        let server: PulseServer
        /// Alone, a null sink may begin to sound a second late.
        let listener: MonitorRecorder

        init() throws {
            folder = try TemporaryFolder("pa")
            server = try PulseServer(in: folder)
            listener = try MonitorRecorder(of: server.address)
        }
    }

    init(hasSound: Bool = false) throws {
        folder = try TemporaryFolder("staged")
        sound = hasSound ? try Sound() : nil
        state = Guarded(try Self.start(folder, sound?.server.address, port: 0))
        guard port > 0 else { throw TestFailure("the host did not get ready: \(state.withLock { $0.log.text })") }
    }

    deinit {
        state.withLock { $0.child.end() }
    }

    var port: Int { state.withLock { $0.port } }

    func end() {
        peer = nil
        state.withLock { state in
            state.child.signal(SIGTERM)
            _ = state.child.exitCode(within: 10)
        }
    }

    private static func madeFilm() throws -> String {
        try film.withLock { film in
            if let film { return film.path }
            let folder = try TemporaryFolder("film")
            try run(Repository.path("Protocol/recordings/make-film"), [folder.path])
            film = folder
            atexit { StagedHost.film.withLock { $0 = nil } }
            return folder.path
        }
    }

    private static func start(_ folder: TemporaryFolder, _ sound: String?, port: Int) throws -> State {
        let film = try madeFilm()
        let tracks = ["Original", "Dub", "Short", "Broken"].flatMap {
            ["--audio", "\(film)/\($0.lowercased()).m4a=\($0)"]
        }
        let (near, far) = try Child.channel()
        defer { close(far) }
        let log = LineLog(reading: near)
        var environment = try Programs.environment(folder)
        if let sound { environment["PULSE_SERVER"] = sound }
        let child = try Child(
            try Programs.path("allspeak-host"),
            [
                "play", "--json", "--port", "\(port)", "--output", sound == nil ? "null" : "pulse", "--mdns", "off",
                "--data", folder("data"), "--subtitles", "\(film)/film.srt", "--title", "Night Train",
            ] + tracks, output: far, environment: environment, inheriting: false)
        let ready = log.first(within: 20) { (try? JSON($0.text)).flatMap { $0["ready"].bool == true ? $0 : nil } }
        return State(port: ready?["port"].number.map { Int($0) } ?? 0, log: log, child: child)
    }

    // MARK: The stage

    /// The path of a program that has this host do what its arguments say.
    func stage() throws -> String {
        let peer = try FakePeer { [self] connection in
            var words = ""
            var byte: UInt8 = 0
            while read(connection, &byte, 1) == 1, byte != 0x0A { words.append(Character(Unicode.Scalar(byte))) }
            FakePeer.say("\(perform(words.split(separator: " ").map(String.init)))\n", on: connection)
        }
        let port = peer.port
        self.peer = peer
        let script = """
            #!/usr/bin/env bash
            exec 3<>/dev/tcp/127.0.0.1/\(port)
            printf '%s\\n' "$*" >&3
            read -r code <&3
            exit "$code"

            """
        // Written by a program of its own: a child that another test forks while this one has the file open for writing
        // would keep it from being started.
        let path = folder("stage")
        try run("install", ["-m", "755", folder.file("stage.text", script), path])
        return path
    }

    private var peer: FakePeer?

    /// The exit code of the stage program.
    private func perform(_ words: [String]) -> Int {
        do {
            switch words.first {
            case "restart-host": try restart(SIGTERM)
            case "kill-host": try restart(SIGKILL)
            case "set-volume":
                guard let sound, words.count == 2 else { return 77 }
                try sound.server.control("set-sink-volume", "cinema", "\(Int((Double(words[1]) ?? 0) * 100))%")
            case "lose-output":
                guard let sound else { return 77 }
                try sound.server.control("unload-module", "module-null-sink")
            case "find-output":
                guard let sound else { return 77 }
                try sound.server.control(
                    "load-module", "module-null-sink", "sink_name=cinema", "rate=48000",
                    "sink_properties=device.description=Cinema")
            default: return 77
            }
            return 0
        } catch {
            return 1
        }
    }

    private func restart(_ signal: Int32) throws {
        try state.withLock { state in
            state.child.signal(signal)
            _ = state.child.exitCode(within: 10)
            state = try Self.start(folder, sound?.server.address, port: state.port)
        }
    }
}

/// A run of `allspeak-conformance` to its end.
struct ConformanceRun {
    var code: Int32
    var output: String
    var errors: String

    /// - Throws: `TestFailure` if it does not end within `seconds`.
    init(_ arguments: [String], within seconds: Double = 120) throws {
        let folder = try TemporaryFolder("run")
        let (outputNear, outputFar) = try Child.channel()
        let (errorsNear, errorsFar) = try Child.channel()
        let (outputLog, errorsLog) = (LineLog(reading: outputNear), LineLog(reading: errorsNear))
        let child = try Child(
            try Programs.path("allspeak-conformance"), arguments, output: outputFar, errors: errorsFar,
            environment: try Programs.environment(folder), inheriting: false)
        for end in [outputFar, errorsFar] { close(end) }
        guard let code = child.exitCode(within: seconds) else {
            throw TestFailure("it did not end; it said:\n\(outputLog.text)\n\(errorsLog.text)")
        }
        outputLog.waitForEnd(within: 5)
        errorsLog.waitForEnd(within: 5)
        self.code = code
        output = outputLog.text
        errors = errorsLog.text
    }

    /// The TAP lines of checks that did not pass: failed, or skipped.
    var notPassed: [String] {
        output.split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("not ok") || $0.hasPrefix("ok") && $0.contains("# SKIP") }
    }

    /// The names of the recordings that did not pass.
    var namesNotPassed: [String] {
        notPassed.compactMap { line in
            line.split(separator: " - ", maxSplits: 1).last?.split(separator: ":").first.map(String.init)
        }
    }
}
