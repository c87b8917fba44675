import Testing
import WireProtocol

@testable import Hub

@Suite("How fast a peer is listened to")
struct InputPaceTests {
    @Test("all the commands that it may send at once are read at once, and those of every second after")
    func withinTheRates() {
        var peer = Peer()
        _ = peer.send(String(repeating: Line.play, count: Limits.commandBurst))
        #expect(peer.machine.restsUntil == nil)
        for _ in 0..<60 {
            peer.now = peer.now + 1
            _ = peer.send(String(repeating: Line.play, count: Limits.commandsPerSecond))
            #expect(peer.machine.restsUntil == nil)
        }
    }

    @Test("a remote that waits for each pong may ping as fast as it can: 25 000 times a second")
    func oneAfterTheOther() throws {
        var peer = Peer()
        for _ in 0..<25_000 {
            peer.now = peer.now + 0.000_04
            _ = peer.send(Line.ping)
            #expect(peer.machine.restsUntil == nil)
        }
    }

    @Test("the longest frames are read at once, four in a row")
    func longestFrames() {
        var pace = InputPace(now: SteadyTime(nanoseconds: 0))
        for _ in 0..<4 { pace.took(bytes: Limits.frameBytes, frames: 1, now: SteadyTime(nanoseconds: 0)) }
        #expect(pace.restsUntil == nil)
    }

    @Test(
        "beyond a burst it is listened to for as much a second as is allowed, whatever it sends",
        arguments: [
            String(repeating: Line.ping, count: 20), String(repeating: Line.garbage + Line.pong, count: 20),
            String(repeating: Line.hello, count: 10), String(repeating: "\n", count: 1_000),
            #"{"kind":"pong","payload":{"x":"\#(String(repeating: "x", count: 60_000))"}}"# + "\n",
        ])
    func sustained(piece: String) throws {
        var peer = Peer()
        let start = peer.now
        let bytes = Array(piece.utf8)
        let frames = piece.split(separator: "\n").count
        let cost = bytes.count + max(0, frames - 1) * Limits.inputBytesOfFrame
        var sent = 0
        while peer.now - start < 5, !peer.machine.isClosing {
            _ = peer.send(bytes)
            sent += 1
            while peer.machine.nextOutput() != nil {}
            guard let instant = peer.machine.restsUntil else { continue }
            #expect(instant > peer.now)
            #expect(instant - peer.now < 1, "and never for long")
            peer.now = instant
        }
        #expect(!peer.machine.isClosing)
        let allowed = Double(Limits.inputBurstBytes + 5 * Limits.inputBytesPerSecond)
        #expect(abs(Double(sent * cost) - allowed) < 0.03 * allowed)
    }

    @Test("silence makes up for a burst, and no more than that")
    func recovery() {
        let start = SteadyTime(nanoseconds: 0)
        var pace = InputPace(now: start)
        pace.took(bytes: Limits.inputBurstBytes, frames: 0, now: start)
        #expect(pace.restsUntil == nil)
        pace.took(bytes: Limits.inputBytesPerSecond / 2, frames: 0, now: start)
        #expect(pace.restsUntil == start + 0.5)
        pace.took(bytes: Limits.inputBurstBytes, frames: 0, now: start + 1_000)
        #expect(pace.restsUntil == nil)
        pace.took(bytes: Limits.inputBytesPerSecond, frames: 0, now: start + 1_000)
        #expect(pace.restsUntil == start + 1_001)
    }
}
