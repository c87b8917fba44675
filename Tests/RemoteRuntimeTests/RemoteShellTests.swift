import LinuxSystem
import RemoteCore
import TerminalUI
import TestKit
import Testing
import Transport
import WireProtocol

@testable import RemoteRuntime

@Suite("What --host means") struct WantedHostTests {
    @Test(
        "an address, with or without a port",
        arguments: [
            ("127.0.0.1", Endpoint(address: "127.0.0.1", port: 42557)),
            ("127.0.0.1:7", Endpoint(address: "127.0.0.1", port: 7)),
            ("::1", Endpoint(address: "::1", port: 42557)), ("[::1]", Endpoint(address: "::1", port: 42557)),
            ("[::1]:7", Endpoint(address: "::1", port: 7)),
        ])
    func addresses(text: String, endpoint: Endpoint) throws {
        #expect(try HostFinder.Wanted(text) == .address([endpoint]))
    }

    @Test("a name without dots is one that is announced; nothing means the only host") func announced() throws {
        #expect(try HostFinder.Wanted("ThinkPad") == .announced("ThinkPad"))
        #expect(try HostFinder.Wanted(nil) == .any)
    }

    @Test("a port that is none is refused", arguments: ["127.0.0.1:0", "127.0.0.1:70000", "[::1]:x", "h:"])
    func ports(text: String) {
        #expect(throws: Failure.self) { try HostFinder.Wanted(text) }
    }
}

@Suite("Which track is meant") struct TrackChoiceTests {
    private let tracks: [SessionMetadata.Track] = [
        .init(id: "A", label: "Original"), .init(id: "B", label: "Español"), .init(id: "C", label: "2"),
        .init(id: "D", label: "Esperanto"),
    ]

    @Test(
        "a label, the beginning of one, or a number from 1",
        arguments: [
            ("original", "A"), ("Orig", "A"), ("ESPA", "B"), ("1", "A"), ("4", "D"), ("2", "C"), ("B", "B"),
        ])
    func meant(text: String, id: String) {
        #expect(TrackChoice.track(text, of: tracks)?.id == id)
    }

    @Test("two tracks of one label are told apart by number only") func twins() {
        let twins: [SessionMetadata.Track] = [.init(id: "A", label: "English"), .init(id: "B", label: "english")]
        #expect(TrackChoice.track("English", of: twins) == nil)
        #expect(TrackChoice.track("2", of: twins)?.id == "B")
    }

    @Test("what fits none or several is not guessed", arguments: ["esp", "5", "0", "-1", "French"])
    func notMeant(text: String) {
        #expect(TrackChoice.track(text, of: tracks) == nil)
    }
}

@Suite("What the host refuses, in sentences") struct RefusalTests {
    @Test(
        "the host's own sentence, or its code where it has none",
        arguments: [
            ("No such track.", "No such track."), ("", "The host answers with the error unknownTrack."),
            ("\u{1B} \n", "The host answers with the error unknownTrack."),
        ])
    func sentence(message: String, shown: String) {
        let failure = Sentences.failed(.refused(WireError(.unknownTrack, message)))
        #expect(failure.message == shown && failure.code == .usage)
        #expect(WireError(.unknownTrack, message).sentence == shown)
    }
}

@Suite("Cue cache on disk") struct CueCacheTests {
    private let kept: TemporaryFolder
    private var folder: String { kept.path }

    init() throws {
        kept = try TemporaryFolder("cache")
    }

    private func bundle(_ session: String, _ text: String = "Hello") -> (CueBundle, String) {
        let cues = [Cue(index: 1, start: 1, end: 2, text: text)]
        return (CueBundle(sessionID: session, revision: 1, cues: cues), CueBundle.digest(of: cues))
    }

    @Test("what is stored comes back, for that session and digest only") func roundTrip() {
        let cache = CueCache(folder: folder)
        let (stored, digest) = bundle("S")
        cache.store(stored, digest: digest)
        #expect(cache.cues(sessionID: "S", digest: digest) == stored.cues)
        #expect(cache.cues(sessionID: "T", digest: digest) == nil)
        #expect(cache.cues(sessionID: "S", digest: "other") == nil)
    }

    @Test("a damaged file is a miss") func damaged() throws {
        let cache = CueCache(folder: folder)
        let (stored, digest) = bundle("S")
        cache.store(stored, digest: digest)
        for name in Files.names(in: folder) { try Files.replace(folder + "/" + name, with: Array("garbage".utf8)) }
        #expect(cache.cues(sessionID: "S", digest: digest) == nil)
    }

    @Test("a session id cannot lead out of the folder") func hostileNames() {
        let cache = CueCache(folder: folder)
        let (stored, digest) = bundle("../../../tmp/evil")
        cache.store(stored, digest: digest)
        #expect(Files.names(in: folder).count == 1)
        #expect(cache.cues(sessionID: "../../../tmp/evil", digest: digest) == stored.cues)
    }

    @Test("the last eight films stay") func eviction() {
        let cache = CueCache(folder: folder)
        for number in 1...12 {
            let (stored, digest) = bundle("S\(number)", "Line \(number)")
            cache.store(stored, digest: digest)
        }
        #expect(Files.names(in: folder).count == 8)
        let (newest, digest) = bundle("S12", "Line 12")
        #expect(cache.cues(sessionID: "S12", digest: digest) == newest.cues)
    }
}

@Suite("What has become of a watched film") struct SessionNewsTests {
    private func facts(_ title: String?, _ tracks: [String], _ digest: String) -> WatchCommand.Facts {
        .init(title: title, tracks: tracks, digest: digest, isPlaying: false, cueLine: "")
    }

    private func json(_ news: SessionNews) -> String {
        var writer = JSONWriter()
        writer.value(.object(news.members))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("title, tracks and lines are told, each with what changed") func all() {
        let news = SessionNews(from: facts("A", ["1", "2"], "x"), to: facts("B", ["2", "3"], "y"))
        #expect(
            news.sentences == [
                "The film is called “B” now.", "New track: 3", "Track removed: 1", "The film has other lines now.",
            ])
        #expect(json(news) == #"{"changed":["title","tracks","cues"],"added":["3"],"removed":["1"]}"#)
    }

    @Test("of a film that is the same, has come or has gone there is no news") func none() {
        for (old, new) in [("A", "A"), ("A", nil), (nil, "A")] as [(String?, String?)] {
            let news = SessionNews(from: facts(old, ["1"], "x"), to: facts(new, old == new ? ["1"] : [], "x"))
            #expect(news.sentences == [])
            #expect(json(news) == "{}")
        }
    }
}
