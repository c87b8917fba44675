import HostCore
import Playback
import Testing
import WireProtocol

@Suite("A host whose session changes")
struct SessionChangeTests {
    private static let newCues = [Cue(index: 1, start: 7, end: 8, text: "new")]
    private static let held =
        #","cues":{"sessionID":"film","digest":"\#(CueBundle.digest(of: Stage.cues))"}"#

    private func stage() -> Stage {
        var stage = Stage()
        stage.open()
        stage.join(1, "phone")
        stage.join(2, "tablet", holding: Self.held)
        for id in 1...2 { _ = stage.heard(id) }
        stage.forgetDeeds()
        return stage
    }

    @Test("another title is told to every remote, without cues and without a word to the sound")
    func title() {
        var stage = stage()
        var film = Stage.film()
        film.title = "Other"
        stage.refresh(film)
        for id in 1...2 {
            let heard = stage.heard(id)
            #expect(heard.count == 2)
            #expect(heard.first?.contains(#""title":"Other""#) == true)
        }
        #expect(stage.deeds == ["note"])
    }

    @Test("a new track is in the list, and can be chosen")
    func track() {
        var stage = stage()
        var film = Stage.film()
        film.tracks.append(.init(id: "new", label: "New", duration: 50))
        stage.refresh(film)
        #expect(stage.heard(1).first?.contains(#"{"id":"new","label":"New"}"#) == true)
        stage.command(#"{"kind":"switchTrack","trackID":"new"}"#, id: 3, on: 1)
        #expect(stage.deeds.contains { $0.contains("switchTrack") && $0.contains("new") })
    }

    @Test("new cues go to every remote, after the metadata that names them")
    func cues() {
        var stage = stage()
        stage.refresh(Stage.film(revision: 2, cues: Self.newCues))
        for id in 1...2 { #expect(stage.kinds(id) == ["metadata", "snapshot", "cueChunk"]) }
        stage.command(
            #"{"kind":"requestCueChunk","sessionID":"film","revision":1,"index":0}"#, id: 4, on: 1)
        #expect(stage.heard(1).first?.contains("staleRevision") == true)
        stage.command(
            #"{"kind":"requestCueChunk","sessionID":"film","revision":2,"index":0}"#, id: 5, on: 1)
        #expect(stage.kinds(1) == ["cueChunk 5"])
        stage.refresh(Stage.film(revision: 2, cues: Self.newCues))
        #expect(stage.kinds(1) == ["metadata", "snapshot"], "what it has is not sent again")
    }

    @Test("an active track that has gone is left, and no longer listed once the other sounds")
    func activeGone() {
        var stage = stage()
        var film = Stage.film()
        film.tracks.removeFirst()
        stage.refresh(film, fallback: "dub")
        #expect(stage.heard(1).first?.contains(#""activeTrackID":"orig""#) == true)
        #expect(stage.deeds.first == "engine \(EngineRequest.switchTrack(epoch: 2, trackID: "dub"))")
        stage.engine(.switched(epoch: 2, trackID: "dub", duration: 60))
        let metadata = stage.heard(1).first
        #expect(metadata?.contains(#""activeTrackID":"dub""#) == true)
        #expect(metadata?.contains(#""id":"orig""#) == false)
    }

    @Test("a deleted session ends for every remote, and the sound is told to stop")
    func deleted() {
        var stage = stage()
        stage.end()
        for id in 1...2 { #expect(stage.kinds(id) == ["sessionEnded"]) }
        stage.pass(5)
        #expect(stage.kinds(2) == [], "an end is told once")
        #expect(stage.deeds.contains { $0.contains("pause") })
        stage.command(
            #"{"kind":"requestCueChunk","sessionID":"film","revision":1,"index":0}"#, id: 1, on: 1)
        #expect(stage.heard(1).first?.contains("noSession") == true)
        stage.refresh(Stage.film())
        #expect(stage.kinds(1) == [], "what has ended does not come back")
    }

    @Test("a session in place of another is told after the end of that one, with its cues")
    func replaced() {
        var stage = stage()
        stage.open(Stage.film(id: "next", cues: Self.newCues))
        for id in 1...2 { #expect(stage.kinds(id) == ["sessionEnded", "metadata", "snapshot", "cueChunk"]) }
        stage.open(Stage.film(id: "next", revision: 2))
        #expect(stage.kinds(1) == ["metadata", "snapshot", "cueChunk"], "the same one, opened anew, has not ended")
    }
}
