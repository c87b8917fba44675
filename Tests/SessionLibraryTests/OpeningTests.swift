import Foundation
import Playback
import SessionLibrary
import Testing

@Suite("Sessions made of files where they lie") struct OpeningInPlace {
    @Test func aNewSession() throws {
        let library = try TemporaryLibrary().open()
        let session = try library.openFilm()
        #expect(session.title == "Film")
        #expect(session.tracks.map(\.label) == ["A", "B"])
        #expect(session.tracks.map(\.path) == ["/films/Film/a.m4a", "/films/Film/b.m4a"])
        #expect(session.subtitlePath == "/films/Film/film.srt")
        #expect(session.revision == 1)
        #expect(session.position == 0)
        #expect(session.activeTrackID == nil)
        #expect(UUID(uuidString: session.id) != nil)
        #expect(Set(session.tracks.map(\.id)).count == 2)
    }

    @Test func theSameFilesGoOnAfterARestart() throws {
        let place = try TemporaryLibrary()
        let first = try place.open().openFilm()
        do {
            let library = try place.open()
            library.save(ListeningState(sessionID: first.id, position: 61.5, activeTrackID: first.tracks[1].id))
        }
        let again = try place.open().openFilm()
        #expect(again.id == first.id)
        #expect(again.tracks == first.tracks)
        #expect(again.position == 61.5)
        #expect(again.activeTrackID == first.tracks[1].id)
    }

    @Test func titleLabelsAndOrderFollowTheLatestCall() throws {
        let library = try TemporaryLibrary().open()
        let first = try library.openFilm()
        let again = try library.openInPlace(
            title: "Other", tracks: [("Bee", first.tracks[1].path), ("Ay", first.tracks[0].path)],
            subtitlePath: first.subtitlePath, cueDigest: "d1")
        #expect(again.id == first.id)
        #expect(again.title == "Other")
        #expect(again.tracks.map(\.label) == ["Bee", "Ay"])
        #expect(again.tracks.map(\.id) == first.tracks.map(\.id).reversed())
        #expect(try library.list() == [again])
    }

    @Test func otherFilesAreAnotherSession() throws {
        let library = try TemporaryLibrary().open()
        let ids = try [["a"], ["b"], ["a", "b"], ["a", "b", "c"]].map { try library.openFilm(tracks: $0).id }
        #expect(Set(ids).count == 4)
    }

    @Test func theRevisionGrowsOnlyWithTheCues() throws {
        let library = try TemporaryLibrary().open()
        let revisions = try ["d1", "d1", "d2", "d2", "d1"].map { try library.openFilm(digest: $0).revision }
        #expect(revisions == [1, 1, 2, 2, 3])
        #expect(try library.list().map(\.cueDigest) == ["d1"])
    }

    @Test func aFileGivenTwiceIsOneTrack() throws {
        let place = try TemporaryLibrary()
        let file = place.directory + "/a.m4a"
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        try FileManager.default.createSymbolicLink(atPath: place.directory + "/link.m4a", withDestinationPath: file)
        let session = try place.open().openInPlace(
            title: "T",
            tracks: [
                ("A", file), ("B", place.directory + "/../\(place.directory.dropFirst(5))/a.m4a"),
                ("C", place.directory + "/link.m4a"),
            ],
            subtitlePath: nil, cueDigest: "")
        #expect(session.tracks.map(\.label) == ["A"])
        #expect(session.subtitlePath == nil)
    }

    @Test func namesOfAnyScriptAndQuotesComeBack() throws {
        let library = try TemporaryLibrary().open()
        let title = "O'Brien \"x\"; DROP TABLE session; -- Цирк \u{0} 🎬"
        #expect(try library.openFilm(title).title == title)
        #expect(try library.list().map(\.title) == [title])
    }
}

@Suite("Finding a stored session") struct Finding {
    private func library() throws -> SessionLibrary {
        let library = try TemporaryLibrary().open()
        for title in ["Das Boot", "Der Himmel", "Boot Hill", "Amélie"] { _ = try library.openFilm(title) }
        return library
    }

    @Test(arguments: ["Das Boot", "das b", "DAS", "s boo"])
    func byPartOfTheTitle(_ query: String) throws {
        #expect(try library().find(query).title == "Das Boot")
    }

    @Test func titlesInOtherCapitals() throws {
        #expect(try library().find("AMÉLIE").title == "Amélie")
    }

    @Test func byIDAndItsBeginning() throws {
        let library = try library()
        for session in try library.list() {
            #expect(try library.find(session.id) == session)
            #expect(try library.find(session.id.lowercased()) == session)
            #expect(try library.find(String(session.id.prefix(13))) == session)
        }
    }

    @Test func aWholeTitleWinsOverAPart() throws {
        let library = try library()
        _ = try library.openFilm("Boot")
        #expect(try library.find("boot").title == "Boot")
    }

    @Test func severalAreListed() throws {
        let library = try library()
        let error = failure { () throws(LibraryError) in try library.find("boot") }
        let titles = try library.list().map { "\($0.title) (\($0.id.prefix(8)))" }.filter { $0.contains("Boot") }
        #expect(error == .severalSessions(query: "boot", titles: titles))
        #expect(error?.reason.hasSuffix("; give the id") == true)
    }

    @Test(arguments: ["", "Solaris"])
    func none(_ query: String) throws {
        let library = try library()
        #expect(failure { () throws(LibraryError) in try library.find(query) } == .noSession(query: query))
    }

    @Test func theListBeginsWithTheLastOpened() throws {
        let library = try library()
        #expect(try library.list().map(\.title) == ["Amélie", "Boot Hill", "Der Himmel", "Das Boot"])
    }

    @Test func changedCuesOfAStoredSession() throws {
        let library = try library()
        let session = try library.find("himmel")
        #expect(try library.updateCues(sessionID: session.id, digest: "d1") == 1)
        #expect(try library.updateCues(sessionID: session.id, digest: "d2") == 2)
        #expect(try library.find("himmel").cueDigest == "d2")
        #expect(try library.find("himmel").tracks == session.tracks)
        #expect(
            failure { () throws(LibraryError) in try library.updateCues(sessionID: "x", digest: "") }
                == .noSession(query: "x"))
    }
}
