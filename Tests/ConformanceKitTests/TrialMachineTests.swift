import Testing
import WireProtocol

@testable import Conformance

@Suite("The machine that plays a trial")
struct TrialMachineTests {
    private static let hello = Array((#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r"}}}"# + "\n").utf8)

    private func at(_ seconds: Double) -> SteadyTime { SteadyTime(nanoseconds: 1_000_000_000_000) + seconds }

    private func machine(@ScriptBuilder _ script: () -> [Step]) -> TrialMachine {
        TrialMachine(
            Trial("trial", needs: .nothing, seconds: 1) { script() }, name: "trial", pace: .virtual, now: at(0),
            wallMilliseconds: 1_790_000_000_000)
    }

    /// Connected, with the remote's hello in.
    private func greeted(@ScriptBuilder _ script: () -> [Step]) -> (TrialMachine, [TrialAction]) {
        var machine = machine(script)
        _ = machine.start(now: at(0))
        _ = machine.connected(1, now: at(1))
        let actions = machine.received(Self.hello, connection: 1, now: at(1))
        return (machine, actions)
    }

    private func text(_ actions: [TrialAction]) -> [String] {
        actions.compactMap {
            if case .send(let bytes, _) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }

    private func holds(_ name: String, isTimed: Bool = false, _ holds: Bool) -> Step {
        .claim(Claim(name: name, section: "§1", isTimed: isTimed) { _ in .is(holds, "yes", "no") })
    }

    @Test("the host says hello at once, and pushes the state after the remote's hello")
    func hello() throws {
        var machine = machine { Step.wait(1) }
        _ = machine.start(now: at(0))
        let first = text(machine.connected(1, now: at(1)))
        #expect(first.count == 1 && first.first?.hasPrefix(#"{"kind":"hello""#) == true)
        let pushed = text(machine.received(Self.hello, connection: 1, now: at(1)))
        #expect(pushed.map { $0.prefix(14) } == [#"{"kind":"metad"#, #"{"kind":"snaps"#, #"{"kind":"cueCh"#])
        for line in first + pushed { _ = try HostFrame(line: Array(line.utf8.dropLast())) }
    }

    @Test("a remote that does not come within the patience fails every claim")
    func neverConnected() {
        var machine = machine {
            holds("a", true)
            holds("b", true)
        }
        _ = machine.start(now: at(0))
        #expect(machine.nextDeadline == at(TrialMachine.patience))
        #expect(machine.tick(now: at(TrialMachine.patience)) == [.finished])
        #expect(
            machine.checks.map(\.outcome)
                == Array(
                    repeating: .failed(expected: "a remote that connects and says hello", got: "no connection"),
                    count: 2))
    }

    @Test("one that ends before it has said hello fails at once, one that ends later is told of")
    func exited() {
        var early = machine { holds("a", true) }
        _ = early.start(now: at(0))
        #expect(early.exited(now: at(1)) == [.finished])
        #expect(early.checks.first?.hasFailed == true)
        var (late, _) = greeted {
            Step.wait(1)
            holds("a", false)
        }
        _ = late.exited(now: at(1))
        _ = late.tick(now: at(2))
        #expect(late.checks.map(\.outcome) == [.failed(expected: "yes", got: "no (the remote has ended)")])
    }

    @Test(
        "what kept the remote from being tried is told",
        arguments: [
            ("", false, "the remote ended with code 2 before it connected"),
            ("", true, "the remote ended with code 2 before it said hello"),
            (
                #"{"kind":"hello","payload":{"protocol":"1"}}"#, true,
                "hello came, but: hello needs protocol, a whole number"
            ),
        ])
    func absence(_ line: String, _ connects: Bool, _ got: String) {
        var machine = machine { holds("a", true) }
        _ = machine.start(now: at(0))
        if connects { _ = machine.connected(1, now: at(1)) }
        if !line.isEmpty { _ = machine.received(Array((line + "\n").utf8), connection: 1, now: at(1)) }
        _ = machine.exited("with code 2", now: at(2))
        #expect(machine.endedUnconnected == !connects)
        #expect(
            machine.checks.map(\.outcome) == [.failed(expected: "a remote that connects and says hello", got: got)])
    }

    @Test("a failure tells of the command that could not be read")
    func refusedCommand() {
        var (machine, _) = greeted {
            Step.wait(1)
            Step.claim("a", "§6") { $0.commands(are: [.skip(seconds: 1)]) }
        }
        let line = #"{"kind":"command","id":1,"payload":{"kind":"skip","seconds":"1"}}"# + "\n"
        _ = machine.received(Array(line.utf8), connection: 1, now: at(1.5))
        _ = machine.tick(now: at(2))
        guard case .failed(_, let got)? = machine.checks.first?.outcome else {
            Issue.record("it has not failed")
            return
        }
        #expect(got.hasPrefix("nothing (command came, but: "))
    }

    @Test("a state that cannot be read is quoted, with the form it should have")
    func unreadableState() {
        var (machine, _) = greeted {
            Step.act { $0.ask() }
            Step.wait(1)
            Step.claim("a", "§8") { $0.shows { _ in 1 } }
        }
        _ = machine.said("at 12.5 playing", now: at(1.5))
        _ = machine.tick(now: at(2))
        guard case .failed(_, let got)? = machine.checks.first?.outcome else {
            Issue.record("it has not failed")
            return
        }
        #expect(got.contains("“at 12.5 playing”") && got.contains("0:12.34 playing"))
    }

    @Test("of a remote that says nothing no rule of lines is tried")
    func silence() {
        var machine = machine { holds("a", true) }
        _ = machine.start(now: at(0))
        _ = machine.tick(now: at(TrialMachine.patience))
        for plays in [[], [machine]] {
            let checks = LineRules.checks(of: plays)
            #expect(checks.count == 5)
            #expect(checks.allSatisfy { $0.outcome == .skipped(reason: "the remote said nothing") })
        }
    }

    @Test("a step that waits ends with its condition, or with its time")
    func waiting() {
        var (machine, _) = greeted {
            Step.until(5) { !$0.commands.isEmpty }
            Step.until(2) { _ in false }
            holds("a", true)
        }
        #expect(machine.nextDeadline == at(6))
        _ = machine.received(
            Array((#"{"kind":"command","payload":{"kind":"play"}}"# + "\n").utf8), connection: 1, now: at(3))
        #expect(machine.nextDeadline == at(5))
        #expect(machine.tick(now: at(5)) == [.finished])
        #expect(machine.checks.map(\.outcome) == [.passed])
        #expect(machine.nextDeadline == nil)
    }

    @Test("only a failure of nothing but durations is worth another try")
    func timedFailures() {
        for (timed, untimed, isWorth) in [
            (false, true, true), (true, true, false), (true, false, false), (false, false, false),
        ] {
            let (machine, _) = greeted {
                holds("timed", isTimed: true, timed)
                holds("untimed", untimed)
            }
            #expect(machine.hasOnlyTimedFailures == isWorth)
        }
    }

    @Test("commands are applied and answered once, the reply before the pushes")
    func command() throws {
        var (machine, _) = greeted { Step.wait(9) }
        let lines = text(
            machine.received(
                Array((#"{"kind":"command","id":"x","payload":{"kind":"skip","seconds":5}}"# + "\n").utf8),
                connection: 1, now: at(2)))
        let frames = try lines.map { try HostFrame(line: Array($0.utf8.dropLast())) }
        #expect(frames.map(\.re) == [.text("x"), nil, nil])
        guard case .snapshot(let snapshot) = frames.first?.message else {
            Issue.record("no snapshot")
            return
        }
        #expect(snapshot.currentTime == 17.5)
    }

    @Test("a reply that is held back is not overtaken by what is sent later")
    func order() {
        var (machine, _) = greeted {
            Step.act { $0.host.replyDelay = 0.5 }
            Step.wait(9)
        }
        func send(_ line: String, _ seconds: Double) -> [String] {
            text(machine.received(Array((line + "\n").utf8), connection: 1, now: at(seconds)))
        }
        #expect(send(#"{"kind":"command","id":1,"payload":{"kind":"play"}}"#, 2) == [])
        #expect(send(#"{"kind":"ping","id":2}"#, 2.1) == [])
        #expect(machine.nextDeadline == at(2.5))
        let later = text(machine.tick(now: at(2.5)))
        #expect(later.count == 4 && later.last?.contains("pong") == true)
    }

    @Test("of a flood only so much is kept, and it is told")
    func flood() {
        var (machine, _) = greeted { Step.wait(9) }
        let lines = Array(String(repeating: "{}\n", count: Stage.maximumLines).utf8)
        for _ in 1...3 { _ = machine.received(lines, connection: 1, now: at(2)) }
        for _ in 0...Stage.maximumLines { _ = machine.said("again", now: at(2)) }
        #expect(machine.stage.received.count == Stage.maximumLines)
        #expect(machine.stage.spoken.count == Stage.maximumLines)
        let failed = LineRules.checks(of: [machine]).filter(\.hasFailed).map(\.name)
        #expect(failed == ["lines: every line is a frame of the specification, within its limits"])
    }

    @Test("the host's clock is ahead by what the script says")
    func skew() throws {
        var machine = machine { Step.wait(9) }
        let straight = machine.stage.date(at(3))
        var stage = machine.stage
        stage.host.skew = 5
        #expect(stage.date(at(3)).milliseconds - straight.milliseconds == 5000)
        #expect(stage.moment(of: stage.date(at(3))) == at(3))
        _ = machine.start(now: at(0))
    }
}

@Suite("The line in which a remote tells its state")
struct StateLineTests {
    @Test(
        "position, state and text are read",
        arguments: [
            ("0:12.34 playing Night Train: Line", 12.34), ("1:02.5 paused", 62.5), ("1:01:01.25 playing X", 3661.25),
            ("-:-- no film", nil), ("0:00.00", 0),
        ])
    func read(_ line: String, _ position: Double?) throws {
        #expect(try #require(StateLine(line)).position == position)
    }

    @Test(
        "other lines are none",
        arguments: [
            "", "not sent: play", "12.5 playing", "a:b", "not connected: 1:00", "1:", ":1", "0:61.0 x", "1:2:3:4 x",
            "0:nan x", "0:+1 x",
        ])
    func refused(_ line: String) {
        #expect(StateLine(line) == nil)
    }

    @Test("the words after the position")
    func words() throws {
        let state = try #require(StateLine("0:12.34  playing Night Train: Line 4"))
        #expect(state.state == "playing")
        #expect(state.text == "playing Night Train: Line 4")
    }
}
