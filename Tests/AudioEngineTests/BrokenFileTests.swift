import Foundation
import Playback
import TestKit
import Testing

@testable import AudioEngine

@Suite("A file that cannot be played")
struct BrokenFileTests {
    private func fault(_ path: String) -> EngineError? {
        do throws(EngineError) {
            let engine = try StreamingAudioEngine(
                tracks: [TrackFile(id: "a", path: path)], active: "a", position: 0, output: .clock, onEvent: { _ in })
            engine.shutDown()
            return nil
        } catch {
            return error
        }
    }

    private func refused(_ path: String, _ fault: EngineError.Fault) -> Bool {
        self.fault(path) == EngineError(trackID: "a", path: path, fault: fault)
    }

    @Test("missing, a folder, a device, a text, nothing at all")
    func notAudio() throws {
        #expect(refused("/nowhere/film.m4a", .missing))
        #expect(refused(try MediaFiles.folder().path, .unreadable("it is a folder")))
        #expect(refused("/dev/zero", .unreadable("it is not a regular file")))
        #expect(refused(try MediaFiles.file("text.m4a", Data("Someone has left\n".utf8)), .notAudio))
        #expect(refused(try MediaFiles.file("empty.mp3", Data()), .notAudio))
        let lines = String(repeating: "1\n00:00:01,000 --> 00:00:02,000\nWhat?\n\n", count: 500)
        #expect(refused(try MediaFiles.file("lines.srt", Data(lines.utf8)), .notAudio))
        let list = "#EXTM3U\n#EXTINF:10,\n/etc/passwd\n"
        #expect(refused(try MediaFiles.file("list.m3u8", Data(list.utf8)), .notAudio))
        #expect(fault("/nowhere/film.m4a")?.sentence == "/nowhere/film.m4a: there is no such file")
    }

    @Test("a video without sound")
    func videoOnly() throws {
        let path = try MediaFiles.folder()("video.mp4")
        try MediaFiles.ffmpeg(["-f", "lavfi", "-i", "testsrc=d=1:s=64x64", path])
        #expect(refused(path, .noAudioStream))
    }

    @Test(
        "a file whose rest is missing is refused, wherever its index is",
        arguments: ["fast.m4a", "end.m4a", "aac.mka", "opus.webm"])
    func truncated(name: String) throws {
        let kind = try #require(Kind.all.first { $0.name == name })
        let whole = try kind.make()
        let data = try Data(contentsOf: URL(filePath: whole))
        let path = try MediaFiles.file("half-\(name)", data.prefix(data.count / 2))
        let error = try #require(fault(path))
        #expect([.truncated, .notAudio].contains(error.fault), "\(error)")
    }

    @Test("bytes that pretend to be MP3")
    func garbage() throws {
        var bytes = Data("ID3".utf8 + [4, 0, 0, 0, 0, 0, 0])
        for index in 0..<100_000 { bytes.append(UInt8(truncatingIfNeeded: index &* index &* 31 >> 3)) }
        let error = try #require(fault(try MediaFiles.file("garbage.mp3", bytes)))
        switch error.fault {
        case .cannotDecode, .notAudio, .noAudioStream: break
        default: Issue.record("\(error)")
        }
    }

    @Test("an unknown track to begin with")
    func unknownTrack() {
        #expect(throws: EngineError(trackID: "z", path: "", fault: .unknownTrack)) {
            try StreamingAudioEngine(tracks: [], active: "z", position: 0, output: .clock, onEvent: { _ in })
        }
    }

    /// A file whose second half was lost after it was opened: reading fails then, as a broken disk's does.
    private func breaking(_ name: String) throws -> (path: String, break: () throws -> Void) {
        let whole = try MediaFiles.noise("breaking.m4a", track: 1, "-c:a", "aac", "-movflags", "+faststart")
        let data = try Data(contentsOf: URL(filePath: whole))
        let path = try MediaFiles.file(name, data)
        return (path, { truncate(path, off_t(data.count / 4)) })
    }

    @Test("a track that breaks on the way is told, and nothing sounds then")
    func breaksWhilePlaying() throws {
        let log = EventLog()
        let file = try breaking("breaks1.m4a")
        let engine = try StreamingAudioEngine(
            tracks: [TrackFile(id: "a", path: file.path)], active: "a", position: 0, output: .clock,
            onEvent: { log.note($0) })
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        try file.break()
        engine.perform(.locate(epoch: 2, position: 15, playing: true))
        let reason = try #require(
            log.first { event -> String? in if case .failed(2, let reason) = event { reason } else { nil } })
        #expect(!reason.isEmpty)
        let mark = log.count
        engine.perform(.pause(epoch: 3))
        #expect(log.paused(after: mark, epoch: 3) != nil)
    }

    @Test("a switch to a track that has broken fails, and the old one sounds on")
    func breaksOnSwitch() throws {
        let log = EventLog()
        let file = try breaking("breaks2.m4a")
        let engine = try StreamingAudioEngine(
            tracks: [
                TrackFile(id: "a", path: try MediaFiles.noise("a.m4a", "-c:a", "aac")),
                TrackFile(id: "b", path: file.path),
            ], active: "a", position: 15, output: .clock, onEvent: { log.note($0) })
        defer { engine.shutDown() }
        engine.perform(.play(epoch: 1))
        _ = try #require(log.anchor(epoch: 1))
        try file.break()
        let mark = log.count
        engine.perform(.switchTrack(epoch: 2, trackID: "b"))
        let failed: Bool? = log.first(after: mark) { event in
            if case .switchFailed(2, "b", _) = event { true } else { nil }
        }
        #expect(failed == true)
        engine.perform(.pause(epoch: 3))
        #expect(try #require(log.paused(epoch: 3)) > 15)
    }
}
