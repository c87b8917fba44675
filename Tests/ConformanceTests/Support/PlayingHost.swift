import Foundation
import LinuxSystem
import TestKit

/// A running `allspeak-host` that plays half a minute of film on a clock.
final class PlayingHost {
    static let seconds = 30.0
    /// Starts of the ten lines, which say `Line 1` to `Line 10`.
    static func start(ofLine number: Int) -> Double { Double(number * 3 - 2) }

    let port: Int
    let sessionID: String
    let log: LineLog
    private let child: Child
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("kit")
        let audio = try ["original", "dub"].enumerated().map { track, name in
            try MediaFiles.noise("\(name).m4a", track: track, seconds: Self.seconds, arguments: MediaFiles.aac)
        }
        let lines = (1...10).map { number in
            let start = Int(Self.start(ofLine: number))
            return String(format: "%d\n00:00:%02d,000 --> 00:00:%02d,500\nLine %d\n", number, start, start + 2, number)
        }
        let subtitles = try folder.file("film.srt", lines.joined(separator: "\n"))
        let (near, far) = try Child.channel()
        defer { close(far) }
        log = LineLog(reading: near)
        child = try Child(
            try Programs.path("allspeak-host"),
            [
                "play", "--json", "--port", "0", "--output", "null", "--mdns", "off", "--data", folder("data"),
                "--audio", "\(audio[0])=Original", "--audio", "\(audio[1])=Dub", "--subtitles", subtitles,
                "--title", "Night Train",
            ],
            output: far, environment: try Programs.environment(folder), inheriting: false)
        let ready = log.first(within: 20) { line in
            (try? JSON(line.text)).flatMap { $0["ready"].bool == true ? $0 : nil }
        }
        guard let port = ready?["port"].number, let session = ready?["sessionID"].text else {
            throw TestFailure("the host did not get ready: \(log.text)")
        }
        self.port = Int(port)
        sessionID = session
    }

    deinit {
        child.end()
    }

    /// Asks it to end, and waits.
    func end() {
        child.signal(SIGTERM)
        _ = child.exitCode(within: 10)
    }

    /// Everything told from `mark` on, without the coming and going of remotes.
    func events(after mark: Int = 0) -> [JSON] {
        log.lines.dropFirst(mark).compactMap { try? JSON($0.text) }
            .filter { !["remoteJoined", "remoteLeft", nil].contains($0["event"].text) }
    }

    /// The first event of that name from `mark` on.
    func event(_ name: String, after mark: Int = 0, within seconds: Double = 5) throws -> JSON {
        let found = log.first(after: mark, within: seconds) { line in
            (try? JSON(line.text)).flatMap { $0["event"].text == name ? $0 : nil }
        }
        guard let found else { throw TestFailure("the host told of no \(name): \(log.text)") }
        return found
    }
}

/// Programs that the tests run.
enum Programs {
    /// Where the build has put one of ours: beside the tests.
    static func path(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = ((tests as NSString).deletingLastPathComponent as NSString).appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw TestFailure("\(path) is not there: swift build --build-tests makes it")
        }
        return path
    }

    /// A world without the machine's own sound, Avahi and library.
    static func environment(_ folder: TemporaryFolder) throws -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var variables = [
            "PATH": own["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb",
            "HOME": try folder.folder("home"), "XDG_RUNTIME_DIR": try folder.folder("run"),
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
        ]
        for (name, value) in own where name.hasSuffix("SAN_OPTIONS") { variables[name] = value }
        return variables
    }
}

/// A client in another language at work, with a keyboard.
final class Client {
    let output: LineLog
    private let child: Child
    private var keyboard: FileHandle?
    private let folder: TemporaryFolder

    /// `command` is a program and its arguments; `variables` are added to its environment.
    init(_ command: [String], _ variables: [String: String] = [:]) throws {
        folder = try TemporaryFolder("client")
        let (near, far) = try Child.channel()
        let (keys, input) = try Child.channel()
        defer { for end in [far, input] { close(end) } }
        output = LineLog(reading: near)
        keyboard = FileHandle(fileDescriptor: keys, closeOnDealloc: true)
        child = try Child(
            command[0], Array(command.dropFirst()), input: input, output: far, errors: far,
            environment: try Programs.environment(folder).merging(variables) { $1 }, inheriting: false)
    }

    func type(_ lines: String...) throws {
        try keyboard?.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    func endInput() { keyboard = nil }

    /// The first line from `mark` on that contains `text`.
    @discardableResult
    func line(_ text: String, after mark: Int = 0, within seconds: Double = 5) throws -> String {
        guard let found = output.first(after: mark, within: seconds, { $0.text.contains(text) ? $0.text : nil }) else {
            throw TestFailure("it did not say “\(text)”, but:\n\(output.text)")
        }
        return found
    }

    func signal(_ number: Int32) { child.signal(number) }

    /// Its exit code.
    func ended(within seconds: Double = 10) throws -> Int32 {
        guard let code = child.exitCode(within: seconds) else {
            throw TestFailure("it did not end; it said:\n\(output.text)")
        }
        output.waitForEnd(within: 5)
        return code
    }
}
