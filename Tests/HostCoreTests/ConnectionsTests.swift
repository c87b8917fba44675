import HostCore
import Testing
import WireProtocol

@Suite("A host and its remotes")
struct ConnectionsTests {
    @Test("greets at once, and pushes nothing before hello")
    func greeting() {
        var stage = Stage()
        stage.open()
        stage.connect(1)
        #expect(stage.kinds(1) == ["hello"])
        stage.command(#"{"kind":"play"}"#, id: 1, on: 1)
        #expect(stage.kinds(1) == ["snapshot 1"])
    }

    @Test("welcomes a remote with everything it needs, in the order of the specification")
    func welcome() {
        var stage = Stage()
        stage.open()
        stage.join(1, "phone")
        #expect(stage.kinds(1) == ["hello", "metadata", "snapshot", "cueChunk"])
    }

    @Test("keeps cues back from a remote that holds them, and only from that one")
    func heldCues() {
        let digest = CueBundle.digest(of: Stage.cues)
        var stage = Stage()
        stage.open()
        stage.join(1, "phone", holding: #","cues":{"sessionID":"film","digest":"\#(digest)"}"#)
        #expect(stage.kinds(1) == ["hello", "metadata", "snapshot"])
        stage.join(2, "old", holding: #","cues":{"sessionID":"film","digest":"\#(String(digest.reversed()))"}"#)
        #expect(stage.kinds(2) == ["hello", "metadata", "snapshot", "cueChunk"])
    }

    @Test("tells a remote that there is no session, and what begins later")
    func noSession() {
        var stage = Stage()
        stage.join(1, "phone")
        #expect(stage.kinds(1) == ["hello", "sessionEnded"])
        stage.command(#"{"kind":"play"}"#, id: 4, on: 1)
        #expect(
            stage.heard(1) == [
                #"{"kind":"error","re":4,"payload":{"code":"noSession","message":"No session is active on this host."}}"#
            ])
        stage.open()
        #expect(stage.kinds(1) == ["metadata", "snapshot", "cueChunk"])
        stage.closeSession()
        #expect(stage.kinds(1) == ["sessionEnded"])
    }

    @Test("answers the asker before it tells anybody, and everybody once a turn")
    func fanOut() {
        var stage = Stage()
        stage.open()
        for id in 1...3 { stage.join(id, "r\(id)") }
        for id in 1...3 { _ = stage.heard(id) }
        let skip = #"{"kind":"command","id":7,"payload":{"kind":"skip","seconds":1}}"#
        stage.say(skip, skip.replacing("7", with: "8"), on: 2)
        #expect(stage.kinds(2) == ["snapshot 7", "snapshot 8", "metadata", "snapshot"])
        #expect(stage.kinds(1) == ["metadata", "snapshot"])
        let told = stage.heard(3)
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.contains(#""currentTime":12"#) })
        #expect(told.first?.contains(#""by":"r2""#) == true)
    }

    @Test("answers and tells remotes before it wakes the sound, but lets no crowd keep the sound waiting")
    func order() {
        var stage = Stage()
        stage.open()
        for id in 1...40 { stage.join(id, "r\(id)") }
        stage.forgetDeeds()
        stage.notesWrites = true
        stage.command(#"{"kind":"seek","time":20}"#, id: 1, on: 7)
        #expect(stage.deeds.first == "write 7")
        #expect(stage.deeds.firstIndex { $0.hasPrefix("engine") } == 1 + 16)
        #expect(Set(stage.deeds.filter { $0.hasPrefix("write") }).count == 40)
    }

    @Test("keeps one line of each push for a remote that does not read, and drops it when its replies pile up")
    func deaf() {
        var stage = Stage()
        stage.open()
        stage.join(1, "deaf")
        stage.join(2, "phone")
        _ = stage.heard(1)
        stage.deaf = [1]
        for round in 1...2_000 {
            stage.pass(0.01)
            stage.command(#"{"kind":"skip","seconds":\#(round % 2 == 0 ? -1 : 1)}"#, id: round, on: 2)
        }
        #expect(stage.kinds(2).count { $0.hasPrefix("snapshot ") } == 2_000)
        stage.deaf = []
        stage.pass(1)
        #expect(stage.kinds(1).filter { $0 != "snapshot" } == ["metadata"])

        stage.deaf = [1]
        stage.forgetDeeds()
        for round in 1...1_200 { stage.command(#"{"kind":"pause"}"#, id: round, on: 1) }
        #expect(stage.deeds.contains("close 1"))
        stage.pass(1)
        #expect(stage.deeds.contains("cut 1"))
    }

    @Test("turns a remote beyond the number away with a reason, and has room again when one leaves")
    func full() {
        var stage = Stage(maximumConnections: 2)
        for id in 1...2 { stage.join(id, "r\(id)") }
        stage.forgetDeeds()
        stage.connect(3)
        #expect(stage.kinds(3) == ["hello", "error", "goodbye"])
        #expect(stage.deeds == ["close 3"])
        stage.leave(1)
        stage.connect(4)
        #expect(stage.kinds(4) == ["hello"])
        stage.command(#"{"kind":"pause"}"#, id: 1, on: 4)
        #expect(stage.kinds(4) == ["error 1"])
    }

    @Test("a remote gets in at once past thousands of silent connections, and those inside do not notice them")
    func silentThousands() {
        var stage = Stage(maximumConnections: 2)
        stage.open()
        stage.join(1, "first")
        stage.forgetDeeds()
        for id in 10..<5_010 { stage.connect(id) }
        #expect(stage.machine.connectionCount == 1 + Limits.silentConnections + Limits.closingConnections)
        #expect(stage.kinds(10) == ["hello", "error", "goodbye"], "the oldest is told why it goes")
        #expect(stage.deeds.count { $0.hasPrefix("close") } == Limits.closingConnections)
        #expect(
            stage.deeds.count { $0.hasPrefix("cut") } == 5_000 - Limits.silentConnections - Limits.closingConnections)
        stage.join(6_000, "real")
        #expect(stage.kinds(6_000) == ["hello", "metadata", "snapshot", "cueChunk"])
        stage.command(#"{"kind":"skip","seconds":1}"#, id: 1, on: 1)
        #expect(stage.kinds(1).contains("snapshot 1"))
        stage.pass(15)
        #expect(stage.machine.connectionCount == 2, "after a while nothing of them is left")
    }

    @Test(
        "of two that come for the last place the first to speak has it; the other is told, and its command is not applied"
    )
    func lastPlace() {
        var stage = Stage(maximumConnections: 1)
        stage.open()
        for id in 1...2 { stage.connect(id) }
        stage.command(#"{"kind":"skip","seconds":1}"#, id: 1, on: 2)
        stage.forgetDeeds()
        stage.command(#"{"kind":"skip","seconds":7}"#, id: 1, on: 1)
        #expect(stage.kinds(1) == ["hello", "error", "goodbye"])
        #expect(stage.deeds == ["close 1"])
        stage.command(#"{"kind":"pause"}"#, id: 2, on: 2)
        #expect(stage.heard(2).last?.contains(#""currentTime":11"#) == true)
    }

    @Test(
        "connections that are closed for their faults, over and over, take no place and pile up no further than the limit"
    )
    func faultyThousands() {
        var stage = Stage(maximumConnections: 3)
        stage.join(1, "first")
        for id in 10..<2_000 {
            stage.connect(id)
            stage.say("GET / HTTP/1.1", on: id)
            #expect(stage.machine.connectionCount <= 1 + Limits.closingConnections)
        }
        stage.join(5_000, "real")
        #expect(stage.kinds(5_000) == ["hello", "sessionEnded"])
    }

    @Test("says goodbye to every remote when it ends, however many there are")
    func goodbyeToAll() {
        var stage = Stage(maximumConnections: 300)
        for id in 1...300 { stage.join(id, "r") }
        stage.stop()
        let lastWords = (1...300).map { stage.kinds($0).last }
        #expect(lastWords.allSatisfy { $0 == "goodbye" })
        stage.pass(1)
        #expect(stage.machine.connectionCount == 0, "and waits for none that does not close its side")
    }

    @Test("makes room for another by the one that has been silent longest, and by no other")
    func makesRoom() {
        var stage = Stage()
        stage.join(1, "phone")
        for id in 2...3 { stage.connect(id) }
        #expect(stage.makeRoom() == [.cut(2)])
        #expect(stage.makeRoom() == [.cut(3)])
        #expect(stage.makeRoom() == [])
        #expect(stage.machine.connectionCount == 1)
    }

    @Test("names until when one is not to be read that says more than it may")
    func rest() throws {
        var stage = Stage()
        stage.join(1, "loud")
        #expect(stage.machine.restsUntil(1) == nil)
        for _ in 0..<5 { stage.say(#"{"kind":"pong","payload":"\#(String(repeating: "x", count: 60_000))"}"#, on: 1) }
        let instant = try #require(stage.machine.restsUntil(1))
        #expect(instant > stage.now && instant - stage.now < 1)
        stage.leave(1)
        #expect(stage.machine.restsUntil(1) == nil)
    }

    @Test("tells who joins, who stays and who leaves")
    func comings() {
        var stage = Stage()
        stage.join(1, "phone")
        stage.say(stage.hello("renamed"), on: 1)
        stage.join(2, "one-shot")
        stage.leave(2)
        stage.pass(1)
        stage.leave(1)
        #expect(
            stage.deeds == [
                #"joined(name: "phone")"#, #"joined(name: "one-shot")"#, #"left(name: "one-shot", hadStayed: false)"#,
                #"stayed(name: "renamed")"#, #"left(name: "renamed", hadStayed: true)"#,
            ])
    }

    @Test("says goodbye to all and saves when it ends")
    func stop() {
        var stage = Stage()
        stage.open()
        stage.join(1, "phone")
        stage.connect(2)
        for id in 1...2 { _ = stage.heard(id) }
        stage.forgetDeeds()
        stage.stop()
        let goodbye = #"{"kind":"goodbye","payload":{"reason":"shutdown"}}"#
        #expect(stage.heard(1) == [goodbye])
        #expect(stage.heard(2) == [goodbye])
        #expect(stage.deeds == ["close 1", "close 2", "save 10.0"])
    }
}
