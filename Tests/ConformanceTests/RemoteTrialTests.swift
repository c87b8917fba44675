import Foundation
import TestKit
import Testing

@Suite("allspeak-conformance remote")
struct RemoteTrialTests {
    private static let python = ["/usr/bin/python3", Repository.path("examples/remote.py"), "{host}", "{port}"]

    /// A run of the judge.
    private final class Run {
        let client: Client

        init(_ arguments: [String]) throws {
            client = try Client([try Programs.path("allspeak-conformance"), "remote"] + arguments)
        }

        func ended() throws -> (code: Int32, lines: [String]) {
            let code = try client.ended(within: 120)
            return (code, client.output.lines.map(\.text))
        }
    }

    private func failures(_ lines: [String]) -> String {
        let isFailure = lines.enumerated().filter { $0.element.hasPrefix("not ok") }.map(\.offset)
        return isFailure.map { lines[$0..<min(lines.count, $0 + 6)].joined(separator: "\n") }.joined(separator: "\n")
    }

    @Test("the Python client passes every trial")
    func pythonClient() throws {
        let folder = try TemporaryFolder("report")
        let (code, lines) = try Run(["--report", folder("report.json"), "--"] + Self.python).ended()
        #expect(code == 0, "\(failures(lines))")
        #expect(lines.first == "TAP version 14")
        #expect(lines.last == "1..\(lines.count { $0.hasPrefix("ok") })")
        #expect(!lines.contains { $0.contains("# SKIP") })
        let report = try JSON(String(contentsOfFile: folder("report.json"), encoding: .utf8))
        #expect(report["passed"].bool == true)
        let window = report["checks"].array?.first { $0["name"].text?.hasPrefix("window: which leaves") == true }
        #expect((0.24...0.5).contains(window?["timings"]["window after the last tap"].number ?? 0))
    }

    @Test("our remote passes every trial that needs no keyboard")
    func ourRemote() throws {
        let remote = [try Programs.path("allspeak-remote"), "--host", "{host}:{port}", "watch"]
        let (code, lines) = try Run(["--no-keyboard", "--"] + remote).ended()
        #expect(code == 0, "\(failures(lines))")
        #expect(lines.contains { $0.contains("# SKIP it needs a keyboard") })
    }

    @Test("so does the one that fills a terminal")
    func fullScreen() throws {
        let remote = "'\(try Programs.path("allspeak-remote"))' --host {host}:{port}"
        let terminal = ["env", "TERM=xterm-256color", "script", "-qefc", remote, "/dev/null"]
        let (code, lines) = try Run(["--no-keyboard", "--"] + terminal).ended()
        #expect(code == 0, "\(failures(lines))")
        #expect(lines.contains { $0.hasPrefix("ok") && !$0.contains("# SKIP") })
    }

    @Test("our remote's machine passes every trial, at once")
    func inProcess() throws {
        let (code, lines) = try Run(["--in-process"]).ended()
        #expect(code == 0, "\(failures(lines))")
    }

    @Test("each of many bad clients fails by the check that is meant for it")
    func mutants() throws {
        let folder = try TemporaryFolder("mutants")
        let original = try Repository.text("examples/remote.py")
        var waiting = try RemoteMutant.all.enumerated().map { number, mutant in
            (mutant, try folder.file("mutant-\(number).py", try mutant.text(of: original)))
        }
        #expect(waiting.count >= 40)
        // The long ones first; most only wait, so many run at once.
        let slow = ["reconnecting", "jitter", "silence", "deaf", "pings"]
        waiting.sort { slow.contains($0.0.trial) && !slow.contains($1.0.trial) }
        var running: [(RemoteMutant, Run)] = []
        while !waiting.isEmpty || !running.isEmpty {
            while running.count < 16, !waiting.isEmpty {
                let (mutant, path) = waiting.removeFirst()
                let arguments = ["--only", mutant.trial, "--attempts", "1", "--", "/usr/bin/python3", path]
                running.append((mutant, try Run(arguments + ["{host}", "{port}"])))
            }
            usleep(20_000)
            for (mutant, run) in running where run.client.output.isEnded {
                let (code, lines) = try run.ended()
                let failed = lines.filter { $0.hasPrefix("not ok") }
                #expect(code == 1, "\(mutant.name)")
                #expect(failed.contains { $0.hasSuffix(" - \(mutant.check)") }, "\(mutant.name): \(failed)")
            }
            running.removeAll { $0.1.client.output.isEnded }
        }
    }

    // MARK: The command line

    @Test(
        "what cannot be tried is told",
        arguments: [
            ([], Int32(64), "needs a COMMAND"), (["--in-process", "--", "x"], 64, "takes no COMMAND"),
            (["--only", "dance", "--", "x"], 64, "There is no trial dance"),
            (["--attempts", "0", "--", "x"], 64, "--attempts"),
            (["--", "/nonexistent/remote"], 69, "/nonexistent/remote"),
            (
                ["--report", "/nonexistent/r.json", "--", "x"], 69,
                "The report cannot be written to /nonexistent/r.json: "
            ),
        ])
    func usage(_ arguments: [String], _ code: Int32, _ sentence: String) throws {
        let result = try Run(arguments).ended()
        #expect(result.code == code)
        #expect(result.lines.contains { $0.contains(sentence) }, "\(result.lines)")
        #expect(!result.lines.contains { $0.hasPrefix("TAP") })
    }

    @Test("the page tells of every trial, and of no other")
    func page() throws {
        let sentence = try #require(
            try Run(["--only", "?", "--", "x"]).ended().lines.first { $0.contains("there are: ") })
        let known = try #require(sentence.firstMatch(of: /there are: ([a-z, -]+)\./)).output.1.split(separator: ", ")
        let told = try Repository.text("Protocol/conformance.md").split(separator: "\n")
            .drop { $0 != "## The trials" }.filter { $0.hasPrefix("| `") }
            .flatMap { $0.split(separator: "|")[0].matches(of: /`([a-z-]+)`/).map(\.output.1) }
        #expect(told.sorted() == known.sorted())
    }

    @Test("a remote that ends at once fails, and the judge does not wait")
    func endsAtOnce() throws {
        let began = Date()
        let (code, lines) = try Run(["--only", "coalescing", "--", "/bin/true"]).ended()
        #expect(code == 1)
        #expect(lines.contains(#"  got: "the remote ended with code 0 before it connected""#))
        #expect(Date().timeIntervalSince(began) < 8)
    }

    @Test("when the first ones end so, the others are not begun")
    func stopsEarly() throws {
        let began = Date()
        let (code, lines) = try Run(["--", "/bin/sh", "-c", "exit 2"]).ended()
        #expect(code == 1)
        #expect(lines.contains(#"  got: "the remote ended with code 2 before it connected""#))
        #expect(lines.contains { $0.hasSuffix("# SKIP the remote ended 3 times before it connected") })
        #expect(!lines.contains { $0.hasPrefix("ok") && !$0.contains("# SKIP") })
        #expect(Date().timeIntervalSince(began) < 8)
    }

    @Test(
        "a run in which nothing was tried is no pass",
        arguments: [["--only", "words", "--no-keyboard"], ["--only", "greeting"]])
    func nothingTried(_ arguments: [String]) throws {
        let (code, lines) = try Run(arguments + ["--", "/bin/cat"]).ended()
        #expect(code == 1)
        #expect(!lines.contains { $0.hasPrefix("ok") && !$0.contains("# SKIP") }, "\(lines)")
    }

    @Test("each trial has a cache of its own, and all have one place for the id")
    func places() throws {
        let folder = try TemporaryFolder("places")
        let script = #"echo "$XDG_CACHE_HOME $XDG_STATE_HOME" >> \#(folder("places"))"#
        _ = try Run(["--only", "greeting", "--only", "pushed", "--", "/bin/sh", "-c", script]).ended()
        let lines = try String(contentsOfFile: folder("places"), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
        #expect(lines.count == 2)
        #expect(Set(lines.compactMap(\.first)).count == 2 && Set(lines.compactMap(\.last)).count == 1)
    }

    @Test("asked to end, it ends, and so does the remote with all it has started")
    func interrupted() throws {
        let folder = try TemporaryFolder("pid")
        let script = "sleep 600 & echo $! > \(folder("pid")); wait"
        let run = try Run(["--only", "pings", "--", "/bin/sh", "-c", script])
        var sleeper: Int32?
        for _ in 0..<500 where sleeper == nil {
            sleeper = (try? String(contentsOfFile: folder("pid"), encoding: .utf8)).flatMap { text in
                Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            usleep(10_000)
        }
        let process = try #require(sleeper)
        run.client.signal(SIGTERM)
        #expect(try run.ended().code == 69)
        // One that has ended, and that nobody has collected yet, has no command line.
        func isRunning() -> Bool {
            !((try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? "").isEmpty
        }
        for _ in 0..<500 where isRunning() { usleep(10_000) }
        #expect(!isRunning())
    }
}
