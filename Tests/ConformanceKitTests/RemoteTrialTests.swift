import Testing
import WireProtocol

@testable import Conformance

@Suite("Trials of a remote, on virtual time")
struct RemoteTrialTests {
    private static let names = Trial.all.map(\.name)

    private static func trial(_ name: String) throws -> Trial {
        try #require(Trial.all.first { $0.name == name })
    }

    private func failures(_ machine: TrialMachine) -> [String] {
        machine.checks.filter(\.hasFailed).map { "\($0.name): \($0.outcome)" }
    }

    @Test("this project's remote machine passes each, whatever its jitter", arguments: names)
    func passes(_ name: String) throws {
        for seed in 1...2 {
            let play = VirtualPlay.play(try Self.trial(name), seed: UInt64(seed))
            #expect(play.isFinished)
            #expect(failures(play) == [])
            #expect(LineRules.checks(of: [play]).filter(\.hasFailed) == [])
        }
    }

    @Test("every trial has a name of its own, and every check too")
    func namesOfTheirOwn() {
        #expect(Set(Self.names).count == Self.names.count)
        let checks = Trial.all.flatMap { $0.skipped("") }.map(\.name)
        #expect(Set(checks).count == checks.count)
        #expect(checks.count > 100)
    }

    @Test("what a trial skips has the names and sections of what it checks", arguments: ["coalescing", "pings"])
    func skipped(_ name: String) throws {
        let trial = try Self.trial(name)
        let played = VirtualPlay.play(trial).checks
        #expect(trial.skipped("why").map(\.name) == played.map(\.name))
        #expect(trial.skipped("why").map(\.section) == played.map(\.section))
        #expect(trial.skipped("why").allSatisfy { $0.outcome == .skipped(reason: "why") })
    }

    // MARK: Bad remotes

    struct Bad: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var trial: String
        /// The check that has to fail.
        var check: String
        var tampering: VirtualPlay.Tampering

        init(
            _ description: String, _ trial: String, _ check: String,
            _ change: (inout VirtualPlay.Tampering) -> Void
        ) {
            (testDescription, self.trial, self.check) = (description, trial, check)
            tampering = VirtualPlay.Tampering()
            change(&tampering)
        }
    }

    private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

    /// A tampering that changes lines that contain `mark`.
    private static func changing(
        _ mark: String, _ change: @escaping @Sendable (String) -> [String]
    ) -> @Sendable ([UInt8], Int) -> [[UInt8]] {
        { line, _ in text(line).contains(mark) ? change(text(line)).map { Array($0.utf8) } : [line] }
    }

    private static let bad: [Bad] = [
        Bad("no pings", "pings", "pings: pings every 5 s") { $0.sends = changing(#""ping""#) { _ in [] } },
        Bad("ten pings for one", "pings", "pings: pings every 5 s") {
            $0.sends = changing(#""ping""#) { Array(repeating: $0, count: 10) }
        },
        Bad("no pongs", "pings", "pings: answers a ping with a pong") { $0.sends = changing(#""pong""#) { _ in [] } },
        Bad("another id each time", "greeting", "greeting: it comes back, under the same id") {
            $0.sends = { line, number in
                [Array(text(line).replacing(#""id":"in-process""#, with: #""id":"me\#(number)""#).utf8)]
            }
        },
        Bad("another id each time, in the lines", "greeting", "lines: the remote's id is the same in every connection")
        {
            $0.sends = { line, number in
                [Array(text(line).replacing(#""id":"in-process""#, with: #""id":"me\#(number)""#).utf8)]
            }
        },
        Bad("plays when it connects", "greeting", "greeting: connecting moves nothing") {
            $0.sends = changing(#""hello""#) { [$0, #"{"kind":"command","id":99,"payload":{"kind":"play"}}"# + "\n"] }
        },
        Bad("plays unasked, in the lines", "greeting", "lines: nothing is sent that was not typed") {
            $0.sends = changing(#""hello""#) { [$0, #"{"kind":"command","id":99,"payload":{"kind":"play"}}"# + "\n"] }
        },
        Bad("pings before hello", "greeting", "lines: the first line of every connection is hello") {
            $0.sends = changing(#""hello""#) { [#"{"kind":"ping"}"# + "\n", $0] }
        },
        Bad("a kind of its own", "greeting", "lines: every line is a frame of the specification, within its limits") {
            $0.sends = changing(#""hello""#) { [$0, #"{"kind":"wink"}"# + "\n"] }
        },
        Bad(
            "a name that is no text", "greeting", "lines: every line is a frame of the specification, within its limits"
        ) {
            $0.sends = changing(#""hello""#) { [$0.replacing(#""name":"in-process""#, with: #""name":7"#)] }
        },
        Bad(
            "a line that is too long", "greeting",
            "lines: every line is a frame of the specification, within its limits"
        ) {
            $0.sends = changing(#""hello""#) { [$0, String(repeating: " ", count: Limits.frameBytes) + "\n"] }
        },
        Bad(
            "commands without an id", "order", "lines: every command has an id, and none that still waits for its reply"
        ) {
            $0.sends = changing(#""command""#) { line in [line.replacing(/"id":\d+,/, with: "")] }
        },
        Bad("one id for all", "order", "order: commands that wait at the same time have ids of their own") {
            $0.sends = changing(#""command""#) { line in [line.replacing(/"id":\d+/, with: #""id":7"#)] }
        },
        Bad("every command twice", "words", "words: “play” is one command") {
            $0.sends = changing(#""command""#) { [$0, $0] }
        },
        Bad("five skips for one", "coalescing", "coalescing: five quick +1 are one skip of 5") {
            $0.sends = changing(#""seconds":5"#) { line in
                (1...5).map { line.replacing(/"id":\d+/, with: #""id":"\#($0)""#).replacing(":5}", with: ":1}") }
            }
        },
        Bad("hello without cues", "pushed", "pushed: after a reconnect hello names the cues that it holds") {
            $0.sends = changing(#""hello""#) { line in [line.replacing(/,"cues":\{[^}]*\}/, with: "")] }
        },
        Bad("asks for all chunks", "lost", "lost: a lost chunk is asked for, and only that") {
            $0.sends = changing(#""index":2"#) { line in
                (0...2).map { line.replacing(/"id":\d+/, with: #""id":"\#($0)""#).replacing(":2}", with: ":\($0)}") }
            }
        },
        Bad("no word on what was not sent", "resending", "resending: and the user is told: “not sent”") {
            $0.says = { $0.replacing("not sent", with: "sent") }
        },
        Bad("a position 1 s late", "position", "position: a playing one runs from currentTime at serverDate") {
            $0.says = { $0.replacing("0:40.", with: "0:39.") }
        },
        Bad("a position that is too early", "position", "position: it does not run past the end") {
            $0.says = { $0.replacing("2:00.00", with: "2:00.40") }
        },
        Bad("a terminal that turns red", "errors", "errors: without control characters and direction overrides") {
            $0.says = { $0.replacing("Later ", with: "Later\u{1B}[31m") }
        },
        Bad("no word on errors", "errors", "errors: what the host refuses is told") { $0.says = { _ in "" } },
        Bad("a cue too early", "cue", "cue: one that is 0.001 s away is not") {
            $0.says = { $0.hasPrefix("0:20.00") ? $0.replacing("One of", with: "Three of") : $0 }
        },
    ]

    @Test("a bad one fails by the check that is meant for it", arguments: bad)
    func fails(_ bad: Bad) throws {
        let play = VirtualPlay.play(try Self.trial(bad.trial), tampering: bad.tampering)
        let failed = (play.checks + LineRules.checks(of: [play])).filter(\.hasFailed).map(\.name)
        #expect(failed.contains(bad.check), "failed: \(failed)")
    }

    @Test("what was sent before a break and comes again is noticed")
    func resending() throws {
        // A tampering has no memory, but a trial's commands are known.
        var tampering = VirtualPlay.Tampering()
        tampering.sends = { line, number in
            guard number == 2, Self.text(line).contains("hello") else { return [line] }
            return [line, Array((#"{"kind":"command","id":77,"payload":{"kind":"seek","time":12}}"# + "\n").utf8)]
        }
        let play = VirtualPlay.play(try Self.trial("resending"), tampering: tampering)
        #expect(
            play.checks.filter(\.hasFailed).map(\.name) == [
                "resending: what was sent on a broken connection is not sent again"
            ])
    }
}
