import Foundation
import LinuxSystem
import TestKit
import Testing

/// `allspeak-conformance host` against the real host, over TCP and in real time.
@Suite("The recordings, replayed against a running host")
struct HostTrialTests {
    private static let folder = Repository.path("Protocol/recordings")
    /// What needs a sound server.
    private static let sounding = ["volume", "volume-from-outside", "device-lost"]
    /// What this host cannot be brought to, or a network not show, or takes a minute.
    ///
    /// A sanitized host is slower than the rate that it allows; in virtual time it is tried all the same.
    private static let elsewhere =
        [
            "commands-without-session", "session-ends-and-starts", "cues-replaced", "no-backlog", "silent-remotes",
        ] + (Sanitizer.isOn ? ["rate-limit"] : [])

    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    }()

    /// A third of those that need no sound, so that three hosts can be tried at once.
    private static func third(_ number: Int) -> [String] {
        let silent = names.filter { !sounding.contains($0) && !elsewhere.contains($0) }
        return silent.enumerated().filter { $0.offset % 3 == number }.map(\.element)
    }

    private func only(_ names: [String]) -> [String] { names.flatMap { ["--only", $0] } }

    @Test("all pass that need no sound, three hosts being tried at once")
    func silent() throws {
        let outcomes = Guarded<[Result<(ConformanceRun, JSON), any Error>]>([])
        let attempt: @Sendable (Int) -> Void = { third in
            let outcome = Result { try replay(Self.third(third)) }
            outcomes.withLock { $0.append(outcome) }
        }
        // Three sanitized hosts, with their remotes, are more than a small machine has time for.
        if Sanitizer.isOn {
            (0..<3).forEach(attempt)
        } else {
            DispatchQueue.concurrentPerform(iterations: 3, execute: attempt)
        }
        var replayed: [String] = []
        for outcome in outcomes.withLock({ $0 }) {
            let (run, report) = try outcome.get()
            #expect(run.notPassed.isEmpty && run.code == 0, "\(run.output)\n\(run.errors)")
            let checks = try #require(report["checks"].array)
            #expect(report["passed"].bool == true)
            #expect(run.output.hasPrefix("TAP version 14\n") && run.output.contains("\n1..\(checks.count)"))
            #expect(checks.contains { ($0["timings"]["replyP50"].number ?? 0) > 0 })
            replayed += checks.compactMap { $0["name"].text?.split(separator: ":").first.map(String.init) }
        }
        #expect(replayed.sorted() == Self.names.filter { !Self.sounding.contains($0) && !Self.elsewhere.contains($0) })
    }

    private func replay(_ names: [String]) throws -> (ConformanceRun, JSON) {
        let host = try StagedHost()
        defer { host.end() }
        let folder = try TemporaryFolder("report")
        let run = try ConformanceRun(
            [
                "host", "127.0.0.1:\(host.port)", "--recordings", Self.folder, "--stage", try host.stage(), "--report",
                folder("report.json"),
            ] + only(names))
        return (run, try JSON(String(contentsOfFile: folder("report.json"), encoding: .utf8)))
    }

    @Test("all pass that are about the sound device")
    func sounding() throws {
        let host = try StagedHost(hasSound: true)
        defer { host.end() }
        let run = try ConformanceRun(
            ["host", "127.0.0.1:\(host.port)", "--recordings", Self.folder, "--stage", try host.stage()]
                + only(Self.sounding))
        #expect(run.notPassed.isEmpty && run.code == 0, "\(run.output)\n\(run.errors)")
    }

    @Test("what needs a stage is skipped with a word where there is none, and skipping all is no pass")
    func withoutStage() throws {
        let host = try StagedHost()
        defer { host.end() }
        let run = try ConformanceRun(
            ["host", "127.0.0.1:\(host.port)", "--recordings", Self.folder]
                + only(["host-restarts", "commands-without-session", "no-backlog", "volume", "silent-remotes"]))
        #expect(run.notPassed.count == 5 && !run.output.contains("not ok"), "\(run.output)")
        #expect(run.notPassed.contains { $0.contains("# SKIP needs a stage (--stage COMMAND) that can restart-host") })
        #expect(run.code == 1)
    }

    @Test("all pass or are skipped in this process, on virtual time")
    func inProcess() throws {
        let run = try ConformanceRun(["host", "--in-process", "--recordings", Self.folder, "--json"])
        #expect(run.code == 0)
        let checks = try #require(try JSON(run.output)["checks"].array)
        #expect(checks.filter { $0["outcome"].text == "passed" }.count == Self.names.count - 1)
        #expect(checks.contains { $0["outcome"].text == "failed" } == false)
    }

    // MARK: Broken hosts

    @Test(
        "a host behind a hand that changes its lines fails, and the report says where",
        arguments: [
            ("two-remotes", #""by":"Phone""#, #""by":"Nobody""#, "by: \\\"Phone\\\"", "§4"),
            ("commands-paused", #""isPlaying":true"#, #""isPlaying":false"#, "isPlaying: true", "§6"),
            ("switch-unknown", "unknownTrack", "internal", "unknownTrack", "§7"),
            ("ids", #""re":-7"#, #""re":7"#, "re: -7", "§3"),
            ("cues-after-hello", #""cueDigest":""#, #""cueDigest":"0"#, "cueDigest", "§9"),
        ])
    func mutants(_ recording: String, _ from: String, _ to: String, _ expected: String, _ section: String) throws {
        let host = try StagedHost()
        defer { host.end() }
        let hand = try ChangingProxy(to: host.port, from, to)
        let run = try ConformanceRun(
            ["host", "127.0.0.1:\(hand.port)", "--recordings", Self.folder, "--only", recording])
        #expect(run.code == 1)
        #expect(run.output.contains("not ok 1 - \(recording)"))
        let said = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("  expected: ") })
        #expect(said.contains(expected), "\(run.output)")
        #expect(run.output.contains("section: \"Protocol/README.md \(section)\""), "\(run.output)")
    }

    @Test("no host at all is told once, before any recording")
    func noHost() throws {
        let run = try ConformanceRun(["host", "127.0.0.1:1", "--recordings", Self.folder])
        #expect(run.code == 69)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("No host answers at 127.0.0.1:1: "), "\(run.errors)")
    }

    @Test("a folder without recordings is told of as such")
    func emptyFolder() throws {
        let folder = try TemporaryFolder("empty")
        let run = try ConformanceRun(["host", "--in-process", "--recordings", folder.path])
        #expect(run.code == 64)
        #expect(run.errors.contains("holds no recordings"), "\(run.errors)")
    }

    @Test(
        "what cannot be understood ends with 64 or 65",
        arguments: [
            (["host"], 64), (["host", "127.0.0.1:x"], 64), (["host", "127.0.0.1", "--recordings", "/nonexistent"], 64),
            (["host", "--in-process", "--only", "nothing"], 64),
            (["host", "--in-process", "--recordings", "/etc/hostname"], 65),
            (["record", "0.0.0.0:1", "127.0.0.1:1"], 64), (["record", "127.0.0.1"], 64),
            (["record", "127.0.0.1:0", "127.0.0.1:1", "--name", "Bad Name"], 64),
            (["record", "127.0.0.1:0", "127.0.0.1:1", "--section", "foo"], 64),
            (["record", "127.0.0.1:0", "127.0.0.1:1", "--json"], 64),
        ] as [([String], Int32)])
    func usage(_ arguments: [String], _ code: Int32) throws {
        let extra = arguments.contains("--recordings") || arguments[0] != "host" ? [] : ["--recordings", Self.folder]
        let run = try ConformanceRun(arguments + extra)
        #expect(run.code == code, "\(run.errors)")
        #expect(run.errors.hasPrefix("allspeak-conformance: "))
    }
}
