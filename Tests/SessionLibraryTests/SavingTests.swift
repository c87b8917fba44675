import Foundation
import Playback
import SessionLibrary
import Testing

@Suite("Saving positions", .timeLimit(.minutes(1))) struct Saving {
    @Test func theNewestOfManyIsOnDiskWhileTheLibraryLives() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        let session = try library.openFilm()
        for step in 1...10_000 {
            library.save(
                ListeningState(sessionID: session.id, position: Double(step), activeTrackID: session.tracks[0].id))
        }
        library.flush(within: 5)
        #expect(try place.positionOnDisk(of: session.id) == 10_000)
    }

    @Test func withoutAFlushItIsOnDiskWithinASecond() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        let session = try library.openFilm()
        let started = ContinuousClock.now
        for step in 1...1_000 {
            library.save(
                ListeningState(sessionID: session.id, position: Double(step), activeTrackID: session.tracks[0].id))
        }
        while try place.positionOnDisk(of: session.id) != 1_000, started.duration(to: .now) < .seconds(5) {}
        #expect(started.duration(to: .now) < .seconds(1))
    }

    @Test func severalSessionsEachKeepTheirs() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        let sessions = try ["One", "Two"].map { try library.openFilm($0) }
        for (place, session) in sessions.enumerated() {
            library.save(
                ListeningState(
                    sessionID: session.id, position: Double(place + 1), activeTrackID: session.tracks[place].id))
        }
        // A question asked afterwards sees what was saved before.
        library.flush(within: 5)
        #expect(try library.list().map(\.position) == [2, 1])
        #expect(try library.list().map(\.activeTrackID) == [sessions[1].tracks[1].id, sessions[0].tracks[0].id])
    }

    @Test func whatCannotBeMeantChangesNothing() throws {
        let library = try TemporaryLibrary().open()
        let session = try library.openFilm()
        let other = try library.openFilm("Other")
        library.save(ListeningState(sessionID: session.id, position: 7, activeTrackID: session.tracks[1].id))
        library.flush(within: 5)
        library.save(ListeningState(sessionID: session.id, position: .nan, activeTrackID: session.tracks[0].id))
        library.save(ListeningState(sessionID: "nobody", position: 3, activeTrackID: "x"))
        library.flush(within: 5)
        #expect(try library.find("film").position == 7)
        library.save(ListeningState(sessionID: session.id, position: -1, activeTrackID: other.tracks[0].id))
        library.flush(within: 5)
        #expect(try library.find("film").position == 0)
        #expect(try library.find("film").activeTrackID == session.tracks[1].id)
    }

    @Test func releasingTheLibraryWritesWhatWaits() throws {
        let place = try TemporaryLibrary()
        var library: SessionLibrary? = try place.open()
        let session = try #require(try library?.openFilm())
        library?.save(ListeningState(sessionID: session.id, position: 1, activeTrackID: session.tracks[0].id))
        library?.save(ListeningState(sessionID: session.id, position: 2, activeTrackID: session.tracks[0].id))
        library = nil
        #expect(try place.positionOnDisk(of: session.id) == 2)
    }

    @Test func anotherProgramsLockDelaysTheWriteAndNobodyElse() throws {
        let place = try TemporaryLibrary()
        let library = try place.open()
        let session = try library.openFilm()
        let other = try place.otherConnection()
        try other.execute("BEGIN IMMEDIATE")
        let started = ContinuousClock.now
        for step in 1...1_000 {
            library.save(
                ListeningState(sessionID: session.id, position: Double(step), activeTrackID: session.tracks[0].id))
        }
        #expect(started.duration(to: .now) < .milliseconds(500))
        library.flush(within: 0.05)
        #expect(started.duration(to: .now) < .milliseconds(1_000))
        #expect(try place.positionOnDisk(of: session.id) == 0)
        try other.execute("COMMIT")
        library.flush(within: 10)
        #expect(try place.positionOnDisk(of: session.id) == 1_000)
    }

    @Test func aLockPastTheWaitIsToldAndOutlived() throws {
        let place = try TemporaryLibrary()
        let faults = Faults()
        let library = try place.open { faults.add($0) }
        let session = try library.openFilm()
        let other = try place.otherConnection()
        try other.execute("BEGIN IMMEDIATE")
        library.save(ListeningState(sessionID: session.id, position: 5, activeTrackID: session.tracks[0].id))
        library.flush(within: 3)
        #expect(faults.all == [.locked(path: place.database)])
        try other.execute("COMMIT")
        library.flush(within: 10)
        #expect(try place.positionOnDisk(of: session.id) == 5)
    }

    @Test func aFaultIsToldOnceAndNothingStops() throws {
        let place = try TemporaryLibrary()
        let faults = Faults()
        let library = try place.open { faults.add($0) }
        let session = try library.openFilm()
        try place.otherConnection().execute("ALTER TABLE session RENAME TO hidden")
        for step in 1...3 {
            library.save(
                ListeningState(sessionID: session.id, position: Double(step), activeTrackID: session.tracks[0].id))
            library.flush(within: 0.3)
        }
        #expect(faults.all.count == 1)
        #expect(faults.all.first?.reason.contains("no such table") == true)
        try place.otherConnection().execute("ALTER TABLE hidden RENAME TO session")
        library.flush(within: 10)
        #expect(try place.positionOnDisk(of: session.id) == 3)
    }

    /// A process killed in the middle of saving: the library stays sound and the last position older than a second is there.
    @Test func killedWhileSaving() async throws {
        let place = try TemporaryLibrary()
        let session = try place.open().openFilm()
        let directory: String = place.data
        let id: String = session.id
        let track: String = session.tracks[0].id
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, id = id as String, track = track as String] in
            let library = try SessionLibrary(directory: directory)
            library.save(ListeningState(sessionID: id, position: 500, activeTrackID: track))
            library.flush(within: 10)
            for step in 501...5_000 {
                library.save(ListeningState(sessionID: id, position: Double(step), activeTrackID: track))
            }
            kill(getpid(), SIGKILL)
        }
        #expect(try place.otherConnection().rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
        #expect(try #require(place.open().list().first).position >= 500)
    }
}
