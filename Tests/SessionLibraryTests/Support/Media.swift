import Foundation
import LinuxSystem
import Playback
import SessionLibrary
import WireProtocol

extension MediaCheck {
    /// A track is a file that begins with `sound`, a minute long; subtitles are one that begins with `cues`, and their
    /// digest is the rest of the first line.
    static let fake = MediaCheck(
        cueDigest: { path throws(Fault) in
            let line = try text(path).split(separator: "\n", maxSplits: 1).first ?? ""
            guard line.hasPrefix("cues ") else { throw Fault("gives no subtitles") }
            return String(line.dropFirst(5))
        },
        duration: { path throws(Fault) in
            guard try text(path).hasPrefix("sound") else { throw Fault("not an audio file") }
            return 60
        })

    private static func text(_ path: String) throws(Fault) -> String {
        guard let bytes = try? Files.read(path, maximumBytes: 1 << 24) else { throw Fault("cannot be read") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Files of a user's, beside the library.
extension TemporaryLibrary {
    @discardableResult
    func file(_ name: String, _ content: String) throws -> String {
        let path = directory + "/" + name
        try Files.replace(path, with: Array(content.utf8))
        return path
    }

    func sound(_ name: String, _ content: String = "") throws -> String { try file(name, "sound \(name) \(content)") }
    func cues(_ digest: String, _ name: String = "film.srt", _ rest: String = "") throws -> String {
        try file(name, "cues \(digest)\n\(rest)")
    }

    /// Everything in the library's folder but the database, by relative path, sorted.
    var stored: [String] {
        (FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasPrefix("sessions/") }.sorted()
    }

    /// Files that no session has.
    func looseFiles() throws -> [String] {
        try otherConnection().rows("SELECT path FROM loose_file") { $0.text(0) }
    }

    /// A library with one film: two tracks, cues of `d1`.
    func withFilm(_ library: SessionLibrary, title: String = "Film") throws -> StoredSession {
        try library.add(
            NewSession(
                title: title,
                tracks: [.init(path: try sound("a.m4a"), label: "A"), .init(path: try sound("b.m4a"), label: nil)],
                subtitles: try cues("d1")), checkedBy: .fake)
    }
}

extension SessionLibrary {
    func add(_ new: NewSession, checkedBy check: MediaCheck) throws(LibraryError) -> StoredSession {
        try add(new, checkedBy: check) { _, _ in }
    }

    func addTracks(_ paths: [String], to id: String) throws(LibraryError) -> StoredSession {
        try addTracks(paths.map { NewTrack(path: $0, label: nil) }, to: id, checkedBy: .fake) { _, _ in }
    }

    func importSession(from path: String) throws(LibraryError) -> StoredSession {
        try importSession(from: path, checkedBy: .fake) { _, _ in }
    }
}
