import Hub
import Testing
import WireProtocol

@Suite("What waits to be sent")
struct OutputTests {
    /// Cues that need several chunks: text that does not compress.
    private static func shelf(sessionID: String = "film") -> CueShelf {
        var state: UInt64 = 1
        let cues = (0..<2_000).map { index in
            let text = (0..<60).map { _ -> String in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return String(UnicodeScalar(UInt8(33 + (state >> 33) % 90)))
            }.joined()
            return Cue(index: index, start: Double(index), end: Double(index) + 1, text: text)
        }
        let bundle = CueBundle(sessionID: sessionID, revision: 4, cues: cues)
        return CueShelf(bundle, digest: CueBundle.digest(of: cues))
    }

    @Test("10 000 pushes to a peer that does not read keep one line of each kind, the newest")
    func latestWins() throws {
        var peer = try Stage.subscribed.peer()
        for number in 1...10_000 {
            peer.machine.push(metadata: metadataLine("Film \(number)"), snapshot: snapshotLine(number))
        }
        #expect(!peer.machine.isClosing)
        #expect(try peer.readWords() == ["metadata Film 10000", "snapshot 10000"])
        #expect(try peer.readWords() == [])
    }

    @Test("replies come in order and before pushes, pushes before cue chunks")
    func order() throws {
        var peer = try Stage.subscribed.peer()
        let shelf = Self.shelf()
        peer.machine.push(cues: shelf)
        peer.machine.push(metadata: metadataLine("Film"), snapshot: snapshotLine(1))
        for number in 1...3 { _ = peer.machine.reply(.snapshot(snapshot(number)), to: .integer(number)) }
        #expect(shelf.lines.count > 2)
        #expect(
            try peer.readWords()
                == ["snapshot 1 1", "snapshot 2 2", "snapshot 3 3", "metadata Film", "snapshot 1"]
                + shelf.lines.indices.map { "cueChunk \($0)" })
    }

    @Test("a reply never waits for the cue chunks")
    func replyBetweenChunks() throws {
        var peer = try Stage.subscribed.peer()
        let shelf = Self.shelf()
        peer.machine.push(cues: shelf)
        #expect(peer.machine.nextOutput() == shelf.lines[0])
        _ = peer.machine.reply(.snapshot(snapshot(1)), to: .integer(1))
        #expect(peer.machine.nextOutput() == HostMessage.snapshot(snapshot(1)).line(re: .integer(1)))
        #expect(peer.machine.nextOutput() == shelf.lines[1])
    }

    @Test("other cues replace those that have not gone out")
    func newCues() throws {
        var peer = try Stage.subscribed.peer()
        peer.machine.push(cues: Self.shelf())
        _ = peer.machine.nextOutput()
        let other = Self.shelf(sessionID: "other")
        peer.machine.push(cues: other)
        #expect(peer.machine.nextOutput() == other.lines[0])
    }

    @Test("the end of the session drops what was to be said about it")
    func sessionEnded() throws {
        var peer = try Stage.subscribed.peer()
        peer.machine.push(metadata: metadataLine("Film"), snapshot: snapshotLine(1))
        peer.machine.push(cues: Self.shelf())
        _ = peer.machine.reply(.snapshot(snapshot(2)), to: .integer(2))
        peer.machine.pushSessionEnded()
        #expect(try peer.readWords() == ["snapshot 2 2", "sessionEnded"])
        peer.machine.pushSessionEnded()
        peer.machine.push(metadata: metadataLine("Next"), snapshot: nil)
        #expect(try peer.readWords() == ["sessionEnded", "metadata Next"], "a new session comes after the end")
    }

    @Test("after goodbye come no pushes and no cues")
    func goodbyeIsLast() throws {
        var peer = try Stage.subscribed.peer()
        peer.machine.push(metadata: metadataLine("Film"), snapshot: snapshotLine(1))
        peer.machine.push(cues: Self.shelf())
        _ = peer.machine.reply(.snapshot(snapshot(2)), to: .integer(2))
        _ = peer.machine.goodbye(.shutdown)
        #expect(try peer.readWords() == ["snapshot 2 2", "goodbye shutdown"])
    }

    @Test("a peer that leaves its replies unread is dropped at the limit, and what waited is let go")
    func unreadReplies() throws {
        var peer = try Stage.subscribed.peer()
        let line = HostMessage.snapshot(snapshot(1)).line(re: .integer(1))
        let fitting = Limits.unreadReplyBytes / line.count
        for _ in 0..<fitting { #expect(peer.machine.reply(.snapshot(snapshot(1)), to: .integer(1)) == []) }
        #expect(
            peer.machine.reply(.snapshot(snapshot(1)), to: .integer(1)) == [.close(reason: "too many unread replies")])
        #expect(peer.machine.reply(.snapshot(snapshot(1)), to: .integer(1)) == [], "it is told once")
        #expect(peer.machine.nextOutput() == nil)
    }

    @Test("six replies with chunks may wait, as the page says, whatever the names in them; a seventh may be too many")
    func outstandingChunks() throws {
        let name = String(repeating: "\u{1}", count: Limits.identifierBytes)
        let chunk = CueChunk(
            sessionID: name, revision: .max, index: 599, totalChunks: 600,
            data: [UInt8](repeating: 255, count: Limits.cueChunkBytes))
        var peer = try Stage.subscribed.peer()
        for _ in 0..<6 { #expect(peer.machine.reply(.cueChunk(chunk), to: .text(name)) == []) }
        #expect(
            peer.machine.reply(.cueChunk(chunk), to: .text(name)) == [.close(reason: "too many unread replies")])
    }

    @Test("a peer that reads may have any number of replies")
    func readReplies() throws {
        var peer = try Stage.subscribed.peer()
        for _ in 0..<10_000 {
            #expect(peer.machine.reply(.snapshot(snapshot(1)), to: nil) == [])
            _ = peer.machine.nextOutput()
        }
    }

    @Test("an outbox is empty again when everything was taken")
    func emptiness() {
        var outbox = Outbox()
        #expect(outbox.isEmpty)
        outbox.push(cues: [[1], [2]])
        outbox.push(snapshot: [3])
        #expect(outbox.reply([4]) == true)
        #expect([outbox.next(), outbox.next(), outbox.next(), outbox.next()] == [[4, 3], [1], [2], nil])
        #expect(outbox.isEmpty)
        outbox.push(metadata: [5])
        outbox.dropPushes()
        #expect(outbox.isEmpty)
    }

    @Test("the shelf knows who holds its cues")
    func held() {
        let shelf = Self.shelf()
        #expect(shelf.isHeld(by: .init(sessionID: "film", digest: shelf.digest)) == true)
        #expect(shelf.isHeld(by: .init(sessionID: "film", digest: "old")) == false)
        #expect(shelf.isHeld(by: .init(sessionID: "other", digest: shelf.digest)) == false)
        #expect(shelf.isHeld(by: nil) == false)
    }

    @Test("chunks put together are the bundle; wrong session, revision and index have their errors")
    func chunks() throws {
        let shelf = Self.shelf()
        var gzip: [UInt8] = []
        for index in shelf.lines.indices {
            let chunk = try shelf.answer(CueChunkRequest(sessionID: "film", revision: 4, index: index)).get()
            #expect(chunk.totalChunks == shelf.lines.count)
            #expect(chunk.data.count <= Limits.cueChunkBytes)
            #expect(shelf.lines[index] == HostMessage.cueChunk(chunk).line())
            gzip += chunk.data
        }
        let bundle = try CueBundle(gzip: gzip)
        #expect(bundle.cues.count == 2_000)
        #expect(CueBundle.digest(of: bundle.cues) == shelf.digest)

        let cases: [(CueChunkRequest, WireError.Code)] = [
            (CueChunkRequest(sessionID: "film", revision: 3, index: 0), .staleRevision),
            (CueChunkRequest(sessionID: "film", revision: 5, index: 0), .staleRevision),
            (CueChunkRequest(sessionID: "other", revision: 4, index: 0), .staleRevision),
            (CueChunkRequest(sessionID: "film", revision: 4, index: shelf.lines.count), .chunkOutOfRange),
            (CueChunkRequest(sessionID: "film", revision: 4, index: -1), .chunkOutOfRange),
        ]
        for (request, code) in cases {
            guard case .failure(let error) = shelf.answer(request) else {
                Issue.record("\(request) must fail")
                continue
            }
            #expect(error.code == code)
        }
    }

    @Test("a session without cues has one chunk")
    func noCues() {
        #expect(CueShelf(CueBundle(sessionID: "film", revision: 1, cues: []), digest: "").lines.count == 1)
    }
}
