import Testing
import WireProtocol

@testable import Hub

@Suite("A connection's input")
struct ConnectionInputTests {
    private static let conversation = Line.hello + Line.play + Line.ping + Line.unknownKind + "\r\n\n" + Line.pong

    private func outcome(_ pieces: [[UInt8]]) throws -> (actions: [ConnectionMachine.Action], words: [String]) {
        var peer = Peer()
        let actions = pieces.flatMap { peer.send($0) }
        return (actions, try peer.readWords())
    }

    @Test("means the same glued, byte by byte and cut anywhere", arguments: 1...40)
    func anyCut(size: Int) throws {
        let bytes = Array(Self.conversation.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        let (whole, cut) = (try outcome([bytes]), try outcome(pieces))
        #expect(whole.actions.count == 2)
        #expect(whole.words == ["hello", "pong 2", "error 3 unknownKind"])
        #expect(cut.actions == whole.actions)
        #expect(cut.words == whole.words)
    }

    @Test(
        "what begins like another protocol gets one error and a close",
        arguments: [
            Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x16, 3, 1], Array("SSH-2.0-x\r\n".utf8), Array("\r\n help\n".utf8),
            Array("[1]\n".utf8), [0], [0xFF, 0xFE],
        ])
    func otherProtocols(first: [UInt8]) throws {
        var peer = Peer()
        #expect(peer.send(first) == [.close(reason: "not this protocol")])
        #expect(try peer.readWords() == ["hello", "error malformed"])
        #expect(peer.send(Line.hello) == [])
    }

    @Test("spaces before it, in a piece or on a line of their own, do not hide another protocol")
    func otherProtocolBehindSpaces() throws {
        for spaces in [" ", " \t\r\n", "  \n \n"] {
            var peer = Peer()
            _ = peer.send(spaces)
            #expect(peer.send("GET / HTTP/1.1\r\n") == [.close(reason: "not this protocol")])
        }
    }

    @Test("blank lines before the first frame are passed over, and do not count as one")
    func blankLines() throws {
        var peer = Peer()
        #expect(peer.send("\n\r\n\n") == [])
        #expect(peer.machine.nextDeadline == peer.now + Limits.secondsToFirstFrame)
        _ = peer.send(Line.hello)
        #expect(peer.machine.isSubscribed)
    }

    @Test("a frame may be as long as the limit, and no longer; drip-fed too")
    func frameLimit() throws {
        // An unknown key, which the pong does not carry.
        let head = #"{"kind":"ping","unknown":{"x":""#
        let padding = String(repeating: "x", count: Limits.frameBytes - head.utf8.count - 4)
        var peer = Peer()
        #expect(peer.send(head + padding + "\"}}\n") == [])
        #expect(try peer.readWords() == ["hello", "pong"])

        var over = Peer()
        var actions: [ConnectionMachine.Action] = []
        for byte in (head + padding + "x\"}}\n").utf8 { actions += over.send([byte]) }
        #expect(actions == [.close(reason: "frame too large")])
        #expect(try over.readWords() == ["hello", "error frameTooLarge"])
    }

    @Test("a ping whose pong would be longer than a frame is refused, and the connection lives")
    func pongLimit() throws {
        var peer = Peer()
        let padding = String(repeating: "x", count: Limits.frameBytes - 40)
        #expect(peer.send(#"{"kind":"ping","payload":"\#(padding)"}"# + "\n") == [])
        // Written without exponent it has 301 digits.
        let numbers = Array(repeating: "1e300", count: 5_000).joined(separator: ",")
        #expect(peer.send(#"{"kind":"ping","payload":[\#(numbers)]}"# + "\n") == [])
        #expect(peer.send("{\"kind\":\"ping\"}\n") == [])
        #expect(try peer.readWords() == ["hello", "error invalidArgument", "error invalidArgument", "pong"])
    }

    @Test("a ping whose pong would be nested deeper than a frame may be is refused, and the connection lives")
    func pongDepth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        var peer = Peer()
        // The pong has it as a member of an object, which is a level more.
        #expect(peer.send(#"{"kind":"ping","payload":\#(nested(Limits.jsonDepth - 1))}"# + "\n") == [])
        #expect(peer.send(#"{"kind":"ping","payload":\#(nested(Limits.jsonDepth - 2))}"# + "\n") == [])
        #expect(peer.send(#"{"kind":"ping","payload":{"a":\#(nested(Limits.jsonDepth - 2))}}"# + "\n") == [])
        #expect(try peer.readWords() == ["hello", "error invalidArgument", "pong", "pong"])
    }

    @Test("the hundredth faulty frame in a row closes; a good one starts the count anew")
    func faultsInARow() throws {
        var peer = Peer()
        for _ in 1..<Limits.faultyFramesInARow { #expect(peer.send(Line.garbage) == []) }
        _ = peer.send(Line.pong)
        for _ in 1..<Limits.faultyFramesInARow { #expect(peer.send(Line.garbage) == []) }
        #expect(peer.send(Line.garbage) == [.close(reason: "too many faulty frames")])
        #expect(try peer.read().count == 2 * Limits.faultyFramesInARow)
    }

    @Test("commands beyond burst and rate are refused one by one, and the rate comes back")
    func commandRate() throws {
        var peer = Peer()
        let delivered = (0..<(Limits.commandBurst + 5)).reduce(0) { count, _ in count + peer.send(Line.play).count }
        #expect(delivered == Limits.commandBurst)
        #expect(try peer.readWords() == ["hello"] + [String](repeating: "error 1 tooManyRequests", count: 5))
        peer.wait(1)
        let later = (0..<Limits.commandBurst).reduce(0) { count, _ in count + peer.send(Line.play).count }
        #expect(later == Limits.commandsPerSecond)
        #expect(!peer.machine.isClosing, "too many commands do not end a connection")
    }

    @Test("a command without id is delivered without one, and its reply carries no re")
    func withoutID() throws {
        var peer = Peer()
        let actions = peer.send(#"{"kind":"command","payload":{"kind":"pause"}}"# + "\n")
        #expect(actions == [.deliver(.pause, id: nil, from: .init(id: "unnamed", name: ""))])
        _ = peer.machine.reply(.snapshot(snapshot(1)), to: nil)
        #expect(try peer.readWords() == ["hello", "snapshot 1"])
    }

    @Test("an id comes back as it was", arguments: [#""seven""#, "7", "-1"])
    func identifiers(id: String) throws {
        var peer = Peer()
        _ = peer.send(#"{"kind":"ping","id":\#(id)}"# + "\n")
        #expect(try peer.readWords() == ["hello", "pong " + id.filter { $0 != "\"" }])
    }

    @Test("a second hello may bring another name")
    func secondHello() throws {
        var peer = Peer()
        _ = peer.send(Line.hello)
        _ = peer.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r2","name":"Tablet"}}}"# + "\n")
        #expect(peer.send(Line.play) == [.deliver(.play, id: .integer(1), from: .init(id: "r2", name: "Tablet"))])
    }

    @Test("introductions beyond burst and rate are refused, and the connection lives on under its last name")
    func helloRate() throws {
        var peer = Peer()
        for _ in 0..<Limits.helloBurst { #expect(peer.send(Line.hello).count == 1) }
        let late = Line.hello.replacing("r1", with: "r2")
        #expect(peer.send(late) == [])
        #expect(try peer.readWords() == ["hello", "error tooManyRequests"])
        #expect(peer.send(Line.play) == [.deliver(.play, id: .integer(1), from: .init(id: "r1", name: "Phone"))])
        peer.now = peer.now + 1
        #expect(peer.send(late).count == 1)
        #expect(peer.send(late) == [])
    }

    @Test("it has spoken once it has said something that can be understood")
    func hasSpoken() {
        var peer = Peer()
        for line in ["\n", Line.garbage, Line.unknownKind, Line.badCommand, "{\"kind\":\"pi"] {
            _ = peer.send(line)
            #expect(!peer.machine.hasSpoken)
        }
        _ = peer.send("ng\"}\n")
        #expect(peer.machine.hasSpoken)
    }

    @Test("a hello that is refused leaves the connection without pushes")
    func refusedHello() throws {
        var peer = Peer()
        #expect(peer.send(#"{"kind":"hello","id":1,"payload":{"protocol":1}}"# + "\n") == [])
        peer.machine.push(metadata: metadataLine("Film"), snapshot: nil)
        #expect(try peer.readWords() == ["hello", "error 1 invalidArgument"])
    }

    @Test("the command before a glued goodbye is still answered; nothing after it is")
    func goodbyeGlued() throws {
        var peer = Peer()
        let actions = peer.send(Line.play + Line.goodbye + Line.play)
        #expect(actions.count == 2)
        _ = peer.machine.reply(.snapshot(snapshot(1)), to: .integer(1))
        #expect(try peer.readWords() == ["hello", "snapshot 1 1"])
    }
}

@Suite("A connection's time")
struct ConnectionTimeTests {
    @Test("bytes that make no frame do not hold the place of a first frame")
    func dripFedSilence() {
        var peer = Peer()
        for _ in 0..<9 {
            peer.now = peer.now + 1
            _ = peer.send("{")
        }
        #expect(peer.wait(1) == [.close(reason: "timeout")])
    }

    @Test(
        "a frame whose end does not come ends the connection, though bytes keep coming",
        arguments: [Line.hello, Line.ping])
    func endlessFrame(first: String) throws {
        var peer = Peer()
        _ = peer.send(first)
        peer.wait(20)
        _ = peer.send(Line.ping + "{\"kind\":")
        _ = try peer.read()
        for _ in 0..<9 {
            #expect(peer.wait(1) == [])
            _ = peer.send("x")
        }
        #expect(peer.machine.nextDeadline == peer.now + 1)
        #expect(peer.wait(1) == [.close(reason: "timeout")])
        #expect(try peer.readWords() == ["goodbye timeout"])
    }

    @Test("each frame has its own time: one that comes slowly but ends, and then another, is no fault")
    func slowFrames() throws {
        var peer = Peer()
        _ = peer.send(Line.hello)
        for _ in 0..<20 {
            // The end of one and the start of the next come together.
            #expect(peer.wait(9) == [])
            _ = peer.send("\n{\"kind\":\"pong\"}\n{\"kind\":\"po")
            #expect(peer.wait(0.5) == [])
            _ = peer.send("ng\"}")
        }
        #expect(!peer.machine.isClosing)
    }

    @Test("any byte is a sign of life and makes the host ask anew")
    func probeAgain() throws {
        var peer = try Stage.subscribed.peer()
        for _ in 0..<5 {
            peer.wait(ConnectionMachine.probeAfter)
            #expect(try peer.readWords() == ["ping"])
            peer.wait(1)
            #expect(try peer.readWords() == [], "asked once")
            _ = peer.send(Line.pong)
        }
        #expect(!peer.machine.isClosing)
    }

    @Test("nothing is due before its time")
    func notEarly() throws {
        var peer = try Stage.subscribed.peer()
        #expect(peer.wait(29.999) == [])
        #expect(try peer.readWords() == [])
        peer.wait(0.001)
        _ = try peer.read()
        #expect(peer.wait(29.999) == [])
        #expect(peer.wait(0.001) == [.close(reason: "timeout")])
    }
}
