import Foundation
import LinuxSystem
import Playback
import SessionLibrary
import Testing
import WireProtocol

@Suite("Session files") struct SessionFileTests {
    private let place: TemporaryLibrary
    private let library: SessionLibrary

    init() throws {
        place = try TemporaryLibrary()
        library = try place.open()
    }

    private var file: String { place.directory + "/film.allspeak" }

    @Test("what was exported comes back in another library, file by file")
    func thereAndBack() throws {
        let film = try place.withFilm(library, title: "Der Himmel über Berlin 🎬")
        _ = try library.setDefault("b", of: film.id)
        library.save(ListeningState(sessionID: film.id, position: 77, activeTrackID: film.tracks[0].id))
        library.flush(within: 5)
        var steps: [Int] = []
        try library.export(library.find("himmel"), to: file) { done, _ in steps.append(done) }
        #expect(steps == steps.sorted() && !steps.isEmpty)
        let friend = try TemporaryLibrary()
        let there = try friend.open()
        let copy = try there.importSession(from: file)
        #expect(copy.title == film.title)
        #expect(copy.tracks.map(\.label) == film.tracks.map(\.label))
        #expect(copy.tracks.map(\.isDefault) == [false, true])
        #expect(copy.position == 0, "where I was is nobody's business")
        #expect(copy.cueDigest == "d1")
        #expect(copy.id != film.id)
        for (mine, theirs) in zip(film.tracks, copy.tracks) {
            #expect(try Files.read(mine.path, maximumBytes: 1_000) == Files.read(theirs.path, maximumBytes: 1_000))
            #expect(mine.copy == theirs.copy)
            #expect(mine.path.split(separator: "-").last == theirs.path.split(separator: "-").last)
        }
        #expect(try there.list() == [copy])
        #expect(try friend.looseFiles() == [])
    }

    @Test("any tar reads them")
    func anyTar() throws {
        try library.export(try place.withFilm(library), to: file) { _, _ in }
        let bytes = try Files.read(file, maximumBytes: 1 << 20)
        #expect(String(decoding: bytes.prefix(13), as: UTF8.self) == "manifest.json")
        #expect(String(decoding: bytes[257..<262], as: UTF8.self) == "ustar")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test("films whose files lie where they are can be given away too")
    func inPlace() throws {
        let session = try library.openInPlace(
            title: "T", tracks: [("A", try place.sound("a.m4a"))], subtitlePath: try place.cues("d"), cueDigest: "d")
        try library.export(session, to: file) { _, _ in }
        #expect(try library.importSession(from: file).tracks.map(\.label) == ["A"])
    }

    @Test("a file that is there already is not replaced, and one that cannot be written is not begun")
    func unwritable() throws {
        let film = try place.withFilm(library)
        try place.file("film.allspeak", "precious")
        for path in [file, place.directory + "/none/film.allspeak"] {
            let error = failure { () throws(LibraryError) in try library.export(film, to: path) { _, _ in } }
            guard case .unwritable(path, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        }
        #expect(try Files.read(file, maximumBytes: 100) == Array("precious".utf8))
    }

    @Test("a film whose file has changed on the disk is not exported")
    func changed() throws {
        let film = try place.withFilm(library)
        try Files.replace(film.tracks[1].path, with: Array("sound b.m4a!".utf8))
        let error = failure { () throws(LibraryError) in try library.export(film, to: file) { _, _ in } }
        #expect(error == .unfitFile(path: film.tracks[1].path, reason: "its content is not what it was"))
        #expect(!Files.exists(file))
    }

    @Test("killed while exporting, no file is there")
    func killed() async throws {
        let directory: String = place.data
        let target: String = file
        let long = String(repeating: "x", count: 3 << 20)
        _ = try library.add(
            NewSession(
                title: "T", tracks: [.init(path: try place.sound("a.m4a", long), label: nil)],
                subtitles: try place.cues("d")),
            checkedBy: .fake)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, target = target as String] in
            let library = try SessionLibrary(directory: directory)
            try library.export(library.find("T"), to: target) { done, _ in
                if done > 1 << 20 { kill(getpid(), SIGKILL) }
            }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.directory).filter { $0.contains("allspeak") }
                == [])
    }

    @Test("the whole library is copied as it is at that moment, and can be used as one")
    func backUp() throws {
        let film = try place.withFilm(library)
        let target = place.directory + "/copy"
        try library.backUp(to: target) { _, _ in }
        let copy = try SessionLibrary(directory: target)
        let there = try #require(try copy.list().first)
        #expect(there.id == film.id)
        for track in there.tracks {
            #expect(track.path.hasPrefix(target))
            #expect(Files.exists(track.path))
        }
        guard case .unwritable = failure({ () throws(LibraryError) in try library.backUp(to: target) { _, _ in } })
        else { return #expect(Bool(false)) }
        let again = try library.addCopy(of: there, checkedBy: .fake) { _, _ in }
        #expect(again.tracks.map(\.label) == film.tracks.map(\.label))
        #expect(again.tracks[0].path.hasSuffix("-a.m4a"))
    }

    @Test("a copy that fails leaves nothing under its name")
    func failedBackUp() throws {
        let film = try place.withFilm(library)
        Files.remove(film.tracks[0].path)
        let target = place.directory + "/copy"
        #expect(failure { () throws(LibraryError) in try library.backUp(to: target) { _, _ in } } != nil)
        #expect(!Files.exists(target))
        #expect(!Files.exists(target + ".part"))
    }
}

@Suite("Session files of people who mean harm") struct HostileFileTests {
    private let place: TemporaryLibrary
    private let library: SessionLibrary

    init() throws {
        place = try TemporaryLibrary()
        library = try place.open()
    }

    private static let cues = Array("cues d\n".utf8)
    private static let sound = Array("sound".utf8)

    private static func part(
        _ name: String, _ bytes: [UInt8], _ more: String = "", size: Int? = nil, sum: String? = nil
    ) -> String {
        #"{"file":"\#(name)","name":"\#(name)","bytes":\#(size ?? bytes.count),"sha256":"\#(sum ?? SHA256.hexadecimalDigest(of: bytes))"\#(more)}"#
    }

    private static func manifest(
        title: String = "T", subtitles: String = part("s.srt", cues),
        tracks: [String] = [part("t.m4a", sound, #","label":"L""#)],
        format: String = "allspeak-session", version: String = "1"
    ) -> [UInt8] {
        Array(
            #"{"format":"\#(format)","version":\#(version),"title":"\#(title)","subtitles":\#(subtitles),"tracks":[\#(tracks.joined(separator: ","))]}"#
                .utf8)
    }

    /// The reason for which a file of these bytes is refused; `nil` if it is taken in.
    private func refusal(_ bytes: [UInt8]) throws -> String? {
        let path = place.directory + "/film.allspeak"
        try Files.replace(path, with: bytes)
        let error = failure { () throws(LibraryError) in try library.importSession(from: path) }
        #expect(try error == nil || library.list().isEmpty)
        #expect(error == nil || place.stored.isEmpty)
        #expect(try place.looseFiles() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
        #expect(Set(names).isSubset(of: ["data", "film.allspeak"]), "\(names)")
        guard let error else { return nil }
        guard case .unfitFile(path, let reason) = error else { return "another error: \(error)" }
        return reason
    }

    private func refusal(_ manifest: [UInt8] = manifest(), _ fill: (inout Tar) -> Void) throws -> String? {
        var tar = Tar()
        tar.add("manifest.json", manifest)
        fill(&tar)
        tar.end()
        return try refusal(tar.bytes)
    }

    private static func addParts(_ tar: inout Tar) {
        tar.add("s.srt", cues)
        tar.add("t.m4a", sound)
    }

    @Test("the specification's example is a manifest of files that only have to come")
    func example() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Protocol/session-file.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let block = try #require(text.firstMatch(of: /```json manifest\n(.*?)```/.dotMatchesNewlines())).1
        let manifest = String(block).replacing("…", with: String(repeating: "0", count: 64))
            .replacing(/"bytes": [0-9]+/, with: #""bytes": 7"#)
        #expect(try refusal(Array(manifest.utf8)) { _ in } == "subtitles.srt is missing in it")
    }

    @Test("one that is as it should be is taken in")
    func good() throws {
        #expect(try refusal { Self.addParts(&$0) } == nil)
        let session = try #require(try library.list().first)
        #expect(session.tracks.map(\.label) == ["L"])
    }

    @Test(
        "names that lead elsewhere, or are no names of files",
        arguments: [
            "../t.m4a", "/tmp/t.m4a", "a/../../t", "..", ".t", "manifest.json", "", "a\\\\b", "t\\u0000.m4a", "é",
            "C:x", "a b",
        ])
    func names(name: String) throws {
        let manifest = Self.manifest(tracks: [Self.part(name, Self.sound, #","label":"L""#)])
        #expect(
            try refusal(manifest) { $0.add("s.srt", Self.cues) } == "its manifest names a file as no file may be named")
    }

    @Test(
        "entries that the manifest does not know",
        arguments: ["../evil", "/tmp/evil", "evil", "s.srt/../../evil", "t.m4a/"])
    func strangers(name: String) throws {
        let reason = try refusal {
            Self.addParts(&$0)
            $0.add(name, Self.sound)
        }
        #expect(
            reason?.contains("knows nothing") == true || reason?.contains("no plain file") == true, "\(reason ?? "")")
    }

    @Test("links, folders, devices and pipes", arguments: ["1", "2", "3", "4", "5", "6"])
    func types(type: String) throws {
        let reason = try refusal {
            $0.add("s.srt", Self.cues)
            $0.add("t.m4a", [], type: Character(type), link: "/etc/passwd")
        }
        #expect(reason?.contains("no plain file") == true, "\(reason ?? "taken in")")
    }

    @Test("one file twice, or missing")
    func count() throws {
        #expect(
            try refusal {
                Self.addParts(&$0); Self.addParts(&$0)
            } == "it holds s.srt twice")
        #expect(try refusal { $0.add("s.srt", Self.cues) } == "t.m4a is missing in it")
        #expect(try refusal { _ in } == "s.srt is missing in it")
        let twice = Self.manifest(tracks: [Self.part("s.srt", Self.cues, #","label":"L""#)])
        #expect(try refusal(twice) { Self.addParts(&$0) } == "its manifest names one file twice")
    }

    @Test("a wrong sum, and a wrong size")
    func sums() throws {
        let sum = Self.manifest(tracks: [Self.part("t.m4a", Array("sOund".utf8), #","label":"L""#)])
        #expect(try refusal(sum) { Self.addParts(&$0) }?.contains("wrong SHA-256") == true)
        let size = Self.manifest(tracks: [Self.part("t.m4a", Self.sound, #","label":"L""#, size: 4)])
        #expect(try refusal(size) { Self.addParts(&$0) }?.contains("another size") == true)
    }

    @Test("sizes that cannot be", arguments: ["-1", "1e30", "68719476737", "9223372036854775807", "99999999"])
    func sizes(size: String) throws {
        let text = String(decoding: Self.manifest(), as: UTF8.self).replacing(#""bytes":5"#, with: #""bytes":"# + size)
        #expect(try refusal(Array(text.utf8)) { Self.addParts(&$0) } != nil)
        var tar = Tar()
        tar.add("manifest.json", Array(text.utf8))
        tar.add("s.srt", Self.cues)
        tar.add("t.m4a", Self.sound, size: Int(size).map { min(max(0, $0), 0o77777777777) } ?? 1 << 32)
        #expect(try refusal(tar.bytes) != nil)
    }

    @Test("a manifest that is huge, none, or no manifest")
    func manifests() throws {
        var huge = Tar()
        huge.add("manifest.json", [UInt8](repeating: 0x20, count: 300_000))
        #expect(try refusal(huge.bytes)?.contains("longer than") == true)
        #expect(try refusal([]) != nil)
        for text in ["", "{", "[]", "null", #"{"format":"other"}"#, String(repeating: "[", count: 10_000)] {
            #expect(try refusal(Array(text.utf8)) { Self.addParts(&$0) } != nil)
        }
        #expect(try refusal(Self.manifest(version: "2")) { Self.addParts(&$0) }?.contains("version 2") == true)
        #expect(try refusal(Self.manifest(title: "")) { Self.addParts(&$0) } == "its manifest has no title")
        let many = (0..<65).map { Self.part("t\($0)", Self.sound, #","label":"L""#) }
        #expect(try refusal(Self.manifest(tracks: many)) { Self.addParts(&$0) }?.contains("1 to 64") == true)
        #expect(try refusal(Self.manifest(tracks: [])) { Self.addParts(&$0) }?.contains("1 to 64") == true)
        var late = Tar()
        Self.addParts(&late)
        late.add("manifest.json", Self.manifest())
        #expect(try refusal(late.bytes)?.contains("does not begin") == true)
    }

    @Test("titles, labels and names that would harm a terminal are made safe")
    func text() throws {
        let track = Self.part("t.m4a", Self.sound, #","label":"\u001b[2JL""#).replacing(
            #""name":"t.m4a""#, with: #""name":"../../\u001b]0;x\u0007\u202e.m4a""#)
        #expect(try refusal(Self.manifest(title: #"\u001b[31mT"#, tracks: [track])) { Self.addParts(&$0) } == nil)
        let session = try #require(try library.list().first)
        #expect(session.title == "[31mT")
        #expect(session.tracks[0].label == "[2JL")
        let name = try #require(session.tracks[0].path.split(separator: "/").last)
        #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        #expect(session.tracks[0].path.hasPrefix(place.data + "/sessions/" + session.id + "/track-"))
    }

    @Test("names that are no names are replaced", arguments: ["/", "//", ""])
    func slashes(name: String) throws {
        let track = Self.part("t.m4a", Self.sound, #","label":"L""#).replacing(
            #""name":"t.m4a""#, with: #""name":"\#(name)""#)
        #expect(try refusal(Self.manifest(tracks: [track])) { Self.addParts(&$0) } == nil)
        #expect(try library.list().first?.tracks.map(\.path).allSatisfy(Files.exists) == true)
    }

    @Test("cut off at any block, or with any byte of a header turned, it is refused or whole")
    func cutAndTurned() throws {
        var tar = Tar()
        tar.add("manifest.json", Self.manifest())
        Self.addParts(&tar)
        let whole = tar.bytes.count
        tar.end()
        for end in stride(from: 0, to: whole, by: 256) {
            #expect(try refusal(Array(tar.bytes[..<end])) != nil, "cut at \(end)")
        }
        for offset in stride(from: 0, to: 512, by: 3) {
            var bytes = tar.bytes
            bytes[offset] ^= 0x41
            _ = try refusal(bytes)
            for session in try library.list() { try library.delete(session.id) }
        }
    }

    @Test("compressed ones, other archives, pipes and folders are none")
    func others() throws {
        for bytes: [UInt8] in [
            [0x1F, 0x8B, 8, 0], Array("PK\u{3}\u{4}".utf8), Array("7z\u{BC}\u{AF}".utf8),
            [UInt8](repeating: 0, count: 10_240),
        ] {
            #expect(try refusal(bytes) != nil)
        }
        #expect(failure { () throws(LibraryError) in try library.importSession(from: place.directory) } != nil)
        #expect(failure { () throws(LibraryError) in try library.importSession(from: "/dev/zero") } != nil)
    }

    @Test("content that is neither sound nor cues is refused by the name it had")
    func content() throws {
        let text = Array("text".utf8)
        let manifest = Self.manifest(tracks: [Self.part("t.m4a", text, #","label":"L""#)])
        var tar = Tar()
        tar.add("manifest.json", manifest)
        tar.add("s.srt", Self.cues)
        tar.add("t.m4a", text)
        let path = place.directory + "/film.allspeak"
        try Files.replace(path, with: tar.bytes)
        #expect(
            failure { () throws(LibraryError) in try library.importSession(from: path) }
                == .unfitFile(path: "t.m4a", reason: "not an audio file"))
        #expect(place.stored == [])
    }
}
