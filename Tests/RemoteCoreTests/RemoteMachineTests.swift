import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Remote machine") struct RemoteMachineTests {
    // MARK: Greeting

    @Test("hello goes first, then eight pings 20 ms apart, then one every 5 s") func greeting() {
        var bench = Bench()
        bench.start()
        bench.open()
        guard case .success(.hello(let own)) = bench.sent.first?.content else {
            Issue.record("hello is not first")
            return
        }
        #expect(own.remoteID == "remote" && own.remoteName == "Phone" && own.protocolVersion == 1 && own.cues == nil)
        bench.host(hello())
        var times = [bench.now]
        while times.count < 10 {
            let count = bench.pings.count
            if let next = bench.machine.nextDeadline { bench.now = next }
            bench.host(.unknown(kind: "life"))
            bench.note(bench.machine.tick(now: bench.now))
            if bench.pings.count > count { times.append(bench.now) }
        }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps == [0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 5, 5])
    }

    @Test("hello carries token and held cues") func heldCues() {
        var bench = Bench(token: "secret")
        let cues = someCues(3)
        bench.note(bench.machine.cuesLoaded(cues, sessionID: film, now: bench.now))
        bench.start()
        bench.open()
        #expect(bench.hellos.first?.token == "secret")
        #expect(bench.hellos.first?.cues == .init(sessionID: film, digest: CueBundle.digest(of: cues)))
    }

    @Test("nothing the host says before its hello is believed") func beforeHello() {
        var bench = Bench()
        bench.start()
        bench.open()
        bench.host(.metadata(metadata()))
        bench.host(hello())
        #expect(bench.view.status == .noSession && bench.view.title == nil)
        bench.host(.metadata(metadata()))
        #expect(bench.view.status == .connected && bench.view.title == "Film")
    }

    @Test("another protocol version is a clear end, not a loop of retries") func version() {
        var bench = Bench()
        bench.start()
        bench.open()
        bench.host(hello(2))
        #expect(bench.view.status == .ended(.incompatible(hostVersion: 2)))
        #expect(bench.closes == 1 && bench.machine.nextDeadline == nil)
        bench.start()
        #expect(bench.connects.count == 2, "the user may try again")
    }

    @Test("a host that wants a token is a clear end") func unauthorized() {
        var bench = Bench()
        bench.start()
        bench.open()
        bench.host(hello())
        let error = WireError(.unauthorized, "Pair first.")
        bench.host(.error(error))
        #expect(bench.view.status == .ended(.unauthorized(error)) && bench.view.lastError == error)
    }

    @Test("answers the host's ping with its payload") func hostPing() {
        var bench = Bench.connected()
        bench.host(.ping(.object([.init("n", .integer(3))])))
        #expect(bench.sent.last?.content == .success(.pong(Pong(payload: .object([.init("n", .integer(3))])))))
    }

    @Test("answers a ping whose payload would not fit a frame without it") func hostPingThatGrows() {
        var bench = Bench.connected()
        // Written without its exponent each has 301 digits.
        let numbers = Array(repeating: "1e300", count: 5_000).joined(separator: ",")
        bench.raw(#"{"kind":"ping","payload":[\#(numbers)]}"# + "\n")
        #expect(bench.sent.last?.content == .success(.pong(Pong(payload: .object([])))))
    }

    // MARK: Bytes

    private var conversation: [UInt8] {
        let cues = someCues(4)
        var bytes = hello().line()
        bytes += HostMessage.metadata(metadata(cues: cues, time: 3)).line()
        bytes += Array("\r\n{\"kind\":\"fireworks\"}\nnot json\n".utf8)
        for chunk in chunks(of: cues) { bytes += HostMessage.cueChunk(chunk).line() }
        bytes += HostMessage.snapshot(snapshot(time: 5, dated: 1, volume: 0.25)).line()
        return bytes
    }

    @Test("bytes may come in any pieces", arguments: [1, 2, 7, 64, 1000, 100_000]) func pieces(size: Int) {
        var bench = Bench()
        bench.start()
        bench.open()
        let bytes = conversation
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            bench.note(bench.machine.received(piece, attempt: bench.attempt, now: bench.now))
        }
        #expect(bench.view.status == .connected && bench.view.hostName == "Laptop")
        #expect(bench.position == 5 && bench.view.volume(at: bench.now) == 0.25)
        #expect(bench.view.cues == .ready(CueTimeline(someCues(4))))
        #expect(bench.view.undecodableLines == 1)
        #expect(bench.stored == [someCues(4)])
    }

    @Test("half a line of a broken connection does not spoil the next") func halfLine() {
        var bench = Bench.connected()
        bench.raw("{\"kind\":\"snap")
        bench.close()
        bench.open()
        bench.host(hello())
        #expect(bench.view.undecodableLines == 0 && bench.view.status == .connected)
    }

    @Test("a line over the limit closes, and what was glued behind it is not read") func tooLong() {
        var bench = Bench.connected()
        let line = [UInt8](repeating: 0x20, count: Limits.frameBytes) + [0x0A]
        let actions = bench.machine.received(
            line + HostMessage.sessionEnded.line(), attempt: bench.attempt, now: bench.now)
        #expect(actions.contains(.close))
        #expect(bench.view.title == "Film")
    }

    @Test("texts of a host are stripped and capped") func hostileTexts() {
        var bench = Bench()
        bench.start()
        bench.open()
        bench.host(hello(name: "\u{1B}]0;x\u{7}" + String(repeating: "n", count: 500)))
        bench.host(.metadata(metadata(title: "a\u{1B}[2Jb\nc", by: "x\u{202E}y")))
        let view = bench.view
        for text in [view.hostName, view.title, view.by] {
            #expect(text?.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } == false)
        }
        #expect((view.hostName ?? "").count <= Limits.nameCharacters)
    }

    // MARK: Changes

    @Test("what the view says changed is what changed") func changes() {
        var bench = Bench.connected(time: 50, playing: true)
        func says(_ expected: ViewChanges, _ message: HostMessage) {
            bench.host(message)
            #expect(bench.changed == expected)
        }
        bench.pass(1)
        says(.confirmed, .snapshot(snapshot(time: 51, playing: true, dated: 1, volume: 0.5)))
        says([.confirmed, .volume], .snapshot(snapshot(time: 51, playing: true, dated: 1, volume: 0.6)))
        says([.confirmed, .playback], .snapshot(snapshot(time: 60, playing: true, dated: 1, volume: 0.6)))
        says([.confirmed, .playback], .snapshot(snapshot(time: 60, playing: false, dated: 1, volume: 0.6)))
        says([.confirmed, .session], .snapshot(snapshot(time: 60, dated: 1, track: "b", volume: 0.6)))
        says([.confirmed, .session], .metadata(metadata(time: 60, dated: 1.1, track: "b", by: "Other phone")))
        says(.confirmed, .metadata(metadata(time: 60, dated: 1.1, track: "b", by: "Other phone")))
    }

    @Test("the position runs on between snapshots, and pushes of steady playing do not move it") func runsOn() {
        var bench = Bench.connected(time: 50, playing: true)
        for second in 1...8 {
            bench.pass(1)
            #expect(abs((bench.position ?? 0) - (50 + Double(second))) < 0.01)
            bench.host(
                .snapshot(
                    snapshot(time: 50 + Double(second), playing: true, dated: Double(second), volume: 0.5)))
            #expect(abs((bench.position ?? 0) - (50 + Double(second))) < 0.01)
        }
    }

    // MARK: Cues

    @Test("cues: cache asked, then pulled when no push comes, stored and current line known") func cues() {
        let cues = someCues(30)
        var bench = Bench.connected(cues: cues, time: 10.5)
        #expect(bench.lookedFor == [.init(sessionID: film, digest: CueBundle.digest(of: cues))])
        #expect(bench.view.cues == .loading(received: 0, total: nil))
        #expect(bench.view.currentCueIndex(at: bench.now) == 0, "without cues, the host's word")
        bench.pass(1)
        #expect(
            bench.commands.map(\.command)
                == [.requestCueChunk(CueChunkRequest(sessionID: film, revision: 1, index: 0))])
        bench.host(.cueChunk(chunks(of: cues)[0]), re: bench.commands[0].id)
        #expect(bench.view.cues == .ready(CueTimeline(cues)) && bench.stored == [cues])
        #expect(bench.view.currentCueIndex(at: bench.now) == 5)
        bench.tap(3, 1)
        #expect(bench.view.currentCueIndex(at: bench.now) == 6, "the list moves with the tap")
    }

    @Test("a refused chunk is not asked for again until the metadata is newer") func staleChunk() {
        var bench = Bench.connected(cues: someCues(30))
        bench.pass(1)
        bench.host(.error(WireError(.staleRevision, "")), re: bench.commands[0].id)
        for _ in 0..<6 {
            bench.pass(5)
            bench.host(.unknown(kind: "life"))
        }
        #expect(bench.commands.count == 1)
        bench.host(.metadata(metadata(revision: 2, cues: someCues(31))))
        bench.pass(1)
        #expect(bench.commands.count == 2)
    }

    @Test("cues found in the cache later are shown without a download") func cacheAnswers() {
        let cues = someCues(30)
        var bench = Bench.connected(cues: cues)
        bench.note(bench.machine.cuesLoaded(cues, sessionID: film, now: bench.now))
        #expect(bench.view.cues == .ready(CueTimeline(cues)))
        bench.pass(3)
        #expect(bench.commands.isEmpty && bench.stored.isEmpty)
    }

    @Test("held cues are named after a reconnect, a partial download is finished") func cuesAfterReconnect() {
        let cues = noisyCues(1_000)
        let all = chunks(of: cues)
        var bench = Bench.connected(cues: cues)
        bench.host(.cueChunk(all[0]))
        bench.close()
        bench.open()
        #expect(bench.hellos.last?.cues == nil)
        bench.host(hello())
        bench.host(.metadata(metadata(cues: cues)))
        #expect(bench.view.cues == .loading(received: 1, total: all.count))
        for chunk in all.dropFirst() { bench.host(.cueChunk(chunk)) }
        bench.pass(1)
        bench.close()
        bench.open()
        #expect(bench.hellos.last?.cues?.digest == CueBundle.digest(of: cues))
    }

    @Test("the next change of the current line can be waited for") func nextCue() {
        var bench = Bench.connected(cues: someCues(30), time: 10.5, playing: true)
        #expect(bench.view.nextCueChange(after: bench.now) == nil)
        bench.host(.cueChunk(chunks(of: someCues(30))[0]))
        guard let next = bench.view.nextCueChange(after: bench.now) else {
            Issue.record("no change ahead")
            return
        }
        #expect(abs(next - bench.now - 1.5) < 0.01)
        #expect(bench.view.currentCueIndex(at: next + -0.01) == 5)
        #expect(bench.view.currentCueIndex(at: next) == 6)
    }
}
