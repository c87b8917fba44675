import Hub
import Testing
import WireProtocol

@Suite("Random input")
struct RandomInputTests {
    private static let lines = [
        Line.hello, Line.play, Line.ping, Line.pong, Line.garbage, Line.unknownKind, Line.badCommand, "\r\n", "{}\n",
        #"{"kind":7}"# + "\n", #"{"kind":"ping","id":{}}"# + "\n", "[[[[[[[[[[[[[[[[[[[[\n",
    ]

    /// A small linear generator (Knuth's MMIX), so that a failing seed can be run again.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 33)
        }
    }

    @Test(
        "whatever comes in, what goes out is whole frames, each request has one answer, and closing is final",
        arguments: 1...100)
    func anything(seed: UInt64) throws {
        var random = Generator(state: seed)
        var peer = Peer()
        var (wasClosed, delivered, answers) = (false, 0, 0)
        for _ in 0..<200 {
            var bytes = Array((Self.lines.randomElement(using: &random) ?? "").utf8)
            if Int.random(in: 0..<4, using: &random) == 0, !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeLast(bytes.count / 2) }
            let actions = peer.send(bytes)
            if wasClosed { #expect(actions == [], "nothing is taken after closing") }
            for action in actions {
                switch action {
                case .deliver(_, let id, _):
                    delivered += 1
                    #expect(peer.machine.reply(.snapshot(snapshot(1)), to: id) == [])
                case .subscribe: #expect(peer.machine.isSubscribed)
                case .close: wasClosed = true
                }
            }
            #expect(peer.machine.isClosing == wasClosed)
            answers += try peer.read().filter { if case .snapshot = $0.message { true } else { false } }.count
            peer.wait(Double.random(in: 0...0.5, using: &random))
        }
        #expect(answers == delivered)
    }
}
