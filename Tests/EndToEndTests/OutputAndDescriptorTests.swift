import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// Programs started by scripts and supervisors that close, fill up or ration what a program takes for granted.
    @Suite("Output that cannot be written, and too few descriptors")
    struct OutputAndDescriptors {
        private let stage: Stage
        private let film: Film

        init() throws {
            stage = try Stage()
            film = try Film.standard()
        }

        /// Runs a program with a redirection of the shell's, such as `>/dev/full`.
        private func redirected(_ program: String, _ arguments: [String], _ redirection: String) throws -> Outcome {
            try stage.start(program, arguments, wrapper: ["/bin/sh", "-c", #"exec "$@" \#(redirection)"#, "sh"])
                .ended(within: 20)
        }

        @Test(
            "a full disk is told on standard error, and the exit code is not 0", arguments: ["status", "cues", "play"])
        func fullDisk(command: String) throws {
            let host = try stage.host(film.arguments)
            let outcome = try redirected(
                "allspeak-remote", ["--host", "127.0.0.1:\(host.port)", command], ">/dev/full")
            #expect(outcome.code == 69)
            #expect(try outcome.sentence() == "The output cannot be written: No space left on device.")
        }

        @Test(
            "so it is by what needs no host",
            arguments: [["cues"], ["cues", "--json"], ["sessions", "list"], ["--help"]])
        func fullDiskOfHost(arguments: [String]) throws {
            let file = arguments.first == "cues" ? [film.subtitles] : []
            let outcome = try redirected("allspeak-host", arguments + file, ">/dev/full")
            #expect(outcome.code == 69)
            #expect(try outcome.sentence() == "The output cannot be written: No space left on device.")
        }

        @Test("a watching remote ends when its output cannot be written, or nobody reads it any more")
        func watching() throws {
            let host = try stage.host(film.arguments)
            let watch = ["--host", "127.0.0.1:\(host.port)", "watch"]
            let full = try stage.start(
                "allspeak-remote", watch, wrapper: ["/bin/sh", "-c", #"exec "$@" >/dev/full"#, "sh"])
            let piped = try stage.start(
                "allspeak-remote", watch, wrapper: ["/bin/sh", "-c", #"{ "$@"; echo $? >&2; } | head -n 1"#, "sh"])
            let control = try RawClient(host)
            // It notices with the next thing that it has to tell.
            for id in 1...40 where full.child.isRunning || piped.child.isRunning {
                try control.command(#""kind":"seek","time":\#(id)"#, id: id)
                usleep(100_000)
            }
            let told = try full.ended(within: 5)
            #expect(told.code == 69)
            #expect(try told.sentence() == "The output cannot be written: No space left on device.")
            // Whoever writes `| head` means it.
            #expect(try piped.ended(within: 5).errors == "0\n")
        }

        @Test("with 0, 1 and 2 closed nothing is written into a connection that would have taken their number")
        func closedStandardDescriptors() throws {
            let host = try stage.host(film.arguments)
            let place = ["--host", "127.0.0.1:\(host.port)"]
            #expect(try redirected("allspeak-remote", place + ["status"], "<&- >&- 2>&-").code == 69)
            let told = try redirected("allspeak-remote", place + ["skip", "+1"], ">&-")
            #expect(try told.sentence() == "The output cannot be written: Bad file descriptor.")

            // A host whose own first socket would be 0, 1 or 2.
            let port = try FakePeer { _ in }.port
            let bare = try stage.start(
                "allspeak-host",
                [
                    "play", "--json", "--port", "\(port)", "--data", stage.folder("bare"), "--output", "null", "--mdns",
                    "off",
                ]
                    + film.arguments, wrapper: ["/bin/sh", "-c", #"exec "$@" <&- >&- 2>&-"#, "sh"])
            defer { bare.child.kill() }
            let end = MonotonicClock.now() + 10
            var client: RawClient?
            while client == nil, MonotonicClock.now() < end {
                client = try? RawClient(port: port)
                usleep(10_000)
            }
            let remote = try #require(client)
            _ = try remote.message("hello")
            remote.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r","name":"R"}}}"#)
            _ = try remote.message("snapshot")
            for id in 1...20 { try remote.command(#""kind":"seek","time":\#(id)"#, id: id) }
            #expect(
                remote.log.lines.allSatisfy { (try? JSON($0.text)["kind"].text) != nil }, "only the protocol is heard")
            for number in 0...2 {
                let target = try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(bare.child.process)/fd/\(number)")
                #expect(target == "/dev/null")
            }
        }

        @Test(
            "too few descriptors are told in one sentence, whatever their number",
            arguments: [3, 9, 12, 13, 15, 40, 79])
        func tooFew(number: Int) throws {
            let limited = ["prlimit", "--nofile=\(number):\(number)"]
            let outcome = try stage.hostCommand(
                ["play", "--port", "0", "--output", "null", "--mdns", "off", "--data", stage.data] + film.arguments,
                wrapper: limited)
            // Below what the system's own loader needs, the program does not even begin.
            if number == 3 { return #expect(outcome.code != 0) }
            #expect(outcome.code == 69)
            #expect(try outcome.sentence().hasPrefix("This process may open only \(number) files at once"))
            if number < 16 {
                let remote = try stage.start("allspeak-remote", ["status"], wrapper: limited).ended()
                #expect(remote.code == 69)
                #expect(try remote.sentence().hasPrefix("This process may open only \(number) files at once"))
            }
        }

        @Test("where descriptors run out, silent connections give theirs to who comes, and nothing spins")
        func runningOut() throws {
            let host = try stage.host(film.arguments, wrapper: ["prlimit", "--nofile=100:100"])
            let good = try RawClient(host, as: "Good")
            let silent = try (0..<500).map { _ in try RawClient.connect(port: host.port) }
            defer { for descriptor in silent { close(descriptor) } }
            let asked = MonotonicClock.now()
            #expect(try stage.remote("status", at: host).code == 0)
            #expect(MonotonicClock.now() - asked < 3)
            #expect(host.openDescriptors <= 100)
            let before = host.cpuSeconds
            usleep(1_000_000)
            #expect(host.cpuSeconds - before < 0.2)
            #expect(try good.command(#""kind":"seek","time":3"#, id: 1)["kind"].text == "snapshot")
        }
    }
}
