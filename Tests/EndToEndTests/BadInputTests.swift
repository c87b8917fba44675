import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// Whatever a person gives the host by mistake: one sentence that says what to do, the right exit code, nothing left.
    @Suite("Bad input to the host")
    struct BadHostInput {
        /// A mistake, by the arguments it takes; `FILE` stands for the file that is wrong.
        struct Mistake: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var content: Content
            var says: String

            init(_ name: String, _ content: Content, says: String) {
                testDescription = name
                self.content = content
                self.says = says
            }
        }

        enum Content: Sendable {
            case missing
            case folder
            case unreadable
            case bytes([UInt8])
            case videoOnly
            case cutOff
        }

        private let stage: Stage
        private let film: Film

        init() throws {
            stage = try Stage()
            film = try Film.standard()
        }

        /// Root reads everything, unless it gives up the right to.
        private var wrapper: [String] {
            getuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
        }

        private func make(_ content: Content, _ name: String) throws -> String {
            switch content {
            case .missing: return stage.folder(name)
            case .folder: return try stage.folder.folder(name)
            case .unreadable:
                let path = try stage.folder.file(name, "1\n00:00:01,000 --> 00:00:02,000\nHi\n")
                chmod(path, 0)
                return path
            case .bytes(let bytes): return try stage.folder.file(name, Data(bytes))
            case .videoOnly:
                try MediaFiles.ffmpeg(["-f", "lavfi", "-i", "testsrc=duration=1:size=64x64:rate=5", stage.folder(name)])
                return stage.folder(name)
            case .cutOff:
                let whole = try Data(contentsOf: URL(fileURLWithPath: film.original))
                return try stage.folder.file(name, whole.prefix(whole.count / 3))
            }
        }

        private static let random: [UInt8] = {
            var state: UInt32 = 1
            return (0..<20_000).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
        }()

        private func play(_ audio: String, _ subtitles: String) throws -> Outcome {
            try stage.hostCommand(
                [
                    "play", "--port", "0", "--mdns", "off", "--output", "null", "--data", stage.data, "--audio",
                    "\(film.original)=Good", "--audio", audio, "--subtitles", subtitles,
                ], wrapper: wrapper)
        }

        /// No session, no file but an empty library, if that.
        private func expectNothingLeft() throws {
            let left = stage.folder.contents.filter { $0.hasPrefix("data/") }
            #expect(left.allSatisfy { $0.hasPrefix("data/library.") || $0.hasPrefix("data/host-id") }, "\(left)")
            let sessions = try stage.hostCommand(["sessions", "list", "--json", "--data", stage.data]).succeeded()
            #expect(try sessions.json() == .array([]))
        }

        @Test(
            "as a track",
            arguments: [
                Mistake("a missing file", .missing, says: "There is no file"),
                Mistake("a folder", .folder, says: "it is a folder"),
                Mistake("an unreadable file", .unreadable, says: "ermission"),
                Mistake("an empty file", .bytes([]), says: "not an audio file"),
                Mistake(
                    "a text file", .bytes(Array("Dear diary, today I went to the cinema.\n".utf8)),
                    says: "not an audio file"),
                Mistake("random bytes", .bytes(random), says: "not an audio file"),
                Mistake("a film without sound", .videoOnly, says: "holds no sound"),
                Mistake("a download cut off", .cutOff, says: "not an audio file"),
            ])
        func audio(mistake: Mistake) throws {
            let path = try make(mistake.content, "wrong.mp4")
            let outcome = try play("\(path)=Wrong", film.subtitles)
            let sentence = try outcome.sentence()
            #expect(outcome.code == 65)
            #expect(sentence.contains("wrong.mp4"))
            #expect(sentence.contains(mistake.says))
            #expect(sentence.contains("--audio"))
            try expectNothingLeft()
        }

        @Test(
            "as subtitles",
            arguments: [
                Mistake("a missing file", .missing, says: "Check the path."),
                Mistake("a folder", .folder, says: "Check the path."),
                Mistake("an unreadable file", .unreadable, says: "ermission"),
                Mistake("an empty file", .bytes([]), says: "empty"),
                Mistake("a file without lines", .bytes(Array("\n\nNothing to see here.\n".utf8)), says: "no time line"),
                Mistake("random bytes", .bytes(random), says: "binary data"),
                Mistake("zeros", .bytes([UInt8](repeating: 0, count: 5_000)), says: "binary data"),
            ])
        func subtitles(mistake: Mistake) throws {
            let path = try make(mistake.content, "wrong.srt")
            let outcome = try play("\(film.dub)=Dub", path)
            let sentence = try outcome.sentence()
            #expect(outcome.code == 65)
            #expect(sentence.contains("wrong.srt"))
            #expect(sentence.contains(mistake.says))
            try expectNothingLeft()

            let listed = try stage.hostCommand(["cues", path], wrapper: wrapper)
            #expect(listed.code == 65)
            #expect(try listed.sentence().contains("wrong.srt"))
            let json = try stage.hostCommand(["cues", path, "--json"], wrapper: wrapper)
            #expect(json.code == 65)
            #expect(try json.json()["error"].text?.contains("wrong.srt") == true)
        }

        @Test("a port that is taken")
        func portInUse() throws {
            let taken = try FakePeer { _ in }
            let outcome = try stage.hostCommand(
                ["play", "--port", "\(taken.port)", "--mdns", "off", "--output", "null", "--data", stage.data]
                    + film.arguments)
            #expect(outcome.code == 69)
            let sentence = try outcome.sentence()
            #expect(sentence.contains("\(taken.port)") && sentence.contains("--port 0"))
            try expectNothingLeft()
            withExtendedLifetime(taken) {}
        }

        @Test("a session that is unknown, or one of several")
        func sessions() throws {
            func play(_ session: String) throws -> Outcome {
                try stage.hostCommand(
                    ["play", session, "--port", "0", "--mdns", "off", "--output", "null", "--data", stage.data])
            }
            let unknown = try play("nothing like it")
            #expect(unknown.code == 65)
            #expect(try unknown.sentence().contains("nothing like it"))
            try expectNothingLeft()

            for (title, audio) in [("Night Train East", film.original), ("Night Train West", film.dub)] {
                let host = try stage.host(["--audio", audio, "--subtitles", film.subtitles, "--title", title])
                host.running.child.signal(SIGTERM)
                #expect(try host.running.ended(within: 5).code == 0)
            }
            let several = try play("night train")
            #expect(several.code == 65)
            #expect(several.errors.contains("Night Train East") && several.errors.contains("Night Train West"))
            #expect(try stage.host(["west"]).sessionID.isEmpty == false)
        }

        @Test("a library that is none, or cannot be written")
        func library() throws {
            func play(_ data: String) throws -> Outcome {
                try stage.hostCommand(
                    ["play", "--port", "0", "--mdns", "off", "--output", "null", "--data", data] + film.arguments,
                    wrapper: wrapper)
            }
            let file = try play(try stage.folder.file("file", "not a folder"))
            #expect(file.code == 69)
            #expect(try file.sentence().contains("--data"))

            let garbage = try stage.folder.folder("garbage")
            try stage.folder.file("garbage/library.sqlite", Data(Self.random))
            let damaged = try play(garbage)
            #expect(damaged.code == 65)
            #expect(try damaged.sentence().contains("--data"))
            #expect(FileManager.default.contents(atPath: garbage + "/library.sqlite") == Data(Self.random))

            let locked = try stage.folder.folder("locked")
            chmod(locked, 0o500)
            let readOnly = try play(locked)
            #expect(readOnly.code == 69)
            #expect(try readOnly.sentence().contains("--data"))
            chmod(locked, 0o700)
        }

        @Test(
            "a wrong argument",
            arguments: [
                [], ["playy"], ["play"], ["play", "--audio"], ["play", "--audio", "x.m4a"], ["play", "a", "b"],
                ["play", "a", "--audio", "x.m4a"], ["play", "a", "--title", "x"], ["play", "--colour", "a"],
                ["play", "a", "--port", "65536"], ["play", "a", "--port", "-1"], ["play", "a", "--port", "http"],
                ["play", "a", "--output", "speakers"], ["play", "a", "--output", "pulse:"],
                ["play", "a", "--mdns", "maybe"],
                ["play", "a", "--bind", "0.0.0.0"], ["play", "a", "--bind", "192.168.1.5"],
                ["play", "a", "--bind", "localhost"], ["play", "a", "--connections", "0"],
                ["play", "a", "--start=yes"], ["cues"], ["cues", "a", "b"], ["cues", "a", "--start"], ["sessions"],
                ["sessions", "drop"], ["sessions", "list", "all"], ["--frobnicate"], ["-x"],
            ])
        func usage(arguments: [String]) throws {
            let outcome = try stage.hostCommand(arguments)
            if arguments.isEmpty {
                #expect(outcome.code == 0 && outcome.output.contains("Commands:"))
                return
            }
            #expect(outcome.code == 64)
            #expect(outcome.output.isEmpty)
            #expect(try outcome.sentence().contains("See: allspeak-host"))
            #expect(stage.folder.contents.allSatisfy { !$0.hasPrefix("data") && !$0.hasPrefix("home/") })
        }

        @Test("help for every command", arguments: [[], ["play"], ["cues"], ["sessions"]])
        func help(command: [String]) throws {
            for flag in ["--help", "-h"] {
                let outcome = try stage.hostCommand(command + [flag])
                #expect(outcome.code == 0)
                #expect(outcome.errors.isEmpty)
                #expect(outcome.output.hasPrefix("allspeak-host"))
                #expect(outcome.output.contains("--data DIR"))
            }
        }
    }
}
