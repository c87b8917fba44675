import Foundation
import LinuxSystem
import Playback
import SessionLibrary

/// A folder of its own under /tmp, removed with the last reference.
final class TemporaryLibrary: Sendable {
    let directory = "/tmp/allspeak-library-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Not made yet: the library makes it.
    var data: String { directory + "/data" }
    var database: String { data + "/library.sqlite" }

    func open(_ onFault: @escaping @Sendable (LibraryError) -> Void = { _ in }) throws -> SessionLibrary {
        // The library keeps the folder for as long as it lives.
        try SessionLibrary(directory: data, onFault: { [self] error in withExtendedLifetime(self) { onFault(error) } })
    }

    /// What another program sees.
    func otherConnection() throws -> Connection {
        try Connection(path: database, busySeconds: 0)
    }

    /// The position another program reads from the disk.
    func positionOnDisk(of id: String) throws -> Double? {
        try otherConnection().rows("SELECT position FROM session WHERE id = ?", [.text(id)]) { $0.real(0) }.first
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

extension SessionLibrary {
    func openFilm(_ title: String = "Film", digest: String = "d1", tracks: [String] = ["a", "b"]) throws
        -> StoredSession
    {
        try openInPlace(
            title: title, tracks: tracks.map { ($0.uppercased(), "/films/\(title)/\($0).m4a") },
            subtitlePath: "/films/\(title)/film.srt", cueDigest: digest)
    }
}

/// The error of a call; `nil` where there was none.
func failure<Result>(_ call: () throws(LibraryError) -> Result) -> LibraryError? {
    do throws(LibraryError) {
        _ = try call()
        return nil
    } catch {
        return error
    }
}

/// Faults as the library tells them, from its thread.
final class Faults: Sendable {
    private let list = Guarded<[LibraryError]>([])

    func add(_ error: LibraryError) { list.withLock { $0.append(error) } }
    var all: [LibraryError] { list.withLock { $0 } }
}
