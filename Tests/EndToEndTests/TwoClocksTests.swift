import Foundation
import LinuxSystem
import Probe
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// Host and remote on two machines, as far as one can play two: other clocks, and an unsteady network between.
    @Suite("Two clocks")
    struct TwoClocksTests {
        /// What a watching remote printed, beside what was heard when the line came.
        private struct Sample {
            var at: SteadyTime
            /// Seconds of film.
            var shown: Double
            /// The same; `nil` where nothing of the film was heard near `shown`.
            var heard: Double?

            /// Milliseconds.
            var error: Double { heard.map { (shown - $0) * 1_000 } ?? .infinity }
        }

        private let stage: Stage
        private let host: Host
        private let recorder: MonitorRecorder

        init() throws {
            stage = try Stage(hasSound: true)
            host = try stage.host(try Film.dense().arguments)
            recorder = try MonitorRecorder(of: try #require(stage.sound).address)
        }

        @Test("a remote 5 s off, behind 100 ms of jitter, shows what is heard, to 10 ms in 99 of 100 lines")
        func shownIsHeard() throws {
            let proxy = try DelayingProxy(to: host.port, .init(base: 0.002, jitter: 0.1, seed: 4))
            defer { withExtendedLifetime(proxy) {} }
            let clock = try FakedClock()
            let watch = Watch(
                try Running(
                    "allspeak-remote", ["--host", "127.0.0.1:\(proxy.port)", "watch", "--json"],
                    environment: stage.environment.merging(clock.environment) { $1 }, wrapper: ["env"]))
            defer { clock.tidy(after: watch.running.child) }
            try watch.connected()
            try stage.remote("play", at: host).succeeded()
            // The first exchanges of clocks.
            usleep(10_000_000)
            let mark = watch.mark
            usleep(14_000_000)
            let changes = [
                try change("seek", "seek", "70"), try after(12, change("pause", "pause")),
                try after(1, change("play", "play")),
            ]
            usleep(16_000_000)
            let lines = watch.running.output.lines[mark...]
            let recording = recorder.recording(until: try #require(lines.last).at, plus: 0.3)

            var samples: [Sample] = []
            for line in lines where !changes.contains(where: { isUnderWay($0, at: line.at) }) {
                let json = try JSON(line.text)
                guard json["isPlaying"].bool == true else { continue }
                let shown = try #require(json["currentTime"].number)
                let heard = recording.position(at: line.at, track: 0, near: shown, reach: 0.2)
                samples.append(Sample(at: line.at, shown: shown, heard: heard))
            }
            report(samples, try wayOfALine())
            #expect(samples.count >= 300)
            #expect(quantile(0.99, samples.map { abs($0.error) }) <= 10)
        }

        /// Whether a change told by the host at `change` is still on its way to the remote, or to be heard, at `time`.
        ///
        /// The network may take 102 ms, and what is heard is looked for in the 50 ms from `time` on.
        private func isUnderWay(_ change: SteadyTime, at time: SteadyTime) -> Bool {
            (-0.1...0.2).contains(time - change)
        }

        /// When the host told of `event`, which another remote has brought about.
        private func change(_ event: String, _ arguments: String...) throws -> SteadyTime {
            let mark = host.mark
            try stage.remote(arguments, at: host).succeeded()
            let found = host.running.output.first(after: mark) { line in
                (try? JSON(line.text))?["event"].text == event ? line.at : nil
            }
            return try #require(found, "the host told of no \(event)")
        }

        private func after(_ seconds: Double, _ change: @autoclosure () throws -> SteadyTime) throws -> SteadyTime {
            usleep(useconds_t(seconds * 1e6))
            return try change()
        }

        /// Milliseconds that lines take through a program that does nothing else, twice the way from a remote to us.
        private func wayOfALine() throws -> [Double] {
            let (input, itsInput) = try Child.channel()
            let (output, itsOutput) = try Child.channel()
            let echo = try Child("cat", [], input: itsInput, output: itsOutput)
            defer { for end in [input, itsInput, itsOutput] { close(end) } }
            let log = LineLog(reading: output)
            return try (0..<100).map { number in
                let sent = MonotonicClock.now()
                FakePeer.say("\(number)\n", on: input)
                let line = try #require(log.first(after: number) { $0 }, "cat \(echo.process) gives nothing back")
                return (line.at - sent) * 1_000
            }
        }

        private func report(_ samples: [Sample], _ ways: [Double]) {
            let errors = samples.map(\.error)
            let sizes = errors.map(abs)
            print(
                "shown minus heard, \(samples.count) lines (ms): median \(text(quantile(0.5, errors))), from",
                "\(text(quantile(0, errors))) to \(text(quantile(1, errors))); its size: median",
                "\(text(quantile(0.5, sizes))), 99th of 100 \(text(quantile(0.99, sizes)))")
            print(
                "a line to a program and back (ms): median \(text(quantile(0.5, ways))),",
                "99th of 100 \(text(quantile(0.99, ways)))")
        }

        /// The least value that `part` of all do not exceed.
        private func quantile(_ part: Double, _ values: [Double]) -> Double {
            let sorted = values.sorted()
            return sorted.isEmpty ? .infinity : sorted[max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
        }

        private func text(_ value: Double) -> String { String(format: "%.2f", value) }
    }
}

/// What makes a program believe that it is 5 s later: libfaketime.
///
/// Its steady clock becomes another one as well, since that is made the wall clock, 5 s later. The program is to be started by
/// `env`: loaded first, the library adds to the environment, and where that has moved Swift's runtime does not find a
/// program's arguments; in `env` it has done so before.
private struct FakedClock {
    let environment: [String: String]

    /// Fails where libfaketime is not installed, or does not move a clock by 5 s.
    init() throws {
        // A sanitizer stands before the same functions of the C library, and the two do not get along.
        guard !Sanitizer.isOn else {
            environment = [:]
            return
        }
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        let library = folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first(
            where: FileManager.default.fileExists)
        guard let library else { throw TestFailure("libfaketime is not there: apt-get install faketime") }
        environment = ["LD_PRELOAD": library, "FAKETIME": "+5s"]
        let (reading, date) = try Child.reading("date", ["+%s.%N"], environment: environment)
        let before = Date().timeIntervalSince1970
        let said = LineLog(reading: reading).first { Double($0.text) } ?? 0
        tidy(after: date)
        guard (before + 4.9...Date().timeIntervalSince1970 + 5.1).contains(said) else {
            throw TestFailure("\(library) makes it \(said) at \(before), not 5 s later")
        }
    }

    /// Ends `program` and removes what the library leaves behind in shared memory at an end that is not its own.
    func tidy(after program: Child) {
        program.signal(SIGTERM)
        _ = program.exitCode(within: 5)
        program.kill()
        for name in ["faketime_shm_", "sem.faketime_sem_"] { unlink("/dev/shm/\(name)\(program.process)") }
    }
}
