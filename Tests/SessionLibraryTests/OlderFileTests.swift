import Foundation
import Playback
import SessionLibrary
import Testing

/// Files as every earlier version wrote them.
@Suite("Libraries of earlier versions") struct OlderFileTests {
    /// The tables of each version as it was released, by version; what is written here never changes.
    private static let schemas = [
        1: """
        CREATE TABLE session (
            id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('inPlace', 'imported')), subtitle_path TEXT,
            revision INTEGER NOT NULL CHECK (revision >= 1), cue_digest TEXT NOT NULL,
            position REAL NOT NULL DEFAULT 0 CHECK (position >= 0),
            active_track_id TEXT REFERENCES track (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
            created_at INTEGER NOT NULL, opened_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE track (
            id TEXT PRIMARY KEY NOT NULL, session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            label TEXT NOT NULL, path TEXT NOT NULL, sort_order INTEGER NOT NULL,
            is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)), UNIQUE (session_id, path)
        ) STRICT;
        CREATE INDEX session_active_track ON session (active_track_id);
        """
    ]

    private static let rows = """
        INSERT INTO session (id, title, origin, subtitle_path, revision, cue_digest, position, active_track_id,
            created_at, opened_at) VALUES ('S', 'Old', 'inPlace', '/f/old.srt', 3, 'd', 42.5, 'T2', 1, 2);
        INSERT INTO track (id, session_id, label, path, sort_order, is_default)
            VALUES ('T1', 'S', 'One', '/f/1.m4a', 0, 1), ('T2', 'S', 'Two', '/f/2.m4a', 1, 0);
        """

    private func write(_ version: Int, in place: TemporaryLibrary) throws {
        try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
        let connection = try place.otherConnection()
        let schema = try #require(Self.schemas[version])
        try connection.execute(
            "PRAGMA journal_mode = WAL; \(schema) \(Self.rows) PRAGMA user_version = \(version); PRAGMA application_id = \(Schema.applicationID)"
        )
    }

    @Test("every earlier version has its file here")
    func complete() {
        let newest = Schema.migrations.last?.version ?? 0
        #expect(Self.schemas.keys.sorted() == Array(1..<newest))
        #expect(Schema.migrations.map(\.version) == Array(1...newest))
    }

    @Test("each opens in place, with everything that was in it", arguments: schemas.keys.sorted())
    func opens(version: Int) throws {
        let place = try TemporaryLibrary()
        try write(version, in: place)
        let library = try place.open()
        let session = try #require(try library.list().first)
        #expect(session.title == "Old")
        #expect(session.tracks.map(\.label) == ["One", "Two"])
        #expect(session.tracks.map(\.isDefault) == [true, false])
        #expect(session.startTrackID == "T2")
        #expect(session.position == 42.5)
        #expect(session.revision == 3)
        #expect(!session.isImported)
        _ = try library.addTracks([try place.sound("c.m4a")], to: "S")
        #expect(try place.otherConnection().integer("PRAGMA user_version") == Schema.migrations.last?.version)
        #expect(try place.otherConnection().rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test("the tables are the same as those of a new file", arguments: schemas.keys.sorted())
    func same(version: Int) throws {
        func columns(_ place: TemporaryLibrary) throws -> [String] {
            _ = try place.open()
            return try place.otherConnection().rows(
                """
                SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" FROM sqlite_schema m,
                    pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid
                """
            ) { $0.text(0) }
        }
        let old = try TemporaryLibrary()
        try write(version, in: old)
        #expect(try columns(old) == columns(TemporaryLibrary()))
    }

    @Test("two hosts that meet an old file at once both get the new one", arguments: schemas.keys.sorted())
    func together(version: Int) async throws {
        let place = try TemporaryLibrary()
        try write(version, in: place)
        let titles = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try place.open().list().map(\.title) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(titles == Array(repeating: ["Old"], count: 4))
    }
}

@Suite("Damaged libraries") struct DamageTests {
    private let place: TemporaryLibrary

    init() throws {
        place = try TemporaryLibrary()
        let library = try place.open()
        for number in 1...60 {
            _ = try library.openFilm("Film \(number) " + String(repeating: "x", count: 200))
        }
    }

    private var copies: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place.data)) ?? []).filter {
            $0.hasPrefix("library-damaged")
        }
    }

    private func overwrite(_ range: Range<Int>) throws {
        var content = try Data(contentsOf: URL(fileURLWithPath: place.database))
        for offset in range where offset < content.count { content[offset] = 0xA5 }
        try content.write(to: URL(fileURLWithPath: place.database))
    }

    @Test("are put aside as they were, and what can be read is kept", arguments: [2, 8, 13])
    func kept(page: Int) throws {
        try overwrite(page * 4_096..<(page + 1) * 4_096)
        let damaged = try Data(contentsOf: URL(fileURLWithPath: place.database))
        let library = try place.open()
        let repair = try #require(library.repair)
        let count = try library.list().count
        print("page \(page): kept \(count) of 60")
        #expect(repair.keptSessions == count)
        #expect(count > 0)
        let copy = try #require(repair.copy)
        #expect(repair.sentence.contains(copy))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == damaged)
        #expect(copies.count == 1)
        for session in try library.list() { #expect(session.tracks.count > 0) }
        #expect(try place.open().repair == nil)
        #expect(try place.otherConnection().rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test("of which nothing can be read are mended from the backup", arguments: [0..<4_096, 12_288..<16_384])
    func backup(range: Range<Int>) throws {
        let session = try #require(try place.open().list().first)
        _ = try place.open().rename(session.id, to: "Renamed")
        try overwrite(range)
        let library = try place.open()
        #expect(library.repair?.keptSessions == 60)
        #expect(try library.list().contains { $0.title == "Renamed" && $0.tracks == session.tracks })
        #expect(try place.mode(place.data + "/library.backup") == 0o600)
    }

    @Test("do not spoil the backup")
    func soundBackup() throws {
        let library = try place.open()
        let session = try #require(try library.list().last)
        let backup = place.data + "/library.backup"
        let before = try Data(contentsOf: URL(fileURLWithPath: backup))
        try overwrite(8 * 4_096..<12 * 4_096)
        _ = try? library.rename(session.id, to: "Renamed")
        #expect(try Connection(path: backup, busySeconds: 0).rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup)).count == before.count)
    }

    @Test(
        "of which nothing can be read begin anew where there is no backup",
        arguments: [0..<4_096, 12_288..<16_384, 0..<1_000_000])
    func lost(range: Range<Int>) throws {
        try overwrite(range)
        try FileManager.default.removeItem(atPath: place.data + "/library.backup")
        let library = try place.open()
        #expect(library.repair?.keptSessions == 0)
        #expect(try library.list() == [])
        #expect(copies.count == 1)
        _ = try library.openFilm()
    }

    @Test("cut off anywhere, the library opens", arguments: [1, 100, 4_096, 5_000, 20_000])
    func cutOff(bytes: Int) throws {
        try #require(truncate(place.database, off_t(bytes)) == 0)
        let library = try place.open()
        _ = try library.openFilm()
        #expect(try library.list().isEmpty == false)
    }

    @Test("are not touched while another program has them open")
    func inUse() throws {
        let other = try place.open()
        try overwrite(0..<100_000)
        let error = failure { () throws(LibraryError) in try SessionLibrary(directory: place.data) }
        guard case .damaged(_, let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.contains("end the other"))
        #expect(copies == [])
        withExtendedLifetime(other) {}
    }
}
