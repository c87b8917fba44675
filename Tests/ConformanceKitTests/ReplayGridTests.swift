import Conformance
import Testing
import WireProtocol

/// Each event in each state of a replay.
@Suite("A replay")
struct ReplayGridTests {
    private static let hello =
        #"{"kind":"hello","payload":{"protocol":1,"host":{"id":"h","name":"n","software":"s"},"serverDate":"2026-03-01T20:15:00.000Z","features":[],"auth":"none"}}"#

    /// How the preparation of a host without a session goes, which is the shortest.
    private static let header =
        #"{"recording":1,"name":"a","about":"b","section":"§6","start":{"session":false}}"#
    private static let connect = #"{"at":0,"on":"a","does":"connect"}"#
    private static let hears = #"{"at":0,"on":"a","hears":{"kind":"hello"}}"#
    private static let ask = #"{"at":0,"on":"a","sends":{"kind":"ping","id":1}}"#
    private static let pong = #"{"at":0,"on":"a","hears":{"kind":"pong","re":1}}"#

    private struct Bench {
        var run: ReplayRun
        var now = SteadyTime(nanoseconds: 0)
        var actions: [ReplayAction] = []

        init(_ lines: [String]) throws {
            let file = ([ReplayGridTests.header] + lines).joined(separator: "\n")
            run = ReplayRun([try Recording(reading: Array(file.utf8))], pace: .virtualTime, now: now)
            actions = run.begin(now: now)
            greet(0)
        }

        /// Answers the preparation of a recording on that connection.
        mutating func greet(_ link: Int) {
            feed(.connected(link))
            feed(.line(link, Array(ReplayGridTests.hello.utf8)))
            feed(.line(link, Array(#"{"kind":"sessionEnded","payload":{}}"#.utf8)))
        }

        var checks: Int {
            actions.count { if case .check = $0 { true } else { false } }
        }

        mutating func feed(_ event: ReplayEvent) {
            actions += run.handle(event, now: now)
        }

        mutating func wait(_ seconds: Double) {
            now = now + seconds
            actions += run.tick(now: now)
        }

        var outcome: String {
            for case .check(let check) in actions {
                switch check.outcome {
                case .passed: return "passed"
                case .skipped(let reason): return "skipped: \(reason)"
                case .failed(let expected, let got): return "failed: \(expected) / \(got)"
                }
            }
            return "going on"
        }
    }

    private enum State: String, CaseIterable {
        case connecting, greeting, asked, staging, resting, ending
    }

    /// A replay in that state.
    private func bench(_ state: State) throws -> Bench {
        let stage = #"{"at":0,"stage":["lose-output"]}"#
        let rest = #"{"at":9,"on":"a","sends":{"kind":"ping","id":2}}"#
        let script: [String] =
            switch state {
            case .connecting, .greeting: [Self.connect, Self.hears]
            case .asked: [Self.connect, Self.hears, Self.ask, Self.pong]
            case .staging: [Self.connect, Self.hears, stage]
            case .resting: [Self.connect, Self.hears, rest]
            case .ending: [Self.connect, Self.hears]
            }
        var bench = try Bench(script)
        if state == .connecting { return bench }
        bench.feed(.connected(1))
        if state == .greeting { return bench }
        bench.feed(.line(1, Array(Self.hello.utf8)))
        return bench
    }

    private static let grid = """
        connecting | refused    | failed: a connection
        connecting | ended      | failed: line 3
        connecting | silence    | failed: line 3
        connecting | a stranger | going on
        greeting   | silence    | failed: line 3
        greeting   | ended      | failed: line 3
        greeting   | garbage    | failed: a hears one JSON object
        greeting   | too long   | failed: lines of at most 65536 bytes
        greeting   | a stranger | going on
        greeting   | an answer  | failed: a hears hello as the first line
        asked      | silence    | failed: line 5
        asked      | ended      | failed: line 5
        asked      | an answer  | going on
        asked      | a wrong re | failed: line 5
        asked      | a push     | failed: a hears no push before hello
        asked      | unknown    | going on
        staging    | done       | going on
        staging    | unable     | skipped: needs no
        staging    | failed     | failed: a stage that works / broken
        staging    | silence    | going on
        staging    | ended      | failed: a stays connected
        resting    | silence    | failed: a pong to the last ping
        resting    | ended      | failed: a stays connected
        ending     | silence    | failed: a pong to the last ping
        ending     | the end    | passed
        ending     | an answer  | failed: a hears nothing but pushes here
        ending     | ended      | failed: a stays connected
        ending     | unknown    | going on
        """

    @Test("goes on or ends as the table says", arguments: grid.split(separator: "\n").map(String.init))
    func row(_ row: String) throws {
        let cells = row.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }
            .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }
        var bench = try bench(try #require(State(rawValue: cells[0])))
        switch cells[1] {
        case "refused": bench.feed(.refused(1, reason: "nobody listens"))
        case "ended": bench.feed(.ended(1))
        case "silence": for _ in 0..<20 { bench.wait(1) }
        case "garbage": bench.feed(.line(1, Array("{".utf8)))
        case "too long": bench.feed(.lineTooLong(1))
        case "a stranger": bench.feed(.line(7, Array("{".utf8)))
        case "an answer": bench.feed(.line(1, Array(Self.pong(re: "1").utf8)))
        case "a wrong re": bench.feed(.line(1, Array(Self.pong(re: "2").utf8)))
        case "a push":
            bench.feed(
                .line(
                    1,
                    Array(
                        #"{"kind":"metadata","payload":{"sessionID":"s","revision":1,"title":"t","duration":1,"cueCount":0,"cueDigest":"d","isPlaying":false,"currentTime":0,"serverDate":"2026-03-01T20:15:00.000Z","tracks":[]}}"#
                            .utf8)))
        case "unknown": bench.feed(.line(1, Array(#"{"kind":"weather","payload":{}}"#.utf8)))
        case "the end": bench.feed(.line(1, Array(Self.pong(re: "\"the end\"").utf8)))
        case "done": bench.feed(.staged(.done))
        case "unable": bench.feed(.staged(.unable(reason: "no")))
        case "failed": bench.feed(.staged(.failed(reason: "broken")))
        default: Issue.record("no event \(cells[1])")
        }
        #expect(bench.outcome.hasPrefix(cells[2]), "\(bench.outcome)")
    }

    private static func pong(re: String) -> String {
        #"{"kind":"pong","re":\#(re),"payload":{"serverDate":"2026-03-01T20:15:00.000Z"}}"#
    }

    @Test("lets a host that is slow to answer move the rest of the recording back")
    func slowHost() throws {
        let later = #"{"at":1,"on":"a","sends":{"kind":"ping","id":2}}"#
        let last = #"{"at":1.5,"on":"a","sends":{"kind":"ping","id":3}}"#
        let pong2 = #"{"at":1,"on":"a","hears":{"kind":"pong","re":2}}"#
        var bench = try Bench([Self.connect, Self.hears, later, pong2, last])
        bench.feed(.connected(1))
        bench.feed(.line(1, Array(Self.hello.utf8)))
        bench.wait(1)
        bench.wait(2)
        let late = #"{"kind":"pong","re":2,"payload":{"serverDate":"2026-03-01T20:15:03.000Z"}}"#
        bench.feed(.line(1, Array(late.utf8)))
        #expect(bench.actions.contains(.send(1, Array("{\"kind\":\"ping\",\"id\":3}\n".utf8))))
    }

    @Test("charges no recording with the stage of the one before, however late that ends")
    func lateStage() throws {
        let stage = #"{"at":0,"stage":["lose-output"]}"#
        let file = ([Self.header] + [Self.connect, Self.hears, stage, Self.hears]).joined(separator: "\n")
        let recording = try Recording(reading: Array(file.utf8))
        var bench = try Bench([Self.connect, Self.hears, stage])
        bench.run = ReplayRun([recording, recording], pace: .virtualTime, now: bench.now)
        bench.actions = bench.run.begin(now: bench.now)
        bench.greet(0)
        bench.feed(.connected(1))
        bench.feed(.line(1, Array(Self.hello.utf8)))
        #expect(bench.actions.contains(.stage(["lose-output"])))
        bench.feed(.ended(1))
        #expect(bench.checks == 1)
        bench.greet(2)
        bench.feed(.connected(3))
        bench.feed(.line(3, Array(Self.hello.utf8)))
        bench.feed(.staged(.failed(reason: "too late")))
        #expect(bench.checks == 1)
        bench.feed(.staged(.failed(reason: "at last")))
        #expect(bench.checks == 2)
    }

    @Test("passes over any number of recordings that take too long for this run")
    func manySkipped() throws {
        let header = Self.header.replacing(#""recording":1"#, with: #""recording":1,"long":true"#)
        let recording = try Recording(reading: Array("\(header)\n\(Self.connect)".utf8))
        let start = SteadyTime(nanoseconds: 0)
        var run = ReplayRun(Array(repeating: recording, count: 20_000), pace: .realTime, now: start)
        let count = run.begin(now: start).count
        let isFinished = run.isFinished
        #expect(count == 20_001)
        #expect(isFinished)
    }

    @Test("takes what never comes for passed only when its time is over")
    func bans() throws {
        let ban = #"{"at":0,"on":"a","never":{"kind":"pong"},"for":2}"#
        var bench = try Bench([Self.connect, Self.hears, ban])
        bench.feed(.connected(1))
        bench.feed(.line(1, Array(Self.hello.utf8)))
        bench.wait(1)
        #expect(!bench.actions.contains { if case .send(1, _) = $0 { true } else { false } })
        bench.wait(1)
        #expect(bench.actions.contains { if case .send(1, _) = $0 { true } else { false } })
    }
}
