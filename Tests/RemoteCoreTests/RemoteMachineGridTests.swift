import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Remote machine: every event in every state") struct RemoteMachineGridTests {
    enum State: String, CaseIterable, CustomTestStringConvertible {
        case idle, disconnected, connecting, greeted, connected, ended
        var testDescription: String { rawValue }
    }

    enum Event: String, CaseIterable, CustomTestStringConvertible {
        case start, open, openStale, fail, failStale, close, closeStale, wake, stop, due
        case hello, otherVersion, metadata, snapshot, sessionEnded, chunk, ping, pong, unknown, garbage, tooLong
        case shutdown, finished, timeout, unauthorized, unsupported, otherError, staleBytes
        case command, tap, turn, flush, cuesLoaded
        var testDescription: String { rawValue }
    }

    /// Per event the state after it and what was done, in the order of `State`.
    ///
    /// C connect, S send, X close, F a tag settled, V the view changed; `-`: nothing happens.
    static let grid: [Event: [String]] = [
        //                idle            disconnected     connecting        greeted           connected         ended
        .start: ["connecting CV", "connecting CV", "-", "-", "-", "connecting CV"],
        .open: ["-", "-", "greeted SSV", "-", "-", "-"],
        .openStale: ["-", "-", "-", "-", "-", "-"],
        .fail: ["-", "-", "connecting CV", "-", "-", "-"],
        .failStale: ["-", "-", "-", "-", "-", "-"],
        .close: ["-", "-", "connecting CV", "connecting CV", "connecting CV", "-"],
        .closeStale: ["-", "-", "-", "-", "-", "-"],
        .wake: ["-", "connecting CV", "connecting XCV", "greeted S", "connected S", "-"],
        .stop: ["ended V", "ended V", "ended XV", "ended SXV", "ended SXV", "-"],
        .due: ["-", "connecting CV", "connecting XCV", "greeted S", "connected S", "-"],
        .hello: ["-", "-", "-", "connected V", "-", "-"],
        .otherVersion: ["-", "-", "-", "ended XV", "-", "-"],
        .metadata: ["-", "-", "-", "-", "connected V", "-"],
        .snapshot: ["-", "-", "-", "-", "connected V", "-"],
        .sessionEnded: ["-", "-", "-", "-", "connected V", "-"],
        .chunk: ["-", "-", "-", "-", "connected V", "-"],
        .ping: ["-", "-", "-", "greeted S", "connected S", "-"],
        .pong: ["-", "-", "-", "-", "connected V", "-"],
        .unknown: ["-", "-", "-", "-", "-", "-"],
        .garbage: ["-", "-", "-", "-", "-", "-"],
        .tooLong: ["-", "-", "-", "connecting XCV", "connecting XCV", "-"],
        .shutdown: ["-", "-", "-", "disconnected XV", "disconnected XV", "-"],
        .finished: ["-", "-", "-", "ended XV", "ended XV", "-"],
        .timeout: ["-", "-", "-", "connecting XCV", "connecting XCV", "-"],
        .unauthorized: ["-", "-", "-", "ended XV", "ended XV", "-"],
        .unsupported: ["-", "-", "-", "ended XV", "ended XV", "-"],
        .otherError: ["-", "-", "-", "greeted V", "connected V", "-"],
        .staleBytes: ["-", "-", "-", "-", "-", "-"],
        .command: ["idle F", "disconnected F", "connecting F", "greeted F", "connected S", "ended F"],
        .tap: ["idle F", "disconnected F", "connecting F", "greeted F", "connected V", "ended F"],
        .turn: ["idle F", "disconnected F", "connecting F", "greeted F", "connected V", "ended F"],
        .flush: ["-", "-", "-", "-", "-", "-"],
        .cuesLoaded: ["-", "-", "-", "-", "-", "-"],
    ]

    private func bench(_ state: State) -> Bench {
        var bench = Bench()
        switch state {
        case .idle: break
        case .disconnected:
            bench.start()
            bench.fail()
            bench.fail()
        case .connecting: bench.start()
        case .greeted:
            bench.start()
            bench.open()
        case .connected: bench = Bench.connected(time: 10, playing: true)
        case .ended:
            bench.start()
            bench.stop()
        }
        return bench
    }

    private func actions(_ event: Event, _ bench: inout Bench) -> [RemoteAction] {
        let (attempt, now) = (bench.attempt, bench.now)
        func bytes(_ message: HostMessage, _ number: Int? = nil) -> [RemoteAction] {
            bench.machine.received(message.line(), attempt: number ?? attempt, now: now)
        }
        let tag = CommandTag(1)
        switch event {
        case .start: return bench.machine.start(now: now)
        case .open: return bench.machine.connectSucceeded(attempt: attempt, now: now)
        case .openStale: return bench.machine.connectSucceeded(attempt: attempt - 1, now: now)
        case .fail: return bench.machine.connectFailed(attempt: attempt, now: now)
        case .failStale: return bench.machine.connectFailed(attempt: attempt - 1, now: now)
        case .close: return bench.machine.closed(attempt: attempt, now: now)
        case .closeStale: return bench.machine.closed(attempt: attempt - 1, now: now)
        case .wake: return bench.machine.wake(now: now)
        case .stop: return bench.machine.stop(now: now)
        case .due: return bench.machine.tick(now: bench.machine.nextDeadline ?? now)
        case .hello: return bytes(hello())
        case .otherVersion: return bytes(hello(2))
        case .metadata: return bytes(.metadata(metadata(dated: 1)))
        case .snapshot: return bytes(.snapshot(snapshot(dated: 1)))
        case .sessionEnded: return bytes(.sessionEnded)
        case .chunk: return bytes(.cueChunk(chunks(of: someCues(1))[0]))
        case .ping: return bytes(.ping(.object([])))
        case .pong: return bytes(.pong(Pong(payload: .object([.init("ping", .integer(1))]), serverDate: date(0))))
        case .unknown: return bytes(.unknown(kind: "fireworks"))
        case .garbage: return bench.machine.received(Array("]{\u{0}\n".utf8), attempt: attempt, now: now)
        case .tooLong:
            return bench.machine.received(
                [UInt8](repeating: 0x20, count: Limits.frameBytes), attempt: attempt, now: now)
        case .shutdown: return bytes(.goodbye(.shutdown))
        case .finished: return bytes(.goodbye(.finished))
        case .timeout: return bytes(.goodbye(.timeout))
        case .unauthorized: return bytes(.error(WireError(.unauthorized, "Pair first.")))
        case .unsupported: return bytes(.error(WireError(.unsupportedProtocol, "I speak 2.")))
        case .otherError: return bytes(.error(WireError(.tooManyRequests, "Too many.")))
        case .staleBytes: return bytes(hello(), attempt - 1)
        case .command: return bench.machine.command(.play, tag: tag, now: now)
        case .tap: return bench.machine.tapSkip(1, tag: tag, now: now)
        case .turn: return bench.machine.turnVolume(to: 0.3, tag: tag, now: now)
        case .flush: return bench.machine.flushSkips(now: now)
        case .cuesLoaded: return bench.machine.cuesLoaded(someCues(2), sessionID: film, now: now)
        }
    }

    private func name(_ state: ConnectionState) -> String {
        switch state {
        case .idle: "idle"
        case .disconnected: "disconnected"
        case .connecting: "connecting"
        case .greeted: "greeted"
        case .connected: "connected"
        case .ended: "ended"
        }
    }

    private func letter(_ action: RemoteAction) -> String {
        switch action {
        case .connect: "C"
        case .send: "S"
        case .close: "X"
        case .finished: "F"
        case .changed: "V"
        case .loadCues: "L"
        case .storeCues: "P"
        }
    }

    @Test("does what the grid says", arguments: State.allCases, Event.allCases)
    func grid(state: State, event: Event) throws {
        var bench = bench(state)
        #expect(name(bench.machine.connection) == state.rawValue)
        let actions = actions(event, &bench).map(letter).joined()
        let place = try #require(State.allCases.firstIndex(of: state))
        let expected = try #require(Self.grid[event]?[place])
        let outcome = name(bench.machine.connection) + (actions.isEmpty ? "" : " " + actions)
        #expect(outcome == (expected == "-" ? state.rawValue : expected))
    }

    @Test("a tick leaves no deadline behind", arguments: State.allCases, Event.allCases)
    func deadlines(state: State, event: Event) {
        var bench = bench(state)
        bench.note(actions(event, &bench))
        for _ in 0..<50 {
            guard let next = bench.machine.nextDeadline else { break }
            bench.now = max(bench.now, next)
            bench.note(bench.machine.tick(now: bench.now))
            let after = bench.machine.nextDeadline
            #expect(after.map { $0 > bench.now } ?? true, "a due deadline would spin")
        }
    }
}
