import Hub
import Testing
import WireProtocol

@Suite("What a ping may ask for")
struct PingTests {
    private static let deep =
        #"{"kind":"ping","payload":\#(String(repeating: "[", count: 15))\#(String(repeating: "]", count: 15))}"# + "\n"
    private static let tooLong = #"{"kind":"ping","id":2,"payload":"\#(String(repeating: "x", count: 65_500))"}"# + "\n"
    private static let plain = #"{"kind":"ping","id":2,"payload":{"sent":1234567.123456}}"# + "\n"
    /// A ping of 1 200 bytes whose pong has fifty times as many.
    private static let growing =
        #"{"kind":"ping","id":2,"payload":[\#(Array(repeating: "1e300", count: 200).joined(separator: ","))]}"# + "\n"
    /// So that a test has not to ask for megabytes.
    private static let rate = 200_000

    private func listener() throws -> Peer {
        var peer = Peer(pongBytesPerSecond: Self.rate)
        _ = try peer.readWords()
        return peer
    }

    /// The bytes of the pong to `ping`.
    private func length(_ ping: String) throws -> Int {
        var peer = try listener()
        _ = peer.send(ping)
        return peer.machine.nextOutput()?.count ?? 0
    }

    /// How many pongs `peer` gets for `ping` before the first is refused.
    private func pongs(_ ping: String, _ peer: inout Peer) throws -> Int {
        for count in 0... {
            #expect(peer.send(ping) == [])
            switch try peer.readWords() {
            case ["pong 2"]: continue
            case ["error 2 tooManyRequests"]: return count
            case let other: throw TestProblem("\(other)")
            }
        }
        return 0
    }

    @Test("one whose pong would be nested too deep is refused; the deepest one that is not can be read")
    func depth() throws {
        var peer = try listener()
        for (levels, left, core, right) in [(14, "[", "[]", "]"), (15, "[", "[]", "]"), (15, #"{"a":"#, "{}", "}")] {
            let payload =
                String(repeating: left, count: levels - 1) + core + String(repeating: right, count: levels - 1)
            #expect(peer.send(#"{"kind":"ping","payload":\#(payload)}"# + "\n") == [])
        }
        // `readWords` reads them as a remote would, with the limit.
        #expect(try peer.readWords() == ["pong", "error invalidArgument", "pong"])
    }

    @Test("ones that cannot be answered are faulty frames too; one that can starts the count anew")
    func faults() throws {
        var peer = Peer()
        for _ in 1..<Limits.faultyFramesInARow { #expect(peer.send(Self.deep) == []) }
        #expect(peer.send(Line.ping) == [])
        for _ in 1..<Limits.faultyFramesInARow { #expect(peer.send(Self.deep) == []) }
        #expect(peer.send(Self.deep) == [.close(reason: "too many faulty frames")])
    }

    @Test("pongs beyond their rate are refused, counted by what they are; the rate comes back")
    func rate() throws {
        var peer = try listener()
        // Two small questions with long answers, and then short ones.
        for _ in 0..<2 {
            _ = peer.send(Self.growing)
            #expect(try peer.readWords() == ["pong 2"])
        }
        let (long, short) = (try length(Self.growing), try length(Self.plain))
        #expect(long > 40 * Self.growing.utf8.count)
        #expect(try pongs(Self.plain, &peer) == (Self.rate - 2 * long + short - 1) / short)
        peer.wait(0.5)
        #expect(abs(try pongs(Self.plain, &peer) - Self.rate / 2 / short) <= 1)
        #expect(!peer.machine.isClosing, "too many pings do not end a connection")
        #expect(peer.send(Line.play).count == 1, "nor do they touch commands")
    }

    @Test("the last pong may be longer than what is left of the rate, which has to make up for it")
    func debt() throws {
        var peer = try listener()
        let (long, short) = (try length(Self.growing), try length(Self.plain))
        #expect(try pongs(Self.growing, &peer) == (Self.rate + long - 1) / long)
        let debt = long * ((Self.rate + long - 1) / long) - Self.rate
        peer.wait(Double(debt) / Double(Self.rate) * 0.99)
        #expect(try pongs(Self.plain, &peer) == 0)
        peer.wait(Double(short) / Double(Self.rate) + Double(debt) / Double(Self.rate) * 0.02)
        #expect(try pongs(Self.plain, &peer) > 0)
    }

    @Test("one after the other, each when the last pong has come, is within the rate however quick the way")
    func oneByOne() throws {
        // Half of what the quickest program needs that we have measured, 30 µs.
        let period = 15e-6
        #expect(Double(try length(Self.plain)) / period < Double(Limits.pongBytesPerSecond))
    }

    @Test("a pong that would be too long costs the rate of a whole frame, though it is not sent")
    func tooLong() throws {
        var peer = try listener()
        let fitting = (Self.rate + Limits.frameBytes - 1) / Limits.frameBytes
        for number in 0...(fitting + 1) {
            _ = peer.send(Self.tooLong)
            #expect(
                try peer.readWords() == [number < fitting ? "error 2 invalidArgument" : "error 2 tooManyRequests"])
        }
    }
}
