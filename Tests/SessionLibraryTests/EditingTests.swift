import Foundation
import LinuxSystem
import Playback
import SessionLibrary
import Testing

@Suite("Changing a stored session") struct EditingTests {
    private let place: TemporaryLibrary
    private let library: SessionLibrary
    private let film: StoredSession

    init() throws {
        place = try TemporaryLibrary()
        library = try place.open()
        film = try place.withFilm(library)
        library.save(ListeningState(sessionID: film.id, position: 12.5, activeTrackID: film.tracks[1].id))
        library.flush(within: 5)
    }

    private func now() throws -> StoredSession { try #require(try library.list().first) }

    @Test("another title changes nothing else")
    func rename() throws {
        var expected = try now()
        expected.title = "Other"
        #expect(try library.rename(film.id, to: "Other") == expected)
        #expect(try place.open().list() == [expected])
    }

    @Test("a deleted one is gone with its files")
    func delete() throws {
        try library.delete(film.id)
        #expect(try library.list() == [])
        #expect(place.stored == [])
        #expect(try place.looseFiles() == [])
        #expect(failure { () throws(LibraryError) in try library.delete(film.id) } == .noSession(query: film.id))
    }

    @Test("one that plays files where they lie is deleted without them")
    func deleteInPlace() throws {
        let path = try place.sound("mine.m4a")
        let session = try library.openInPlace(
            title: "T", tracks: [(nil, path)], subtitlePath: try place.cues("d", "mine.srt"), cueDigest: "d")
        try library.delete(session.id)
        #expect(Files.exists(path) && Files.exists(place.directory + "/mine.srt"))
        #expect(try library.list().map(\.id) == [film.id])
    }

    // MARK: Tracks

    @Test("a track is added behind the others and leaves default, position and the chosen track")
    func addTrack() throws {
        let session = try library.addTracks([try place.sound("c.m4a")], to: film.id)
        #expect(session.tracks.map(\.label) == ["A", "b", "c"])
        #expect(session.tracks.map(\.isDefault) == [true, false, false])
        #expect(session.position == 12.5)
        #expect(session.activeTrackID == film.tracks[1].id)
        #expect(Array(session.tracks.prefix(2)) == film.tracks)
        #expect(try place.looseFiles() == [])
    }

    @Test("one that is there already is not added again; under another label it is, another one under its label is not")
    func addKnownTrack() throws {
        let path = try place.sound("b.m4a")
        #expect(try library.addTracks([path], to: film.id).tracks == film.tracks)
        #expect(place.stored.count == 4)
        let labelled = try library.addTracks(
            [.init(path: path, label: "Bee")], to: film.id, checkedBy: .fake
        ) { _, _ in }
        #expect(labelled.tracks.map(\.label) == ["A", "b", "Bee"])
        try place.file("b.m4a", "sound anew")
        #expect(
            failure { () throws(LibraryError) in try library.addTracks([path], to: film.id) } == .repeatedLabel("b"))
        #expect(try now().tracks == labelled.tracks)
        #expect(place.stored.count == 5)
        #expect(try place.looseFiles() == [])
    }

    @Test("to a session that is gone by then nothing is added")
    func addToNone() throws {
        let path = try place.sound("c.m4a")
        #expect(
            failure { () throws(LibraryError) in try library.addTracks([path], to: "none") }
                == .noSession(query: "none"))
        #expect(place.stored.filter { !$0.contains(film.id) && $0 != "sessions/none" } == [])
        #expect(try place.looseFiles() == [])
    }

    @Test("a removed track is gone with its file, and is the chosen one no more")
    func removeTrack() throws {
        let session = try library.removeTrack("b", of: film.id)
        #expect(session.tracks == [film.tracks[0]])
        #expect(session.activeTrackID == nil)
        #expect(session.startTrackID == film.tracks[0].id)
        #expect(!Files.exists(film.tracks[1].path))
        #expect(Files.exists(film.tracks[0].path))
    }

    @Test("where the default goes, the first of the others is the default")
    func removeDefault() throws {
        _ = try library.addTracks([try place.sound("c.m4a")], to: film.id)
        #expect(try library.removeTrack("1", of: film.id).tracks.map(\.isDefault) == [true, false])
    }

    @Test("the last track stays")
    func removeLast() throws {
        _ = try library.removeTrack("A", of: film.id)
        let error = failure { () throws(LibraryError) in try library.removeTrack("b", of: film.id) }
        #expect(error == .lastTrack(session: "Film"))
        #expect(Files.exists(film.tracks[1].path))
        #expect(try now().tracks.count == 1)
    }

    @Test("the default is what the session begins with next, whatever was chosen last")
    func setDefault() throws {
        let session = try library.setDefault("A", of: film.id)
        #expect(session.startTrackID == film.tracks[0].id)
        #expect(try library.setDefault("b", of: film.id).startTrackID == film.tracks[1].id)
        #expect(try now().tracks.map(\.isDefault) == [false, true])
        #expect(try now().position == 12.5)
    }

    @Test(
        "a track is meant by id, label, number, and unique parts",
        arguments: [("a", 0), ("A", 0), ("2", 1), ("B", 1)])
    func query(query: String, place: Int) throws {
        #expect(try library.setDefault(query, of: film.id).tracks.map(\.isDefault)[place])
        let id = film.tracks[place].id
        #expect(try library.setDefault(String(id.prefix(13)).lowercased(), of: film.id).tracks[place].isDefault)
    }

    @Test("none, or several, are named", arguments: ["", "0", "3", "Z"])
    func noTrack(query: String) throws {
        #expect(
            failure { () throws(LibraryError) in try library.removeTrack(query, of: film.id) }
                == .noTrack(query: query, session: "Film"))
        _ = try library.addTracks([try place.sound("ab.m4a"), try place.sound("abc.m4a")], to: film.id)
        #expect(
            failure { () throws(LibraryError) in try library.removeTrack("AB", of: film.id) } == nil)
        _ = try library.addTracks([try place.sound("abcd.m4a")], to: film.id)
        #expect(
            failure { () throws(LibraryError) in try library.removeTrack("bc", of: film.id) }
                == .severalTracks(query: "bc", labels: ["abc", "abcd"]))
    }

    // MARK: Subtitles

    @Test("other cues come with a new revision and digest; position and tracks stay, the old file goes")
    func replaceSubtitles() throws {
        let session = try library.replaceSubtitles(of: film.id, by: try place.cues("d2", "new.srt"), checkedBy: .fake)
        #expect(session.revision == 2)
        #expect(session.cueDigest == "d2")
        #expect(session.position == 12.5)
        #expect(session.tracks == film.tracks)
        #expect(session.subtitlePath?.hasSuffix("-new.srt") == true)
        #expect(film.subtitlePath.map(Files.exists) == false)
        #expect(try place.looseFiles() == [])
    }

    @Test("the same cues in another file keep revision and digest")
    func sameCues() throws {
        let session = try library.replaceSubtitles(
            of: film.id, by: try place.cues("d1", "other.srt", "more"), checkedBy: .fake)
        #expect(session.revision == 1)
        #expect(session.subtitlePath?.hasSuffix("-other.srt") == true)
        #expect(session.subtitlePath.map(Files.exists) == true)
    }

    @Test("a file without cues replaces nothing")
    func badSubtitles() throws {
        let path = try place.file("bad.srt", "nothing")
        let error = failure { () throws(LibraryError) in
            try library.replaceSubtitles(of: film.id, by: path, checkedBy: .fake)
        }
        #expect(error == .unfitFile(path: path, reason: "gives no subtitles"))
        #expect(try now().subtitlePath == film.subtitlePath)
        #expect(film.subtitlePath.map(Files.exists) == true)
    }

    // MARK: Sessions in place

    @Test("the default that was set stays when the same files are played again")
    func defaultInPlace() throws {
        func play() throws -> StoredSession { try library.openFilm("Mine") }
        let session = try play()
        #expect(session.tracks.map(\.isDefault) == [true, false])
        _ = try library.setDefault("B", of: session.id)
        #expect(try play().tracks.map(\.isDefault) == [false, true])
        let added = try library.addTracks([try place.sound("c.m4a")], to: session.id)
        _ = try library.setDefault("c", of: added.id)
        #expect(try play().tracks.map(\.isDefault) == [false, false, true])
    }

    @Test("a track added to files that lie where they are is copied, and stays when these are played again")
    func addTrackInPlace() throws {
        func play() throws -> StoredSession {
            try library.openInPlace(
                title: nil, tracks: [("Mine", try place.sound("mine.m4a"))],
                subtitlePath: try place.cues("d", "mine.srt"), cueDigest: "d")
        }
        let session = try play()
        let added = try library.addTracks([try place.sound("c.m4a")], to: session.id)
        #expect(added.tracks.map(\.label) == ["Mine", "c"])
        #expect(try play().tracks == added.tracks)
        let replaced = try library.replaceSubtitles(of: session.id, by: try place.cues("d2", "x.srt"), checkedBy: .fake)
        #expect(replaced.revision == 2)
        let again = try play()
        #expect(again.revision == 3)
        #expect(again.subtitlePath == place.directory + "/mine.srt")
    }

    // MARK: Safety

    @Test("what a forged library calls loose is removed only within its own folder")
    func forged() throws {
        let mine = try place.file("mine", "precious")
        let other = try place.otherConnection()
        for path in ["../mine", mine, "sessions/../../mine", "sessions", "library.sqlite", "sessions/", "sessions/.."] {
            try other.run("INSERT INTO loose_file VALUES (?, 'leaving')", [.text(path)])
        }
        try Files.makeDirectory(place.data + "/sessions/debris/deep")
        try other.run("INSERT INTO loose_file VALUES ('sessions/debris', 'leaving')")
        let again = try place.open()
        #expect(Files.exists(mine))
        #expect(try again.list().map(\.id) == [film.id])
        #expect(film.tracks.map(\.path).allSatisfy(Files.exists))
        #expect(!Files.exists(place.data + "/sessions/debris"))
        #expect(try place.looseFiles() == [])
    }

    @Test("while another program holds the lock, nothing is changed and it is said")
    func locked() throws {
        let other = try place.otherConnection()
        try other.execute("BEGIN IMMEDIATE")
        let error = failure { () throws(LibraryError) in try library.delete(film.id) }
        #expect(error == .locked(path: place.database))
        #expect(film.tracks.map(\.path).allSatisfy(Files.exists))
        #expect(try library.list().count == 1, "reading waits for no writer")
        try other.execute("COMMIT")
    }
}

@Suite("Following a session that others change", .timeLimit(.minutes(1))) struct FollowingTests {
    private final class Seen: Sendable {
        private let changes = Guarded<[StoredSession?]>([])

        func add(_ session: StoredSession?) { changes.withLock { $0.append(session) } }
        var all: [StoredSession?] { changes.withLock { $0 } }

        /// Waits for that many.
        func wait(for count: Int, within seconds: Double = 10) -> [StoredSession?] {
            let end = ContinuousClock.now + .seconds(seconds)
            while all.count < count, ContinuousClock.now < end { usleep(5_000) }
            return all
        }
    }

    @Test("title, tracks, cues and the end are told within about a second, positions never")
    func changes() throws {
        let place = try TemporaryLibrary()
        let host = try place.open()
        let film = try place.withFilm(host)
        let seen = Seen()
        host.follow(film) { seen.add($0) }
        let other = try place.open()
        other.save(ListeningState(sessionID: film.id, position: 7, activeTrackID: film.tracks[1].id))
        other.flush(within: 5)
        let asked = ContinuousClock.now
        let renamed = try other.rename(film.id, to: "New")
        #expect(seen.wait(for: 1) == [renamed])
        #expect(asked.duration(to: .now) < .seconds(2))
        _ = try other.replaceSubtitles(of: film.id, by: try place.cues("d2"), checkedBy: .fake)
        #expect(seen.wait(for: 2).last??.cueDigest == "d2")
        _ = try other.removeTrack("b", of: film.id)
        #expect(seen.wait(for: 3).last??.tracks.map(\.label) == ["A"])
        _ = try place.withFilm(other, title: "Another")
        try other.delete(film.id)
        #expect(seen.wait(for: 4).last == .some(nil))
        #expect(seen.all.count == 4)
    }

    @Test("what happened between opening and following is told at once")
    func before() throws {
        let place = try TemporaryLibrary()
        let host = try place.open()
        let film = try place.withFilm(host)
        _ = try place.open().rename(film.id, to: "New")
        let seen = Seen()
        host.follow(film) { seen.add($0) }
        #expect(seen.wait(for: 1).last??.title == "New")
    }

    @Test("a lock of another program delays it, and saving stays as quick")
    func locked() throws {
        let place = try TemporaryLibrary()
        let host = try place.open()
        let film = try place.withFilm(host)
        let seen = Seen()
        host.follow(film) { seen.add($0) }
        let other = try place.otherConnection()
        try other.execute("BEGIN IMMEDIATE; UPDATE session SET title = 'New'")
        let started = ContinuousClock.now
        for step in 1...100 {
            host.save(ListeningState(sessionID: film.id, position: Double(step), activeTrackID: film.tracks[0].id))
        }
        #expect(started.duration(to: .now) < .milliseconds(200))
        try other.execute("COMMIT")
        #expect(seen.wait(for: 1).last??.title == "New")
    }
}
