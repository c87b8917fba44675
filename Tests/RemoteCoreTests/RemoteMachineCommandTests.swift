import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Remote machine: what the user wants") struct RemoteMachineCommandTests {
    // MARK: Skips

    @Test("five quick taps are one skip(5), and each tag gets its reply") func coalesces() {
        var bench = Bench.connected(time: 50)
        for tag in 1...5 {
            bench.tap(1, tag)
            bench.pass(0.1)
        }
        #expect(bench.commands.isEmpty)
        bench.pass(0.2)
        #expect(bench.commands.map(\.command) == [.skip(seconds: 5)])
        let reply = snapshot(time: 55, dated: 1, volume: 0.5)
        bench.host(.snapshot(reply), re: bench.commands[0].id)
        for tag in 1...5 { #expect(bench.outcome(tag) == .success(.snapshot(reply))) }
    }

    @Test("the shown position moves with the first tap and never jumps back or twice") func preview() {
        var bench = Bench.connected(time: 50)
        #expect(bench.position == 50)
        bench.tap(3, 1)
        #expect(bench.position == 53 && bench.view.pendingSkip == 3 && bench.changed.contains(.pendingSkip))
        bench.tap(1, 2)
        #expect(bench.position == 54)
        bench.pass(0.3)
        #expect(bench.commands.count == 1 && bench.position == 54)
        // The push of the same change may overtake the reply.
        bench.host(.metadata(metadata(time: 54, dated: 1)))
        bench.host(.snapshot(snapshot(time: 54, dated: 1)))
        #expect(bench.position == 54)
        bench.host(.snapshot(snapshot(time: 54, dated: 1)), re: bench.commands[0].id)
        #expect(bench.position == 54 && bench.view.pendingSkip == 0)
    }

    @Test("two skips in flight: the first reply holds the first only") func twoInFlight() {
        var bench = Bench.connected(time: 50)
        bench.tap(1, 1)
        bench.pass(0.3)
        bench.tap(3, 2)
        bench.pass(0.3)
        #expect(bench.position == 54)
        bench.host(.snapshot(snapshot(time: 51, dated: 1)), re: bench.commands[0].id)
        #expect(bench.position == 54)
        bench.host(.snapshot(snapshot(time: 54, dated: 1.1)))
        #expect(bench.position == 54)
        bench.host(.snapshot(snapshot(time: 54, dated: 1.1)), re: bench.commands[1].id)
        #expect(bench.position == 54 && bench.view.pendingSkip == 0)
    }

    @Test("shown position stays within the film") func previewClamps() {
        var bench = Bench.connected(time: 119)
        bench.tap(3, 1)
        #expect(bench.position == 120)
        bench.tap(-200, 2)
        #expect(bench.position == 0)
    }

    @Test("describe is settled by its schema, leaves taps alone, and changes nothing that is shown") func describe() {
        var bench = Bench.connected(time: 50)
        bench.tap(1, 1)
        bench.command(.describe(name: "host.json"), 2)
        #expect(bench.commands.map(\.command) == [.describe(name: "host.json")])
        let reply = SchemaReply.schema(name: "host.json", text: "{}")
        bench.host(.schema(reply), re: bench.commands[0].id)
        #expect(bench.outcome(2) == .success(.schema(reply)) && bench.outcome(1) == nil)
        #expect(bench.position == 51 && bench.changed == [])
        // One that nobody asked for.
        bench.host(.schema(.names([])))
        #expect(bench.changed == [])
    }

    @Test("taps that cancel out send nothing and say so") func zero() {
        var bench = Bench.connected()
        bench.tap(1, 1)
        bench.tap(-1, 2)
        bench.pass(1)
        #expect(bench.commands.isEmpty)
        #expect(bench.outcome(1) == .success(.nothingToSend) && bench.outcome(2) == .success(.nothingToSend))
    }

    @Test("flush sends the taps at once") func flush() {
        var bench = Bench.connected()
        for (tag, seconds) in [1.0, 1, 3, -1].enumerated() { bench.tap(seconds, tag) }
        bench.note(bench.machine.flushSkips(now: bench.now))
        #expect(bench.commands.map(\.command) == [.skip(seconds: 4)])
    }

    @Test(
        "a command sends pending taps before itself",
        arguments: [.pause, .seek(time: 3), .switchTrack(trackID: "b")] as [Command])
    func order(command: Command) {
        var bench = Bench.connected()
        bench.tap(3, 1)
        bench.command(command, 2)
        #expect(bench.commands.map(\.command) == [.skip(seconds: 3), command])
    }

    @Test("a tap that comes after its window closed, before the tick, starts a new one") func lateTick() {
        var bench = Bench.connected()
        bench.tap(1, 1)
        bench.now = bench.now + 0.4
        bench.tap(1, 2)
        #expect(bench.commands.map(\.command) == [.skip(seconds: 1)])
    }

    // MARK: Settling

    @Test("refused: said so, with the host's sentence, and the position goes back") func refused() {
        var bench = Bench.connected(time: 50)
        bench.tap(3, 1)
        bench.pass(0.3)
        let error = WireError(.noSession, "Nothing plays.")
        bench.host(.error(error), re: bench.commands[0].id)
        #expect(bench.outcome(1) == .failure(.refused(error)) && bench.position == 50)
    }

    @Test("disconnected: not sent, at once") func notSent() {
        var bench = Bench()
        bench.command(.play, 1)
        bench.tap(1, 2)
        bench.turn(0.5, 3)
        for tag in 1...3 { #expect(bench.outcome(tag) == .failure(.notSent)) }
    }

    @Test("the link breaks: what left is lost, what waited is not sent, nothing is sent again") func linkBreaks() {
        var bench = Bench.connected(time: 50)
        bench.command(.play, 1)
        bench.tap(3, 2)
        bench.turn(0.9, 3)
        bench.close()
        #expect(bench.outcome(1) == .failure(.lost))
        #expect(bench.outcome(2) == .failure(.notSent))
        #expect(bench.outcome(3) == .failure(.notSent))
        #expect(bench.position == 50 && bench.view.volume(at: bench.now) == 0.5)
        bench.open()
        bench.host(hello())
        bench.host(.metadata(metadata(time: 60)))
        bench.pass(1)
        #expect(bench.commands.count == 1)
    }

    @Test("no reply for 5 s: lost; a late reply moves the position but settles nothing twice") func timeout() {
        var bench = Bench.connected(time: 50)
        bench.command(.seek(time: 80), 1)
        for _ in 0..<4 {
            bench.pass(1)
            bench.host(.unknown(kind: "life"))
        }
        #expect(bench.outcome(1) == nil)
        bench.pass(1)
        #expect(bench.outcome(1) == .failure(.lost))
        bench.host(.snapshot(snapshot(time: 80, dated: 1)), re: bench.commands[0].id)
        #expect(bench.position == 80 && bench.outcomes[CommandTag(1)]?.count == 1)
    }

    @Test(
        "numbers that JSON or a film cannot hold are refused here",
        arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func absurdNumbers(value: Double) {
        var bench = Bench.connected()
        bench.command(.seek(time: value), 1)
        bench.tap(value, 2)
        bench.turn(value, 3)
        bench.command(.setVolume(value), 4)
        for tag in 1...4 {
            guard case .failure(.refused(let error)) = bench.outcome(tag) else {
                Issue.record("tag \(tag) was not refused")
                continue
            }
            #expect(error.code == .invalidArgument)
        }
        #expect(bench.commands.isEmpty)
    }

    // MARK: Volume

    @Test("turns: last value after 100 ms, all tags settled; then the host's value from 1.2 s on") func volume() {
        var bench = Bench.connected()
        #expect(bench.view.volume(at: bench.now) == 0.5)
        bench.turn(0.6, 1)
        bench.turn(0.7, 2)
        #expect(bench.view.volume(at: bench.now) == 0.7)
        bench.pass(0.1)
        #expect(bench.commands.map(\.command) == [.setVolume(0.7)])
        bench.host(.snapshot(snapshot(dated: 1, volume: 0.69)), re: bench.commands[0].id)
        #expect(bench.outcome(1) != nil && bench.outcome(2) != nil)
        #expect(bench.view.volume(at: bench.now) == 0.7)
        bench.pass(1.1)
        #expect(bench.view.volume(at: bench.now) == 0.69)
        bench.turn(0.69, 3)
        bench.pass(0.2)
        #expect(bench.commands.count == 1 && bench.outcome(3) == .success(.nothingToSend))
    }

    @Test("a volume command overtakes a waiting turn, which is not sent after it") func volumeCommand() {
        var bench = Bench.connected()
        bench.turn(0.9, 1)
        bench.command(.setVolume(0.2), 2)
        bench.pass(1)
        #expect(bench.commands.map(\.command) == [.setVolume(0.2)])
        #expect(bench.outcome(1) == .success(.nothingToSend) && bench.outcome(2) == nil)
    }
}
