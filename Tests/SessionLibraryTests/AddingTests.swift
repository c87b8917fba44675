import Foundation
import LinuxSystem
import Playback
import SessionLibrary
import Testing

@Suite("Sessions made of copies") struct AddingTests {
    private let place: TemporaryLibrary
    private let library: SessionLibrary

    init() throws {
        place = try TemporaryLibrary()
        library = try place.open()
    }

    private func expectNothing() throws {
        #expect(try library.list() == [])
        #expect(place.stored == [])
        #expect(try place.looseFiles() == [])
    }

    @Test("two tracks of one label, in upper case or lower, are refused before anything is copied")
    func repeatedLabel() throws {
        let tracks = try ["a.m4a", "b.m4a"].map {
            NewTrack(path: try place.sound($0), label: $0 == "a.m4a" ? "Dub" : "dub")
        }
        let new = NewSession(title: "T", tracks: tracks, subtitles: try place.cues("d"))
        let error = failure { () throws(LibraryError) in try library.add(new, checkedBy: .fake) }
        #expect(error == .repeatedLabel("dub"))
        #expect(error?.reason.contains("--audio FILE=LABEL") == true)
        #expect(place.stored == [])
    }

    @Test("have their files in the library, independent of where these came from")
    func copies() throws {
        let session = try place.withFilm(library)
        #expect(session.title == "Film")
        #expect(session.tracks.map(\.label) == ["A", "b"])
        #expect(session.tracks.map(\.isDefault) == [true, false])
        #expect(session.isImported)
        #expect(session.revision == 1)
        #expect(session.cueDigest == "d1")
        let folder = place.data + "/sessions/" + session.id
        #expect(
            session.tracks.map(\.path)
                == [("a", 0), ("b", 1)].map { "\(folder)/track-\(session.tracks[$1].id)-\($0).m4a" })
        for name in ["a.m4a", "b.m4a", "film.srt"] { Files.remove(place.directory + "/" + name) }
        let again = try place.open()
        #expect(try again.list() == [session])
        for track in session.tracks { #expect(Files.exists(track.path)) }
        #expect(session.subtitlePath.map(Files.exists) == true)
        #expect(place.stored.count == 4)
        #expect(try place.looseFiles() == [])
    }

    @Test("know size, sum and length of their tracks")
    func known() throws {
        let copy = try #require(try place.withFilm(library).tracks[0].copy)
        #expect(copy.byteCount == "sound a.m4a ".utf8.count)
        #expect(copy.sha256.count == 64)
        #expect(copy.duration == 60)
    }

    @Test("a file given twice, also by a link or another way, is one track; a copy of it is another")
    func twice() throws {
        let path = try place.sound("a.m4a")
        let link = place.directory + "/link.m4a"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: place.directory + "/hard.m4a")
        try FileManager.default.copyItem(atPath: path, toPath: place.directory + "/copy.m4a")
        let paths = [
            path, place.directory + "/./a.m4a", link, place.directory + "/hard.m4a", place.directory + "/copy.m4a",
        ]
        let session = try library.add(
            NewSession(title: "T", tracks: paths.map { .init(path: $0, label: nil) }, subtitles: try place.cues("d")),
            checkedBy: .fake)
        #expect(session.tracks.map(\.label) == ["a", "copy"])
        let first = try FileManager.default.attributesOfItem(atPath: session.tracks[0].path)
        #expect(first[.type] as? FileAttributeType == .typeRegular)
    }

    @Test(
        "one file that is not what it should be, and nothing is added",
        arguments: ["missing.m4a", "text.m4a", "folder", "pipe", "film.srt"])
    func unfit(name: String) throws {
        let good = try place.sound("a.m4a")
        let cues = try place.cues("d")
        try place.file("text.m4a", "text")
        try Files.makeDirectory(place.directory + "/folder")
        #expect(mkfifo(place.directory + "/pipe", 0o600) == 0)
        let path = place.directory + "/" + name
        let asTrack = failure { () throws(LibraryError) in
            try library.add(
                NewSession(
                    title: "T", tracks: [.init(path: good, label: nil), .init(path: path, label: nil)], subtitles: cues),
                checkedBy: .fake)
        }
        guard case .unfitFile(path, _) = asTrack else { return #expect(Bool(false), "\(String(describing: asTrack))") }
        try expectNothing()
        if name == "film.srt" { return }
        let asSubtitles = failure { () throws(LibraryError) in
            try library.add(
                NewSession(title: "T", tracks: [.init(path: good, label: nil)], subtitles: path), checkedBy: .fake)
        }
        guard case .unfitFile(path, _) = asSubtitles else {
            return #expect(Bool(false), "\(String(describing: asSubtitles))")
        }
        try expectNothing()
    }

    @Test("a copy that turns out bad is told by the name of its original, and nothing stays")
    func badCopy() throws {
        let data = place.data
        let check = MediaCheck(cueDigest: MediaCheck.fake.cueDigest) { path throws(MediaCheck.Fault) in
            if path.hasPrefix(data) { throw MediaCheck.Fault("spoilt") }
            return 1
        }
        let path = try place.sound("a.m4a")
        let error = failure { () throws(LibraryError) in
            try library.add(
                NewSession(title: "T", tracks: [.init(path: path, label: nil)], subtitles: try! place.cues("d")),
                checkedBy: check)
        }
        #expect(error == .unfitFile(path: path, reason: "spoilt"))
        try expectNothing()
    }

    @Test("more than the disk holds is refused before anything is copied")
    func room() throws {
        let path = place.directory + "/huge.m4a"
        try place.file("huge.m4a", "sound")
        #expect(truncate(path, off_t(1) << 46) == 0 || truncate(path, off_t(1) << 43) == 0)
        let check = MediaCheck(cueDigest: MediaCheck.fake.cueDigest) { _ throws(MediaCheck.Fault) in 1 }
        let cues = try place.cues("d")
        let error = failure { () throws(LibraryError) in
            try library.add(
                NewSession(title: "T", tracks: [.init(path: path, label: nil)], subtitles: cues), checkedBy: check)
        }
        guard case .full = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(error?.reason.contains("no room") == true)
        try expectNothing()
    }

    @Test("progress grows to the whole, and only that")
    func progress() throws {
        var seen: [Int] = []
        var totals: Set<Int> = []
        let long = String(repeating: "x", count: 3 << 20)
        let session = try library.add(
            NewSession(
                title: nil, tracks: [.init(path: try place.sound("long film.m4a", long), label: nil)],
                subtitles: try place.cues("d")), checkedBy: .fake
        ) { done, total in
            seen.append(done)
            totals.insert(total)
        }
        #expect(session.title == "long film")
        #expect(seen == seen.sorted())
        #expect(totals.count == 1)
        #expect(seen.last == totals.first)
    }

    @Test("killed at any point of the copying, nothing of it is there the next time", arguments: 0..<6)
    func killed(piece: Int) async throws {
        let directory: String = place.data
        let track: String = try place.sound("long.m4a", String(repeating: "x", count: 5 << 20))
        let cues: String = try place.cues("d")
        let kept = try place.withFilm(library, title: "Kept")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, track = track as String, cues = cues as String, piece = piece as Int] in
            var count = 0
            let library = try SessionLibrary(directory: directory)
            let new = NewSession(title: "T", tracks: [.init(path: track, label: nil)], subtitles: cues)
            _ = try library.add(
                new,
                checkedBy: MediaCheck(
                    cueDigest: { _ throws(MediaCheck.Fault) in "d" }, duration: { _ throws(MediaCheck.Fault) in 1 })
            ) { _, _ in
                count += 1
                if count > piece { kill(getpid(), SIGKILL) }
            }
        }
        // Whoever opens it next tidies up; not even the library that is open here holds it back.
        let again = try place.open()
        #expect(try again.list() == [kept])
        #expect(place.stored.filter { !$0.contains(kept.id) } == [])
        #expect(try place.looseFiles() == [])
    }

    @Test("files that another program is copying in are left alone")
    func othersArrivals() throws {
        let path = try place.sound("a.m4a")
        let cues = try place.cues("d")
        var isTidied = false
        let session = try library.add(
            NewSession(title: "T", tracks: [.init(path: path, label: nil)], subtitles: cues), checkedBy: .fake
        ) { [place] _, _ in
            if isTidied { return }
            isTidied = true
            _ = try? place.open()
        }
        #expect(isTidied)
        for track in session.tracks { #expect(Files.exists(track.path)) }
        #expect(try place.open().list() == [session])
    }
}

@Suite("Names, whatever they are") struct NameTests {
    private func add(_ name: String, in place: TemporaryLibrary) throws -> StoredSession {
        let library = try place.open()
        let path = place.directory + "/" + name
        try Files.makeDirectory(place.directory)
        let raw = open(NativePath.bytes(of: path), O_WRONLY | O_CREAT, 0o600)
        try #require(raw >= 0)
        _ = write(raw, "sound", 5)
        close(raw)
        let session = try library.add(
            NewSession(title: nil, tracks: [.init(path: path, label: nil)], subtitles: try place.cues("d")),
            checkedBy: .fake)
        #expect(try place.open().list() == [session])
        #expect(Files.exists(session.tracks[0].path))
        return session
    }

    private func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    @Test(
        "stay as they are where they can",
        arguments: [
            "caf\u{E9}.m4a", "cafe\u{301}.m4a", "🎬 👨‍👩‍👧.m4a", "Фильм.m4a", "فیلم‌ها.m4a", "-rf.m4a", "a=b;c'd\".m4a",
            ".hidden",
        ])
    func kept(name: String) throws {
        let session = try add(name, in: TemporaryLibrary())
        // Byte for byte: the two ways to write an accent are two names.
        #expect(session.tracks[0].path.utf8.suffix(name.utf8.count).elementsEqual(name.utf8))
        #expect(!session.title.isEmpty)
    }

    @Test("with control characters, or directions that would turn others round, lose only these")
    func controls() throws {
        let session = try add("a\u{1B}[2J\nb\u{202E}c.m4a", in: TemporaryLibrary())
        #expect(last(session.tracks[0].path).hasSuffix("-a [2J b c.m4a"))
        #expect(session.title == "a [2J b c")
    }

    @Test("that are not UTF-8 are found, and shown with a mark")
    func notUTF8() throws {
        let name = NativePath.text(of: Array("caf".utf8) + [0xE9, 0xFF] + Array(".m4a".utf8))
        let session = try add(name, in: TemporaryLibrary())
        #expect(session.title == "caf\u{FFFD}\u{FFFD}")
        #expect(last(session.tracks[0].path).hasSuffix("-caf\u{FFFD}\u{FFFD}.m4a"))
    }

    @Test("of 255 bytes are cut in the middle of no character, and keep their ending", arguments: ["x", "ж", "🎬"])
    func long(letter: String) throws {
        let stem = String(repeating: letter, count: (255 - 4) / letter.utf8.count)
        let session = try add(stem + ".m4a", in: TemporaryLibrary())
        let name = last(session.tracks[0].path)
        #expect(name.utf8.count <= 255)
        #expect(name.utf8.count > 248)
        #expect(name.hasSuffix(letter + ".m4a"))
    }

    @Test("of sessions: what shows nothing is refused, what would harm is taken out")
    func titles() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        let session = try place.withFilm(library, title: " \u{7}O'Brien\n\"; DROP TABLE session; -- 🎬 ")
        #expect(session.title == "O'Brien \"; DROP TABLE session; -- 🎬")
        for title in ["", "  ", "\u{1B}"] {
            let error = failure { () throws(LibraryError) in try library.rename(session.id, to: title) }
            guard case .refused = error else { return #expect(Bool(false)) }
        }
        #expect(try library.rename(session.id, to: "Ame\u{301}lie").title == "Ame\u{301}lie")
        #expect(try library.find("Am\u{E9}l").id == session.id, "both ways to write an accent are found")
    }
}
