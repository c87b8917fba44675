import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Cue download") struct CueDownloadTests {
    typealias Step = CueDownload.Step

    private let cues = noisyCues(1_000)
    private var all: [CueChunk] { chunks(of: cues) }
    private var held: RemoteHello.HeldCues { .init(sessionID: film, digest: CueBundle.digest(of: cues)) }

    private func request(_ index: Int, revision: Int = 1) -> Step {
        .request(CueChunkRequest(sessionID: film, revision: revision, index: index))
    }

    private func started() -> CueDownload {
        var download = CueDownload()
        _ = download.take(metadata(cues: cues), now: at(0))
        return download
    }

    /// Ticks at the next deadline.
    private func tick(_ download: inout CueDownload, _ now: inout SteadyTime) -> [Step] {
        guard let next = download.nextDeadline else { return [] }
        now = next
        return download.tick(now: now)
    }

    @Test("the test bundle needs several chunks") func preparation() {
        #expect(all.count >= 3)
    }

    @Test("no cues, nothing to do") func none() {
        var download = CueDownload()
        #expect(download.take(metadata(cues: []), now: at(0)) == [.published])
        #expect(download.timeline?.cues.isEmpty == true && download.nextDeadline == nil)
        #expect(download.take(metadata(cues: []), now: at(1)) == [])
    }

    @Test("held cues of that digest, nothing to do") func heldAlready() {
        var download = CueDownload()
        download.preload(cues, sessionID: film)
        #expect(download.held == held)
        #expect(download.take(metadata(cues: cues), now: at(0)) == [])
        #expect(
            download.take(metadata(revision: 2, cues: cues), now: at(0)) == [], "the digest counts, not the revision")
        #expect(download.nextDeadline == nil && download.timeline?.cues.count == 1_000)
    }

    @Test("cues of a restarted host with the same revision but other lines are not shown") func restartedHost() {
        var download = CueDownload()
        download.preload(someCues(3), sessionID: film)
        #expect(download.take(metadata(cues: cues), now: at(0)) == [.published, .load(held)])
        #expect(download.timeline == nil)
    }

    @Test("the cache answers") func cached() {
        var download = CueDownload()
        #expect(download.take(metadata(cues: cues), now: at(0)) == [.load(held)])
        #expect(download.loaded(someCues(3)) == [], "a corrupt cache is a miss")
        #expect(download.loaded(cues) == [.published])
        #expect(download.held == held && download.nextDeadline == nil)
    }

    @Test("pushed chunks complete it without a request", arguments: [false, true]) func pushed(reversed: Bool) {
        var download = started()
        let order = reversed ? all.reversed() : all
        for chunk in order.dropLast() { #expect(download.take(chunk, isReply: false, now: at(0.1)) == []) }
        #expect(download.progress?.received == all.count - 1)
        #expect(
            download.take(order[order.count - 1], isReply: false, now: at(0.2)) == [.store(held, cues), .published])
        #expect(download.timeline?.cues == cues && download.nextDeadline == nil)
    }

    @Test("without a push, pulls one at a time, lowest missing first") func pulled() {
        var download = started()
        var now = at(0)
        #expect(download.nextDeadline == at(1))
        #expect(download.tick(now: at(0.9)) == [])
        var steps = tick(&download, &now)
        for index in all.indices {
            #expect(steps == [request(index)])
            #expect(download.tick(now: now) == [], "one request at a time")
            steps = download.take(all[index], isReply: true, now: now)
        }
        #expect(steps == [.store(held, cues), .published])
    }

    @Test("what a broken push left out is pulled") func gaps() {
        var download = started()
        var now = at(0)
        _ = download.take(all[0], isReply: false, now: at(0.5))
        _ = download.take(all[2], isReply: false, now: at(0.5))
        #expect(download.nextDeadline == at(1.5), "each pushed chunk renews the patience")
        #expect(tick(&download, &now) == [request(1)])
    }

    @Test("duplicates, late and doubled, do no harm") func duplicates() {
        var download = started()
        for chunk in all.dropLast() {
            _ = download.take(chunk, isReply: false, now: at(0))
            _ = download.take(chunk, isReply: false, now: at(0))
        }
        let last = all[all.count - 1]
        #expect(download.take(last, isReply: false, now: at(0)) == [.store(held, cues), .published])
        #expect(download.take(last, isReply: true, now: at(0)) == [])
        #expect(download.timeline?.cues == cues)
    }

    @Test("no reply: time-out after 2 s, pauses of 0.5 to 8 s, the same request again") func timeouts() {
        var download = started()
        var now = at(0)
        #expect(tick(&download, &now) == [request(0)])
        for pause in [0.5, 1, 2, 4, 8, 8] {
            let asked = now
            #expect(tick(&download, &now) == [])
            #expect(now - asked == 2)
            let gaveUp = now
            #expect(tick(&download, &now) == [request(0)])
            #expect(now - gaveUp == pause)
        }
        _ = download.take(all[0], isReply: true, now: now)
        _ = tick(&download, &now)
        let gaveUp = now
        _ = tick(&download, &now)
        #expect(now - gaveUp == 0.5, "a reply starts the pauses anew")
    }

    @Test("a reply that comes after its time-out still counts") func lateReply() {
        var download = started()
        var now = at(0)
        _ = tick(&download, &now)
        _ = tick(&download, &now)
        #expect(download.take(all[0], isReply: true, now: now) == [request(1)])
    }

    @Test("a partial download survives a reconnect with the same metadata") func resumes() {
        var download = started()
        var now = at(0)
        _ = download.take(all[0], isReply: false, now: at(0))
        _ = download.take(all[1], isReply: false, now: at(0))
        download.disconnected()
        #expect(download.nextDeadline == nil)
        #expect(download.take(metadata(cues: cues, dated: 9), now: at(10)) == [])
        #expect(download.progress?.received == 2)
        #expect(tick(&download, &now) == [request(2)])
    }

    @Test(
        "other metadata starts anew",
        arguments: [metadata(revision: 2, cues: noisyCues(999)), metadata(otherFilm, cues: noisyCues(999))])
    func newer(_ newer: SessionMetadata) {
        var download = started()
        _ = download.take(all[0], isReply: false, now: at(0))
        _ = download.take(newer, now: at(1))
        #expect(download.progress == nil)
        #expect(download.take(all[1], isReply: false, now: at(1)) == [], "a chunk of the old one is passed over")
        #expect(download.progress == nil)
    }

    @Test("the same metadata again does not restart it") func sameAgain() {
        var download = started()
        _ = download.take(all[0], isReply: false, now: at(0.5))
        #expect(download.take(metadata(cues: cues, dated: 1), now: at(1)) == [])
        #expect(download.progress?.received == 1)
        #expect(download.nextDeadline == at(1.5))
    }

    @Test(
        "refusals",
        arguments: [
            (.staleRevision, nil), (.noSession, nil), (.chunkOutOfRange, 0.5), (.tooManyRequests, 0.5),
            (.internal, 0.5),
        ] as [(WireError.Code, Double?)])
    func refused(code: WireError.Code, pause: Double?) {
        var download = started()
        var now = at(0)
        _ = download.take(all[0], isReply: false, now: now)
        _ = tick(&download, &now)
        download.refused(WireError(code, ""), now: now)
        #expect(download.nextDeadline == pause.map { now + $0 })
        let keepsChunks = code == .tooManyRequests || code == .internal
        #expect(download.progress?.received == (keepsChunks ? 1 : nil))
        #expect(download.timeline == nil)
    }

    @Test("after a stale revision the newer metadata starts it again") func staleThenNewer() {
        var download = started()
        var now = at(0)
        _ = tick(&download, &now)
        download.refused(WireError(.staleRevision, ""), now: now)
        _ = download.take(metadata(revision: 2, cues: cues), now: now)
        #expect(tick(&download, &now) == [request(0, revision: 2)])
    }

    enum Damage: CaseIterable { case bit, wrongSession, wrongCues, notGzip }

    @Test("a bundle that is not the promised one is dropped and fetched again", arguments: Damage.allCases)
    func damaged(damage: Damage) {
        var download = started()
        var now = at(0)
        var bad: [CueChunk]
        switch damage {
        case .bit:
            bad = all
            bad[1].data[100] ^= 1
        case .wrongSession:
            bad = chunks(of: cues, session: otherFilm)
            for index in bad.indices { bad[index].sessionID = film }
        case .wrongCues: bad = chunks(of: noisyCues(999))
        case .notGzip: bad = [CueChunk(sessionID: film, revision: 1, index: 0, totalChunks: 1, data: [1, 2, 3])]
        }
        for chunk in bad { #expect(download.take(chunk, isReply: false, now: now) == []) }
        #expect(download.timeline == nil && download.progress == nil && download.held == nil)
        #expect(download.nextDeadline == at(0.5))
        #expect(tick(&download, &now) == [request(0)])
        for chunk in all.dropLast() { _ = download.take(chunk, isReply: true, now: now) }
        #expect(download.take(all[all.count - 1], isReply: true, now: now) == [.store(held, cues), .published])
    }

    @Test("a bundle that another host wrote with spaces is the promised one all the same") func spaced() {
        var download = started()
        let json = CueBundle(sessionID: film, revision: 1, cues: cues).json
        let spaced = String(decoding: json, as: UTF8.self).replacing("},{", with: "}, {")
        let gzip = Gzip.compress(Array(spaced.utf8))
        var pieces = stride(from: 0, to: gzip.count, by: Limits.cueChunkBytes).enumerated().map { index, start in
            let data = Array(gzip[start..<min(start + Limits.cueChunkBytes, gzip.count)])
            return CueChunk(sessionID: film, revision: 1, index: index, totalChunks: 0, data: data)
        }
        for index in pieces.indices { pieces[index].totalChunks = pieces.count }
        let steps = pieces.flatMap { download.take($0, isReply: false, now: at(0)) }
        #expect(steps == [.store(held, cues), .published])
    }

    @Test("another count of chunks discards the old pieces") func otherTotal() {
        var download = started()
        _ = download.take(all[0], isReply: false, now: at(0))
        _ = download.take(
            CueChunk(sessionID: film, revision: 1, index: 5, totalChunks: 9, data: [1]), isReply: false, now: at(0))
        #expect(download.progress?.received == 1 && download.progress?.total == 9)
    }

    private static let ofTooMany = CueChunk(
        sessionID: film, revision: 1, index: 0, totalChunks: Limits.cueChunks + 1, data: [1])

    @Test("a pushed chunk of more than the limit is passed over: what is here stays, the rest is still taken")
    func strayOfTooMany() {
        var download = started()
        _ = download.take(all[0], isReply: false, now: at(0))
        #expect(download.take(Self.ofTooMany, isReply: false, now: at(0)) == [])
        #expect(download.progress?.received == 1 && download.progress?.total == all.count)
        for chunk in all.dropFirst() { _ = download.take(chunk, isReply: false, now: at(0)) }
        #expect(download.timeline != nil)
    }

    @Test("an answer that tells of more chunks than the limit: given up") func tooMany() {
        var download = started()
        var now = at(0)
        _ = tick(&download, &now)
        #expect(download.take(Self.ofTooMany, isReply: true, now: now) == [])
        #expect(download.nextDeadline == nil && download.progress == nil)
    }

    @Test("a bundle that inflates past the limit: refused for good, and not asked for again") func bomb() {
        var download = started()
        let gzip = Gzip.compress([UInt8](repeating: 0x20, count: Limits.cueBundleBytes + 1))
        let chunk = CueChunk(sessionID: film, revision: 1, index: 0, totalChunks: 1, data: gzip)
        #expect(chunk.data.count <= Limits.cueChunkBytes)
        #expect(download.take(chunk, isReply: false, now: at(0)) == [])
        #expect(download.timeline == nil && download.nextDeadline == nil && download.progress == nil)
    }

    @Test("a chunk larger than the limit, or of another revision, is passed over", arguments: [false, true])
    func strange(isReply: Bool) {
        var download = started()
        var now = at(0)
        if isReply { _ = tick(&download, &now) }
        for (revision, size) in [(1, Limits.cueChunkBytes + 1), (2, 10), (0, 10)] {
            let chunk = CueChunk(
                sessionID: film, revision: revision, index: 0, totalChunks: 2, data: [UInt8](repeating: 0, count: size))
            #expect(download.take(chunk, isReply: isReply, now: now) == [])
            #expect(download.progress == nil)
        }
        #expect(download.nextDeadline != nil)
    }

    @Test("the end of the session forgets the cues") func ended() {
        var download = started()
        for chunk in all { _ = download.take(chunk, isReply: false, now: at(0)) }
        #expect(download.sessionEnded() == [.published])
        #expect(download.timeline == nil && download.held == nil && download.nextDeadline == nil)
        #expect(download.sessionEnded() == [])
    }

    @Test("control characters are stripped for show, and kept in the cache") func safeText() {
        let hostile = [Cue(index: 1, start: 0, end: 1, text: "a\u{1B}[31mb\u{202E}c\nd")]
        var download = CueDownload()
        _ = download.take(metadata(cues: hostile), now: at(0))
        let steps = download.take(chunks(of: hostile)[0], isReply: false, now: at(0))
        #expect(steps.first == .store(.init(sessionID: film, digest: CueBundle.digest(of: hostile)), hostile))
        let shown = download.timeline?.cues.first?.text ?? ""
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
        #expect(shown.contains("\n"))
    }
}
