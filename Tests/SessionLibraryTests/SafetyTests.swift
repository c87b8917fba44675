import Foundation
import LinuxSystem
import Playback
import SessionLibrary
import Testing

@Suite("What is not the library's own stays as it is") struct SafetyTests {
    private let place: TemporaryLibrary

    init() throws {
        place = try TemporaryLibrary()
    }

    /// Every file below a folder, with its content and the time of its last change.
    private func everything(in folder: String) throws -> [String: String] {
        var all: [String: String] = [:]
        for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            let path = folder + "/" + name
            let content = (try? Data(contentsOf: URL(fileURLWithPath: path)))?.base64EncodedString() ?? ""
            all[name] = "\(Files.modified(path)) \(content)"
        }
        return all
    }

    // MARK: Other libraries

    @Test("of another library that is looked into nothing is touched, whatever it says")
    func readOnly() throws {
        let other = try TemporaryLibrary()
        let film: StoredSession
        do {
            let library = try other.open()
            film = try other.withFilm(library)
        }
        try Files.makeDirectory(place.directory + "/victim")
        try place.file("victim/precious", "mine")
        let id = UUID().uuidString
        #expect(symlink(place.directory + "/victim", other.data + "/sessions/" + id) == 0)
        do {
            let connection = try other.otherConnection()
            for path in ["sessions/\(id)/precious", "sessions/" + film.id] {
                try connection.run("INSERT INTO loose_file VALUES (?, 'leaving')", [.text(path)])
            }
        }
        let before = try everything(in: other.data)
        let films = try SessionLibrary.sessions(ofLibraryAt: other.data)
        #expect(films == [film])
        #expect(try everything(in: other.data) == before)
        #expect(Files.exists(place.directory + "/victim/precious"))
    }

    @Test("of another library that is in use, what is in its journal is seen too")
    func inUse() throws {
        let other = try TemporaryLibrary()
        let library = try other.open()
        let film = try other.withFilm(library)
        #expect(try SessionLibrary.sessions(ofLibraryAt: other.data) == [film])
        let renamed = try library.rename(film.id, to: "Renamed")
        #expect(try SessionLibrary.sessions(ofLibraryAt: other.data) == [renamed])
    }

    @Test("another library of which only the backup is left can be looked into, and stays so")
    func onlyBackup() throws {
        let other = try TemporaryLibrary()
        do {
            let library = try other.open()
            _ = try other.withFilm(library)
        }
        Files.remove(other.database)
        #expect(try SessionLibrary.sessions(ofLibraryAt: other.data).map(\.title) == ["Film"])
        #expect(!Files.exists(other.database))
    }

    // MARK: Links

    @Test("a link in place of any folder leads no removal elsewhere", arguments: ["sessions", "sessions/ID"])
    func links(part: String) throws {
        let film: StoredSession
        do {
            let library = try place.open()
            film = try place.withFilm(library)
        }
        let folder = place.data + "/" + part.replacing("ID", with: film.id)
        try FileManager.default.moveItem(atPath: folder, toPath: place.directory + "/victim")
        #expect(symlink(place.directory + "/victim", folder) == 0)
        let before = try everything(in: place.directory + "/victim")
        let library = try place.open()
        _ = try library.removeTrack("A", of: film.id)
        #expect(try everything(in: place.directory + "/victim") == before)
        try library.delete(film.id)
        #expect(try everything(in: place.directory + "/victim") == before)
    }

    @Test("what a session has is not removed, whatever is noted about it")
    func used() throws {
        let library = try place.open()
        let film = try place.withFilm(library)
        do {
            let connection = try place.otherConnection()
            for path in ["sessions/" + film.id, String(film.tracks[0].path.dropFirst(place.data.count + 1))] {
                try connection.run("INSERT INTO loose_file VALUES (?, 'leaving')", [.text(path)])
            }
        }
        _ = try place.open()
        #expect(film.tracks.map(\.path).allSatisfy(Files.exists))
    }

    // MARK: Films played from another one's copies

    @Test("a film played from another one's copies never takes these for its own")
    func borrowed() throws {
        let library = try place.open()
        let film = try place.withFilm(library)
        let subtitles = try #require(film.subtitlePath)
        let files = film.tracks.map(\.path) + [subtitles]
        let borrower = try library.openInPlace(
            title: "Borrower", tracks: film.tracks.map { ($0.label, $0.path) }, subtitlePath: subtitles,
            cueDigest: "d1")
        _ = try library.removeTrack("A", of: borrower.id)
        #expect(files.allSatisfy(Files.exists))
        _ = try library.replaceSubtitles(of: borrower.id, by: try place.cues("d2", "new.srt"), checkedBy: .fake)
        #expect(files.allSatisfy(Files.exists))
        let target = place.directory + "/copy"
        try library.backUp(to: target) { _, _ in }
        #expect(try SessionLibrary.sessions(ofLibraryAt: target).count == 2)
        try library.delete(borrower.id)
        #expect(files.allSatisfy(Files.exists))
        #expect(try library.list().map(\.id) == [film.id])
    }

    @Test("a film's copies stay for as long as another one is played from them")
    func lent() throws {
        let library = try place.open()
        let film = try place.withFilm(library)
        let borrower = try library.openInPlace(
            title: "Borrower", tracks: [("A", film.tracks[0].path)], subtitlePath: film.subtitlePath, cueDigest: "d1")
        try library.delete(film.id)
        #expect(Files.exists(film.tracks[0].path))
        try library.delete(borrower.id)
        #expect(place.stored == [])
    }

    // MARK: Copying the library

    @Test("a folder with the name of an unfinished copy is nobody's to empty")
    func namedPart() throws {
        let library = try place.open()
        _ = try place.withFilm(library)
        let target = place.directory + "/copy"
        try Files.makeDirectory(target + ".part")
        try place.file("copy.part/precious", "mine")
        try library.backUp(to: target) { _, _ in }
        #expect(Files.exists(target + ".part/precious"))
        let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
        #expect(names.filter { $0.hasPrefix("copy") }.sorted() == ["copy", "copy.part"])
    }

    @Test("an empty folder is filled; one with something in it, a file or a link is left alone")
    func targets() throws {
        let library = try place.open()
        _ = try place.withFilm(library)
        let (empty, full, link) = (place.directory + "/e", place.directory + "/f", place.directory + "/l")
        try Files.makeDirectory(empty)
        try Files.makeDirectory(full)
        let file = try place.file("f/precious", "mine")
        #expect(symlink(empty, link) == 0)
        for target in [full, file, link] {
            let error = failure { () throws(LibraryError) in try library.backUp(to: target) { _, _ in } }
            #expect(error?.reason.contains("there is something of that name") == true)
        }
        #expect(Files.exists(file))
        try library.backUp(to: empty) { _, _ in }
        #expect(try SessionLibrary.sessions(ofLibraryAt: empty).count == 1)
    }
}

@Suite("Libraries whose database is gone") struct LossTests {
    private let place: TemporaryLibrary
    private let film: StoredSession

    init() throws {
        place = try TemporaryLibrary()
        let library = try place.open()
        film = try place.withFilm(library)
    }

    private var backup: String { place.data + "/library.backup" }

    enum Loss: CaseIterable { case empty, missing, withoutTables, withoutOneTable }

    private func lose(_ loss: Loss) throws {
        for end in ["-wal", "-shm"] { Files.remove(place.database + end) }
        switch loss {
        case .empty: try #require(truncate(place.database, 0) == 0)
        case .missing: Files.remove(place.database)
        case .withoutTables:
            Files.remove(place.database)
            try place.otherConnection().execute("PRAGMA journal_mode = WAL")
        case .withoutOneTable: try place.otherConnection().execute("DROP TABLE track")
        }
    }

    @Test("are mended from the backup, and it is told", arguments: Loss.allCases)
    func mended(loss: Loss) throws {
        try lose(loss)
        let library = try place.open()
        let repair = try #require(library.repair)
        #expect(repair.keptSessions == 1)
        #expect(repair.sentence.contains("1 session was kept"))
        #expect((repair.copy == nil) == (loss == .missing))
        #expect(try library.list() == [film])
        #expect(film.tracks.map(\.path).allSatisfy(Files.exists))
        #expect(try place.open().repair == nil)
    }

    @Test("and the backup with it: it is told, and the films' files stay")
    func noBackup() throws {
        try lose(.missing)
        Files.remove(backup)
        let library = try place.open()
        #expect(library.repair?.keptSessions == 0)
        #expect(film.tracks.map(\.path).allSatisfy(Files.exists))
    }

    @Test("a backup is kept when the next would have fewer sessions, though none was deleted")
    func olderBackup() throws {
        try place.otherConnection().execute("DELETE FROM session")
        _ = try place.open().openFilm("Other")
        #expect(try Connection(path: backup, busySeconds: 0).integer("SELECT count(*) FROM session") == 1)
        _ = try place.open().openFilm("Third")
        try place.otherConnection().execute("DELETE FROM session")
        _ = try place.open().rename(try place.open().openFilm("Fourth").id, to: "Fifth")
        let older = try Connection(path: backup + ".old", busySeconds: 0)
        #expect(try older.integer("SELECT count(*) FROM session") == 2)
    }

    @Test("a deleted film is gone from the backup too")
    func deleted() throws {
        try place.open().delete(film.id)
        #expect(!Files.exists(backup + ".old"))
        try lose(.empty)
        #expect(try place.open().list() == [])
    }

    @Test("what was to be removed before a repair is removed after it")
    func orphans() throws {
        let debris = place.data + "/sessions/" + UUID().uuidString
        try Files.makeDirectory(debris)
        do {
            let connection = try place.otherConnection()
            let stored = String(debris.dropFirst(place.data.count + 1))
            try connection.run("INSERT INTO loose_file VALUES (?, 'arriving')", [.text(stored)])
            try connection.execute("DROP TABLE track")
        }
        let library = try place.open()
        #expect(library.repair != nil)
        #expect(!Files.exists(debris))
        #expect(try library.list() == [film])
    }
}
