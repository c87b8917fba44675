import Glibc
import LinuxSystem
import Testing
import Transport
import WireProtocol

@Suite("A channel")
struct ChannelTests {
    /// Numbered blocks of 50 000 bytes, each full of its number modulo 251.
    private final class Blocks {
        static let size = 50_000
        let total: Int
        private(set) var pulled = 0

        init(_ total: Int) { self.total = total }

        func next() -> [UInt8]? {
            guard pulled < total else { return nil }
            defer { pulled += 1 }
            return [UInt8](repeating: UInt8(pulled % 251), count: Self.size)
        }

        func isWhole(_ received: [UInt8]) -> Bool {
            guard received.count == total * Self.size else { return false }
            return received.withUnsafeBytes { bytes in
                (0..<total).allSatisfy { number in
                    let block = [UInt8](repeating: UInt8(number % 251), count: Self.size)
                    guard let start = bytes.baseAddress else { return false }
                    return memcmp(start + number * Self.size, block, Self.size) == 0
                }
            }
        }
    }

    private final class Ends {
        var reasons: [Channel.End] = []
    }

    private func watchEnds(of channel: Channel) -> Ends {
        let ends = Ends()
        channel.onEnd = { ends.reasons.append($0) }
        return ends
    }

    /// Sends nothing but `text`.
    private func say(_ text: String, on channel: Channel) {
        var words: [UInt8]? = Array(text.utf8)
        channel.nextOutput = {
            defer { words = nil }
            return words
        }
    }

    @Test("a slow reader gets everything in order, and what it has not got is not even pulled")
    func slowReader() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let blocks = Blocks(600)
        channel.nextOutput = blocks.next
        channel.flush()
        bench.turn(for: 0.1)
        #expect(blocks.pulled < blocks.total, "the socket must be full for this test to mean anything")
        let pulledWhileStalled = blocks.pulled
        channel.flush()
        bench.turn(for: 0.05)
        #expect(blocks.pulled == pulledWhileStalled)
        try peer.startReading(atMost: 30_000)
        #expect(bench.run(within: 30) { peer.received.count == blocks.total * Blocks.size })
        #expect(blocks.isWhole(peer.received))
        #expect(channel.isOpen)
    }

    @Test("what the peer says waits while nothing is to be read, and so does its end")
    func notReading() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        var received: [UInt8] = []
        channel.onBytes = { received += $0 }
        channel.isReading = false
        _ = peer.send(Array("later".utf8))
        peer.finishWriting()
        #expect(bench.turn(for: 0.1) < 5)
        #expect(received.isEmpty && ends.reasons.isEmpty)
        channel.isReading = true
        #expect(bench.run { !ends.reasons.isEmpty })
        #expect(received == Array("later".utf8))
    }

    @Test("a reset is told at once, also while nothing is to be read")
    func resetWhileNotReading() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        channel.isReading = false
        peer.reset()
        #expect(bench.run { !ends.reasons.isEmpty })
    }

    @Test("the peer closes: told once")
    func peerCloses() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        peer.close()
        #expect(bench.run { !ends.reasons.isEmpty })
        channel.flush()
        channel.closeWhenFlushed()
        bench.turn(for: 0.05)
        #expect(ends.reasons == [.peerClosed])
        #expect(!channel.isOpen)
    }

    @Test("the peer resets: told as an error")
    func peerResets() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        peer.reset()
        #expect(bench.run { !ends.reasons.isEmpty })
        #expect(ends.reasons == [.failed(SystemError("recv", errno: ECONNRESET))])
    }

    @Test("what the peer said before it went is read, even where sending to it fails first")
    func lastWordsOfThePeer() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        var heard: [UInt8] = []
        channel.onBytes = { heard += $0 }
        _ = peer.send(Array("full\n".utf8))
        peer.close()
        // The first meets a closed socket and is answered by a reset, the second fails.
        for _ in 0..<2 {
            say("hello\n", on: channel)
            channel.flush()
        }
        #expect(bench.run { !ends.reasons.isEmpty })
        #expect(String(decoding: heard, as: UTF8.self) == "full\n")
        #expect(ends.reasons.count == 1)
    }

    @Test("a reset in the middle of a write ends it once, and nothing more is pulled")
    func resetWhileWriting() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        let blocks = Blocks(600)
        channel.nextOutput = blocks.next
        channel.flush()
        bench.turn(for: 0.05)
        let pulled = blocks.pulled
        peer.reset()
        #expect(bench.run { !ends.reasons.isEmpty })
        bench.turn(for: 0.05)
        #expect(ends.reasons.count == 1)
        guard case .failed(let error)? = ends.reasons.first else {
            Issue.record("a reset is a failure")
            return
        }
        #expect([ECONNRESET, EPIPE].contains(error.errno))
        #expect(blocks.pulled == pulled)
    }

    @Test("a peer that has finished its side still gets all that waits, then the end")
    func halfOpen() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        var heard: [UInt8] = []
        let blocks = Blocks(300)
        channel.nextOutput = blocks.next
        channel.onBytes = { [unowned channel] bytes in
            heard += bytes
            channel.flush()
        }
        peer.send([7])
        peer.finishWriting()
        #expect(bench.run { heard == [7] })
        bench.turn(for: 0.05)
        #expect(ends.reasons.isEmpty)
        try peer.startReading()
        #expect(bench.run(within: 30) { peer.sawEnd })
        #expect(blocks.isWhole(peer.received))
        #expect(bench.run { ends.reasons == [.peerClosed] })
    }

    @Test("closeWhenFlushed: all is written, the peer sees the end, what it says meanwhile is not read")
    func closeWhenFlushed() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        var heard = 0
        channel.onBytes = { heard += $0.count }
        let blocks = Blocks(300)
        channel.nextOutput = blocks.next
        channel.closeWhenFlushed()
        peer.send([1, 2, 3])
        bench.turn(for: 0.05)
        #expect(ends.reasons.isEmpty)
        try peer.startReading()
        #expect(bench.run(within: 30) { peer.sawEnd })
        #expect(blocks.isWhole(peer.received))
        peer.close()
        #expect(bench.run { ends.reasons == [.peerClosed] })
        #expect(heard == 0)
    }

    @Test("the last words reach a peer that is still sending: no reset overtakes them")
    func lastWords() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        peer.send([UInt8](repeating: 1, count: 300_000))
        say("error", on: channel)
        channel.closeWhenFlushed()
        try peer.startReading()
        #expect(bench.run { peer.sawEnd || peer.error != nil })
        #expect(peer.received == Array("error".utf8))
        #expect(peer.error == nil)
        #expect(peer.send([1]) == 1, "its own side is still open")
    }

    @Test("a peer that keeps its side open after the end is cut off after half a second")
    func lingerEnds() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        say("bye", on: channel)
        channel.closeWhenFlushed()
        #expect(ends.reasons.isEmpty)
        #expect(bench.run(within: 5) { !ends.reasons.isEmpty })
        #expect(ends.reasons == [.peerClosed])
        withExtendedLifetime(peer) {}
    }

    @Test("a peer that does not take the last bytes is cut off")
    func flushEnds() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair(secondsToFlush: 0.2)
        let ends = watchEnds(of: channel)
        let blocks = Blocks(600)
        channel.nextOutput = blocks.next
        channel.closeWhenFlushed()
        #expect(bench.run(within: 5) { !ends.reasons.isEmpty })
        #expect(ends.reasons == [.failed(SystemError("send", errno: ETIMEDOUT))])
        withExtendedLifetime(peer) {}
    }

    @Test("closed by its owner, also from inside its own callback, it says nothing more")
    func closedInside() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        let ends = watchEnds(of: channel)
        var calls = 0
        channel.onBytes = { [unowned channel] _ in
            calls += 1
            channel.close()
        }
        peer.send([1])
        try peer.startReading()
        #expect(bench.run { peer.sawEnd })
        #expect(calls == 1)
        #expect(ends.reasons.isEmpty)
        #expect(!channel.isOpen)
    }

    @Test("one that nobody holds any more closes")
    func released() throws {
        let bench = try Bench()
        var (peer, channel): (RawPeer, Channel?) = try bench.pair()
        try peer.startReading()
        channel?.onBytes = { _ in }
        channel = nil
        #expect(bench.run { peer.sawEnd })
        peer.close()
    }

    @Test("a reader that keeps the slice it was given keeps its bytes")
    func keptSlice() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        var kept: [ArraySlice<UInt8>] = []
        channel.onBytes = { kept.append($0) }
        for number in UInt8(1)...3 {
            peer.send([number])
            #expect(bench.run { kept.count == Int(number) })
        }
        #expect(kept.map { Array($0) } == [[1], [2], [3]])
    }

    @Test("those with much to say have their turn one after the other, and who says little never waits for them")
    func fairTurns() throws {
        let bench = try Bench()
        let loud = try (0..<4).map { _ in try bench.pair() }
        var heard = [Int](repeating: 0, count: loud.count)
        for (place, pair) in loud.enumerated() {
            pair.channel.onBytes = { heard[place] += $0.count }
            #expect(pair.peer.send([UInt8](repeating: 1, count: 100_000)) == 100_000)
        }
        let quiet = try bench.pair()
        var answeredAfter: Int?
        quiet.channel.onBytes = { _ in answeredAfter = heard.reduce(0, +) }
        #expect(bench.run { heard.allSatisfy { $0 > 10_000 } })
        #expect((heard.max() ?? 0) - (heard.min() ?? 0) <= 1_024, "each has had as much as the others")
        let before = heard.reduce(0, +)
        quiet.peer.send([2])
        #expect(bench.run { answeredAfter != nil })
        #expect((answeredAfter ?? 0) - before <= 1_024, "at most one of them came first")
        #expect(bench.run { heard == [Int](repeating: 100_000, count: loud.count) }, "and all of it is read")
    }

    @Test("a fast reader of a long answer does not keep the others waiting")
    func fairWriting() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        var pulled = 0
        var isHeard = false
        // Without end, and read as fast as it comes.
        channel.nextOutput = {
            pulled += 1
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            if pulled < 2_000 { while recv(peer.descriptor, &bytes, bytes.count, 0) > 0 {} }
            return bytes
        }
        bench.loop.schedule(at: bench.loop.now) { isHeard = true }
        channel.flush()
        #expect(bench.run { isHeard })
        #expect(pulled < 50)
    }

    @Test("a channel at rest reads nothing, and then goes on with what waited")
    func rest() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        var heard = 0
        channel.onBytes = { heard += $0.count }
        let start = MonotonicClock.now()
        channel.rest(until: start + 60)
        channel.rest(until: start + 0.1)
        peer.send([UInt8](repeating: 1, count: 5_000))
        bench.turn(for: 0.05)
        #expect(heard == 0)
        #expect(bench.run { heard == 5_000 })
        #expect(MonotonicClock.now() - start >= 0.1)
    }

    @Test("a channel that goes to rest while it has more to read stays at rest")
    func restInLine() throws {
        let bench = try Bench()
        let (peer, channel) = try bench.pair()
        var heard: [Int] = []
        channel.onBytes = { [unowned channel] in
            heard.append($0.count)
            if heard.count == 3 { channel.rest(until: MonotonicClock.now() + 0.1) }
        }
        peer.send([UInt8](repeating: 1, count: 8_192))
        bench.turn(for: 0.05)
        #expect(heard.count == 3)
        #expect(bench.run { heard.reduce(0, +) == 8_192 })
    }

    @Test("one that is closed while it rests, or stands in line, is not read again")
    func closedAtRest() throws {
        let bench = try Bench()
        for isResting in [true, false] {
            let (peer, channel) = try bench.pair()
            var heard = 0
            channel.onBytes = { [unowned channel] in
                heard += $0.count
                if isResting { channel.rest(until: MonotonicClock.now() + 0.01) } else { channel.close() }
            }
            peer.send([UInt8](repeating: 1, count: 8_192))
            #expect(bench.run { heard > 0 })
            channel.close()
            bench.turn(for: 0.05)
            #expect(heard == 1_024)
        }
    }
}
