import Foundation
import Playback
import SessionLibrary
import Testing

@Suite("The library's file") struct LibraryFileRules {
    @Test func isTheOwnersAlone() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        _ = try library.openFilm()
        #expect(try place.mode(place.data) == 0o700)
        for suffix in ["", "-wal", "-shm"] { #expect(try place.mode(place.database + suffix) == 0o600) }
    }

    @Test func isInWALModeWithForeignKeysAndMarked() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        let session = try library.openFilm()
        let other = try place.otherConnection()
        #expect(try other.rows("PRAGMA journal_mode") { $0.text(0) } == ["wal"])
        #expect(try other.integer("PRAGMA application_id") == Schema.applicationID)
        #expect(try other.integer("PRAGMA user_version") == Schema.migrations.last?.version)
        #expect(try other.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
        try other.execute("PRAGMA foreign_keys = ON")
        try other.run("DELETE FROM session WHERE id = ?", [.text(session.id)])
        #expect(try other.integer("SELECT count(*) FROM track") == 0)
    }

    @Test func aNewerOneIsRefusedUntouched() throws {
        let place = try TemporaryLibrary()
        _ = try place.open().openFilm()
        try place.otherConnection().execute("PRAGMA user_version = 99")
        let before = try Data(contentsOf: URL(fileURLWithPath: place.database))
        let error = failure { () throws(LibraryError) in try SessionLibrary(directory: place.data) }
        #expect(error == .newer(path: place.database, version: 99))
        #expect(error?.reason.contains("newer version") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.database)) == before)
    }

    @Test func anotherProgramsDatabaseIsRefused() throws {
        let place = try TemporaryLibrary()
        try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
        try place.otherConnection().execute("CREATE TABLE theirs (x)")
        #expect(
            failure { () throws(LibraryError) in try SessionLibrary(directory: place.data) }
                == .foreign(path: place.database))
    }

    @Test func aFileThatIsNoDatabaseIsRefused() throws {
        let place = try TemporaryLibrary()
        try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: place.database))
        #expect(
            failure { () throws(LibraryError) in try SessionLibrary(directory: place.data) }
                == .foreign(path: place.database))
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        let place = try TemporaryLibrary()
        let file = place.directory + "/file"
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let error = failure { () throws(LibraryError) in try SessionLibrary(directory: file + "/data") }
        #expect(error?.reason.hasPrefix(file) == true)
    }

    @Test func aLockedFreshFileFailsAfterTheWait() throws {
        let place = try TemporaryLibrary()
        try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
        let other = try place.otherConnection()
        try other.execute("BEGIN EXCLUSIVE")
        let error = failure { () throws(LibraryError) in try SessionLibrary(directory: place.data) }
        #expect(error == .locked(path: place.database))
        #expect(error?.reason.contains("locked by another program") == true)
    }

    @Test func twoLibrariesOnOneFileWorkSideBySide() throws {
        let place = try TemporaryLibrary()
        let (one, two) = (try place.open(), try place.open())
        let session = try one.openFilm()
        #expect(try two.openFilm(digest: "d2").id == session.id)
        #expect(try one.list().map(\.revision) == [2])
    }
}

@Suite("Migrations") struct Migrations {
    private let place: TemporaryLibrary
    private let connection: Connection

    init() throws {
        place = try TemporaryLibrary()
        try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
        connection = try place.otherConnection()
    }

    @Test func stepsAreTakenOnceAndInOrder() throws {
        let steps = [
            Migration(version: 1, sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1)"),
            Migration(version: 2, sql: "UPDATE a SET x = x + 1; ALTER TABLE a RENAME TO b"),
        ]
        #expect(try Schema.migrate(connection, by: [steps[0]]) == nil)
        #expect(try Schema.migrate(connection, by: steps) == nil)
        #expect(try Schema.migrate(connection, by: steps) == nil)
        #expect(try connection.integer("SELECT x FROM b") == 2)
        #expect(try connection.integer("PRAGMA user_version") == 2)
    }

    @Test func aFailedStepLeavesTheVersionBefore() throws {
        let steps = [
            Migration(version: 1, sql: "CREATE TABLE a (x)"),
            Migration(version: 2, sql: "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)"),
        ]
        #expect(throws: DatabaseError.self) { try Schema.migrate(connection, by: steps) }
        #expect(try connection.integer("PRAGMA user_version") == 1)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test func aNewerFileIsReported() throws {
        try connection.execute("PRAGMA user_version = 7")
        #expect(try Schema.migrate(connection) == 7)
        #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
    }
}
