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

    // MARK: Losing and finding again

    @Test("dead at 12 s without a byte; pongs keep it alive") func liveness() {
        var bench = Bench.connected()
        bench.pass(11.9)
        #expect(bench.view.status == .connected)
        bench.host(.pong(Pong(payload: .object([]))))
        bench.pass(11.9)
        #expect(bench.view.status == .connected)
        let heard = bench.now + -11.9
        bench.pass(0.2)
        #expect(bench.view.status == .reconnecting(since: heard))
        #expect(bench.closes == 1 && bench.connects.count == 2)
    }

    @Test("a host that never says hello, and a connect that hangs, are given up") func hangs() {
        var bench = Bench()
        bench.start()
        bench.pass(9.9)
        #expect(bench.closes == 0)
        bench.pass(0.2)
        #expect(bench.closes == 1 && bench.connects.count == 2)
        bench.open()
        bench.pass(5.1)
        #expect(bench.closes == 2)
        #expect(bench.view.status == .neverConnected)
    }

    @Test("first retry at once, then slower, for ever") func retries() {
        var bench = Bench.connected()
        bench.pass(2)
        bench.close()
        #expect(bench.connects.count == 2)
        var gaps: [Double] = []
        for _ in 0..<12 {
            bench.fail()
            let failed = bench.now
            while case .disconnected(let next) = bench.machine.connection {
                bench.now = next.time
                bench.note(bench.machine.tick(now: bench.now))
            }
            gaps.append(bench.now - failed)
        }
        for (gap, longest) in zip(gaps, [0.25, 0.5, 1, 2, 4, 5, 5, 5, 5, 5, 5, 5]) {
            #expect(gap <= longest && gap >= longest * 0.75)
        }
        #expect(bench.connects.last == .discovery, "an address that keeps failing is looked up again")
    }

    @Test("after a reconnect everything comes from the host, whatever its dates") func refresh() {
        var bench = Bench.connected(time: 50, playing: true)
        bench.host(.snapshot(snapshot(time: 60, playing: true, dated: 1_000)))
        bench.pass(2)
        bench.close()
        #expect(bench.view.title == "Film", "the last state stays on screen")
        bench.open()
        bench.host(hello(dated: 3))
        bench.host(.metadata(metadata(time: 7, dated: 3, title: "Again")))
        #expect(bench.view.title == "Again" && bench.position == 7 && !bench.view.isPlaying)
    }

    @Test("a host that came back without a session clears the screen") func cameBackEmpty() {
        var bench = Bench.connected(cues: someCues(2))
        bench.close()
        bench.open()
        bench.host(hello())
        bench.host(.sessionEnded)
        let view = bench.view
        #expect(view.status == .noSession && view.title == nil && view.cues == .none && view.tracks.isEmpty)
        #expect(view.position(at: bench.now) == nil && view.volume(at: bench.now) == nil)
    }

    @Test("status tells never connected, connected, since when it is stale, and no session") func status() {
        var bench = Bench()
        #expect(bench.view.status == .neverConnected)
        bench.start()
        bench.open()
        #expect(bench.view.status == .neverConnected)
        bench.host(hello())
        #expect(bench.view.status == .noSession)
        bench.host(.metadata(metadata()))
        #expect(bench.view.status == .connected && bench.changed.contains(.status))
        bench.pass(3)
        let heard = bench.now
        bench.host(.snapshot(snapshot(dated: 3)))
        bench.pass(1)
        bench.close()
        bench.fail()
        #expect(bench.view.status == .reconnecting(since: heard))
        bench.pass(1)
        #expect(bench.view.status == .reconnecting(since: heard), "failed attempts don't renew it")
    }

    @Test("goodbyes: shutdown looks again by discovery, finished stays away") func goodbyes() {
        var bench = Bench.connected()
        bench.host(.goodbye(.shutdown))
        #expect(bench.closes == 1 && bench.connects.count == 1)
        bench.pass(0.25)
        #expect(bench.connects.last == .discovery && bench.connects.count == 2)
        bench.open()
        bench.host(hello())
        bench.host(.goodbye(.finished))
        #expect(bench.view.status == .ended(.finished))
        bench.pass(100)
        bench.wake()
        #expect(bench.connects.count == 2)
    }

    @Test("waking: a dead connection is replaced within a second, a live one is kept") func wake() {
        var bench = Bench.connected()
        bench.pass(1)
        bench.wake()
        bench.pass(0.5)
        bench.host(.pong(Pong(payload: .object([]))))
        bench.pass(5)
        #expect(bench.connects.count == 1)
        bench.wake()
        bench.pass(1)
        #expect(bench.connects.count == 2 && bench.closes == 1)
    }

    @Test("waking does not wait for the back-off") func wakeWhileWaiting() {
        var bench = Bench()
        bench.start()
        for _ in 0..<6 {
            bench.fail()
            bench.pass(5)
        }
        bench.fail()
        let count = bench.connects.count
        bench.wake()
        #expect(bench.connects.count == count + 1)
    }

    @Test("our steady clock stood still in sleep: the position is right after the first pong") func sleptClock() {
        var bench = Bench.connected(time: 0, playing: true, duration: 10_000)
        func answerPings(hostAhead: Double) {
            for ping in bench.pings.suffix(1) {
                bench.host(.pong(Pong(payload: ping, serverDate: date(bench.now - at(0) + hostAhead))))
            }
        }
        for _ in 0..<8 {
            answerPings(hostAhead: 0)
            bench.pass(0.02)
        }
        #expect(abs((bench.position ?? 0) - 0.16) < 0.002)
        bench.wake()
        answerPings(hostAhead: 600)
        #expect(abs((bench.position ?? 0) - 600.16) < 0.002)
    }

    @Test("stop: goodbye, unsent taps told, nothing scheduled") func stop() {
        var bench = Bench.connected()
        bench.command(.play, 1)
        bench.tap(1, 2)
        bench.stop()
        #expect(bench.outcome(1) == .failure(.lost) && bench.outcome(2) == .failure(.notSent))
        #expect(bench.sent.last?.content == .success(.goodbye(.finished)))
        #expect(bench.closes == 1 && bench.machine.nextDeadline == nil)
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
        let cues = noisyCues(2_000)
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
