import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// The library at work: films copied in, changed by one program while another plays them.
    @Suite("The library")
    struct LibraryTests {
        private let stage: Stage
        private let film: Film

        init() throws {
            stage = try Stage()
            film = try Film.standard()
        }

        @discardableResult
        private func sessions(_ arguments: String..., wrapper: [String] = []) throws -> Outcome {
            try stage.hostCommand(["sessions"] + arguments + ["--data", stage.data], wrapper: wrapper)
        }

        private func add(_ title: String = "Night Train") throws -> JSON {
            try sessions(
                "add", "--title", title, "--audio", "\(film.original)=Original", "--audio", "\(film.dub)=Dub",
                "--subtitles", film.subtitles, "--json"
            ).succeeded().json()
        }

        private func subtitles(_ name: String, _ text: String) throws -> String {
            try stage.folder.file(name, "1\n00:00:01,000 --> 00:00:02,000\n\(text)\n")
        }

        /// What is in the folder of copies, by relative path.
        private var copies: [String] { stage.folder.contents.filter { $0.hasPrefix("data/sessions/") } }

        // MARK: Commands

        @Test("every command tells what it did, and in JSON the session as it is afterwards")
        func commands() throws {
            let session = try add()
            let id = try #require(session["id"].text)
            #expect(session["tracks"].array?.map { $0["label"].text } == ["Original", "Dub"])
            #expect(try sessions("list", "--json").succeeded().json()[0]["id"].text == id)
            #expect(try sessions("show", "night", "--json").succeeded().json()["title"].text == "Night Train")
            #expect(try sessions("show", "night").succeeded().output.contains("default"))
            #expect(
                try sessions("rename", "night", "Day Train", "--json").succeeded().json()["title"].text == "Day Train")
            let defaulted = try sessions("set-default", id, "Dub", "--json").succeeded().json()
            #expect(defaulted["tracks"].array?.map { $0["default"].bool } == [false, true])
            let third = try MediaFiles.noise("third.m4a", track: 2, seconds: 30, arguments: MediaFiles.aac)
            let added = try sessions("add-track", "day", "--audio", "\(third)=Third", "--json").succeeded().json()
            #expect(added["tracks"].array?.map { $0["label"].text } == ["Original", "Dub", "Third"])
            #expect(abs((added["tracks"][2]["duration"].number ?? 0) - 30) < 0.1)
            let removed = try sessions("remove-track", "day", "2", "--json").succeeded().json()
            #expect(removed["tracks"].array?.map { $0["label"].text } == ["Original", "Third"])
            #expect(removed["tracks"][0]["default"].bool == true)
            let replaced = try sessions("replace-subtitles", "day", try subtitles("new.srt", "New"), "--json")
                .succeeded()
                .json()
            #expect(replaced["revision"].number == 2)
            #expect(copies.count == 4)
            #expect(try sessions("delete", "day", "--json").succeeded().json()["deleted"][0].text == id)
            #expect(copies == [])
            #expect(try sessions("list", "--json").succeeded().json() == .array([]))
        }

        @Test(
            "what cannot be meant is a matter of the command line, before the library is touched",
            arguments: [
                ["add"], ["add", "--audio", "a"], ["add", "--subtitles", "s"], ["show"], ["rename", "a"], ["delete"],
                ["add-track", "a"], ["remove-track", "a"], ["set-default", "a"], ["replace-subtitles", "a"], ["export"],
                ["import"], ["list", "a"], ["show", "a", "--audio", "b"],
            ])
        func usage(arguments: [String]) throws {
            let outcome = try stage.hostCommand(["sessions"] + arguments + ["--data", stage.data])
            #expect(outcome.code == 64)
            #expect(try outcome.sentence().contains("See: allspeak-host sessions"))
            #expect(!FileManager.default.fileExists(atPath: stage.data))
        }

        @Test(
            "each command has a help of its own",
            arguments: [
                "list", "show", "add", "rename", "delete", "add-track", "remove-track", "set-default",
                "replace-subtitles", "export", "import",
            ])
        func help(command: String) throws {
            let outcome = try stage.hostCommand(["sessions", command, "--help"]).succeeded()
            #expect(outcome.output.hasPrefix("allspeak-host sessions \(command)"))
            #expect(outcome.output.contains("--json"))
        }

        @Test("a file that is not what it should be: nothing is added, and its name is told")
        func unfit() throws {
            let text = try stage.folder.file("text.m4a", "no sound")
            let empty = try stage.folder.file("empty.srt", "")
            for (audio, subtitles, name) in [
                (text, film.subtitles, text), (film.original, empty, empty), (stage.folder("no"), film.subtitles, "no"),
            ] {
                let outcome = try sessions(
                    "add", "--title", "T", "--audio", film.dub, "--audio", audio, "--subtitles", subtitles)
                #expect(outcome.code == 65)
                #expect(try outcome.sentence().contains(name))
            }
            #expect(copies == [])
            #expect(try sessions("list", "--json").succeeded().json() == .array([]))
        }

        @Test("names that are not UTF-8 are found, kept and shown")
        func notUTF8() throws {
            // The shell makes the name from its octal bytes.
            let script = """
                name=$(printf 'caf\\351 \\377.m4a'); cp "$1" "$2/$name"
                exec "$3" sessions add --title X --audio "$2/$name" --subtitles "$4" --data "$5" --json
                """
            let added = try stage.start(
                "allspeak-host", [],
                wrapper: [
                    "bash", "-c", script, "bash", film.dub, stage.folder.path, try Child.path(of: "allspeak-host"),
                    film.subtitles, stage.data,
                ]
            ).ended().succeeded().json()
            #expect(added["tracks"][0]["label"].text == "caf\u{FFFD} \u{FFFD}")
            let host = try stage.host(["X"])
            #expect(try stage.remote("status", at: host).succeeded().output.contains("X"))
        }

        @Test("a blank title, an unknown track and a repeated label are matters of the command line")
        func commandLine() throws {
            _ = try add()
            for arguments in [
                ["rename", "night", " "], ["set-default", "night", "Klingon"], ["remove-track", "night", "9"],
                ["add", "--title", " ", "--audio", film.dub, "--subtitles", film.subtitles],
                ["add-track", "night", "--audio", "\(film.dub)=Original"],
            ] {
                let outcome = try stage.hostCommand(["sessions"] + arguments + ["--data", stage.data])
                #expect(outcome.code == 64, "\(arguments)")
                _ = try outcome.sentence()
            }
        }

        @Test("with --json an error is an object on standard output, and nothing is on standard error")
        func errorsInJSON() throws {
            _ = try add()
            for (arguments, code) in [
                (["sessions", "show", "klingon"], 65), (["sessions", "show"], 64),
                (["sessions", "rename", "night", ""], 64),
                (["play", "klingon"], 65), (["play"], 64), (["play", "--port", "x", "night"], 64), (["klingon"], 64),
                (["cues", stage.folder("none")], 65), (["cues"], 64),
            ] {
                let outcome = try stage.hostCommand(arguments + ["--json", "--data", stage.data])
                #expect(outcome.code == Int32(code), "\(arguments)")
                #expect(outcome.errors == "", "\(arguments)")
                #expect(try outcome.json()["error"].text?.isEmpty == false, "\(arguments)")
            }
        }

        @Test("where files of a film are missing, the list says so, and play tells which commands mend it")
        func missing() throws {
            let own = try film.copied(to: stage.folder)
            let host = try stage.host(own.arguments)
            host.running.child.end()
            #expect(try sessions("show", "night").succeeded().output.contains("nothing was copied"))
            try FileManager.default.removeItem(atPath: own.dub)
            #expect(try sessions("list").succeeded().output.contains("(files are missing)"))
            #expect(try sessions("show", "night").succeeded().output.contains("dub.m4a  (missing)"))
            let json = try sessions("show", "night", "--json").succeeded().json()
            #expect(json["missing"].bool == true)
            #expect(json["tracks"].array?.map { $0["missing"].bool } == [false, true])
            func play() throws -> String {
                try stage.hostCommand(["play", "night", "--port", "0", "--output", "null", "--data", stage.data])
                    .sentence()
            }
            let track = try play()
            #expect(
                track.contains("sessions remove-track \(host.sessionID.prefix(8))")
                    && track.contains("sessions add-track"))
            try FileManager.default.removeItem(atPath: own.subtitles)
            #expect(try play().contains("sessions replace-subtitles \(host.sessionID.prefix(8)) FILE"))
            try sessions("replace-subtitles", "night", film.subtitles).succeeded()
            #expect(!(try sessions("show", "night").succeeded().output.contains("nothing was copied")))
        }

        @Test(
            "a film of the library goes before a file of its name; where there is only the file, it is told how to play it"
        )
        func fileOfThatName() throws {
            _ = try add("film.srt")
            let folder = try film.copied(to: stage.folder)
            let script = ["bash", "-c", "cd \"$0\"; exec \"$@\"", stage.folder.path]
            _ = try stage.host(["film.srt"], wrapper: script)
            try sessions("delete", "film.srt").succeeded()
            let outcome = try stage.hostCommand(["play", "film.srt", "--data", stage.data], wrapper: script)
            #expect(outcome.code == 64)
            #expect(try outcome.sentence().contains("--audio film.srt"))
            #expect(FileManager.default.fileExists(atPath: folder.subtitles))
        }

        @Test("what was mended and guessed in subtitles is told on standard error as they are added")
        func mended() throws {
            let path = stage.folder("old.srt")
            let text =
                "1\n00:00:01,000 --> 00:00:00,000\nCze\u{9C}\u{E6}, \u{9C}pieszmy si\u{EA}! Gdzie by\u{B3}e\u{9C}?\n"
            try Data(text.unicodeScalars.map { UInt8($0.value) }).write(to: URL(fileURLWithPath: path))
            let added = try sessions("add", "--title", "T", "--audio", film.dub, "--subtitles", path).succeeded()
            #expect(
                added.errors
                    == "Of the subtitles 1 place was mended, and the encoding was guessed as WINDOWS-1250: allspeak-host cues \(path) tells more.\n"
            )
            let replaced = try sessions("replace-subtitles", "T", film.subtitles, "--json").succeeded()
            #expect(replaced.errors == "")
            let again = try sessions("replace-subtitles", "T", path, "--json").succeeded()
            #expect(again.errors.contains("1 place was mended"))
            let right = try sessions("replace-subtitles", "T", path, "--encoding", "WINDOWS-1251", "--json").succeeded()
            #expect(right.errors.contains("1 place was mended") && !right.errors.contains("guessed"))
            let kept = try #require(try right.json()["subtitles"].text)
            #expect(try String(contentsOfFile: kept, encoding: .utf8).contains("Czeњж, њpieszmy siк!"))
            #expect(try sessions("replace-subtitles", "T", path, "--encoding", "klingon").code == 64)
        }

        /// Whether the host has a file of that name open.
        private func opens(_ host: Host, _ name: String) -> Bool {
            let folder = "/proc/\(host.running.child.process)/fd"
            return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0))?.contains(name) == true
            }
        }

        // MARK: A host at work

        @Test("a playing host takes title, tracks and cues as they change, and plays on")
        func live() throws {
            _ = try add()
            let host = try stage.host(["night tr"])
            let watch = try stage.watch(at: host)
            try watch.connected()
            let client = try RawClient(host)
            try stage.remote("play", at: host).succeeded()
            let before = try client.message("metadata", after: 0)
            func metadata(after mark: Int, _ isSo: (JSON) -> Bool) throws -> JSON {
                let found = client.first(after: mark, within: 5) {
                    $0["kind"].text == "metadata" && isSo($0["payload"]) ? $0 : nil
                }
                return try #require(found)["payload"]
            }
            var mark = client.log.count
            try sessions("rename", "night", "Day Train").succeeded()
            _ = try metadata(after: mark) { $0["title"].text == "Day Train" }

            mark = client.log.count
            let third = try MediaFiles.noise("third.m4a", track: 2, seconds: 60, arguments: MediaFiles.aac)
            try sessions("add-track", "day", "--audio", "\(third)=Third").succeeded()
            let tracks = try metadata(after: mark) { $0["tracks"].array?.count == 3 }["tracks"]
            let thirdID = try #require(tracks[2]["id"].text)

            mark = client.log.count
            try sessions("replace-subtitles", "day", try subtitles("new.srt", "New line")).succeeded()
            let changed = try metadata(after: mark) { $0["revision"].number == 2 }
            #expect(changed["cueDigest"].text != before["payload"]["cueDigest"].text)
            let chunk = try client.message("cueChunk", after: mark)["payload"]
            #expect(chunk["revision"].number == 2)
            #expect(try stage.remote("cues", at: host).succeeded().output.contains("New line"))
            try watch.first("the new line") { $0["cue"]["text"].text == "New line" }

            // The new track can be played at once, and the one it replaces can go.
            _ = try client.command(#""kind":"switchTrack","trackID":"\#(thirdID)""#, id: 1)
            #expect(try stage.remote("status", "--json", at: host).succeeded().json()["isPlaying"].bool == true)

            // The active one goes: the host falls back, at the same position, and plays on.
            mark = client.log.count
            let position = try #require(try stage.remote("status", "--json", at: host).json()["currentTime"].number)
            try sessions("remove-track", "day", "Third").succeeded()
            let fallen = try metadata(after: mark) {
                $0["tracks"].array?.count == 2 && $0["activeTrackID"].text != thirdID
            }
            #expect(fallen["isPlaying"].bool == true)
            let now = try #require(fallen["currentTime"].number)
            #expect(now > position && now < position + 6)
            #expect(
                host.events().filter { ["pause", "soundFailed", "trackFailed", "underrun"].contains($0["event"].text) }
                    .isEmpty)
            let end = MonotonicClock.now() + 3 * Sanitizer.patience
            while opens(host, "third.m4a"), MonotonicClock.now() < end { usleep(10_000) }
            #expect(!opens(host, "third.m4a"), "what is not played is closed")
        }

        @Test("a session deleted under a playing host ends for its remotes, and the host lives on")
        func deleted() throws {
            _ = try add()
            let host = try stage.host(["night", "--start"])
            let client = try RawClient(host)
            let mark = client.log.count
            try sessions("delete", "night").succeeded()
            _ = try client.message("sessionEnded", after: mark)
            _ = try #require(host.event("sessionEnded"))
            #expect(try client.command(#""kind":"play""#, id: 1)["payload"]["code"].text == "noSession")
            #expect(copies == [])
            let late = try RawClient(port: host.port)
            late.send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"late","name":"Late"}}}"#)
            _ = try late.message("sessionEnded")
            host.running.child.signal(SIGTERM)
            #expect(try host.running.ended(within: 5).code == 0)
        }

        @Test("another program's lock on the library delays neither commands nor their replies")
        func locked() throws {
            _ = try add()
            let host = try stage.host(["night", "--start"])
            let client = try RawClient(host)
            let script = """
                import sqlite3, sys, time
                connection = sqlite3.connect(sys.argv[1], isolation_level=None)
                connection.execute("BEGIN EXCLUSIVE"); print("locked", flush=True); time.sleep(30)
                """
            let (reading, locker) = try Child.reading("python3", ["-c", script, stage.data + "/library.sqlite"])
            let log = LineLog(reading: reading)
            try #require(log.first(within: 10) { $0.text == "locked" ? true : nil } == true)
            var slowest = 0.0
            for number in 1...50 {
                let asked = MonotonicClock.now()
                try client.command(#""kind":"seek","time":\#(number)"#, id: number)
                slowest = max(slowest, MonotonicClock.now() - asked)
                usleep(50_000)
            }
            print("slowest reply under a lock: \(Int(slowest * 1e6)) µs")
            #expect(slowest < 0.1 * Sanitizer.patience)
            locker.kill()
            usleep(1_500_000)
            host.running.child.kill()
            let position = try #require(try sessions("show", "night", "--json").succeeded().json()["position"].number)
            #expect(position > 50 && position < 56)
        }

        @Test("two hosts play from one library, each its own film and both the same")
        func twoHosts() throws {
            _ = try add("One")
            _ = try add("Two")
            let hosts = try ["One", "Two", "Two"].map { try stage.host([$0, "--start"]) }
            for (place, host) in hosts.enumerated() {
                try stage.remote("seek", "\(20 * (place + 1))", at: host).succeeded()
            }
            usleep(1_500_000)
            for host in hosts { host.running.child.kill() }
            let list = try #require(try sessions("list", "--json").succeeded().json().array)
            let positions = list.sorted { ($0["title"].text ?? "") < ($1["title"].text ?? "") }.map {
                $0["position"].number ?? 0
            }
            #expect(positions[0] > 20 && positions[0] < 25)
            #expect(positions[1] > 40 && positions[1] < 66)
        }

        // MARK: Giving away

        @Test("one word that means a film asks for the file; one that means none copies the whole library")
        func exportToWhat() throws {
            _ = try add()
            let outcome = try sessions("export", "night")
            #expect(outcome.code == 64)
            #expect(try outcome.sentence().hasPrefix("To which file? allspeak-host sessions export "))
            let copied = try sessions("export", stage.folder("copy")).succeeded()
            #expect(copied.output.hasPrefix("Copied the whole library to "))
        }

        @Test("what is no session file is named, and what can be taken in is")
        func importOthers() throws {
            _ = try add()
            let good = stage.folder("good.allspeak")
            try sessions("export", "night", good).succeeded()
            let zipped = try stage.folder.file("bad.allspeak", Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]))
            let outcome = try sessions("import", zipped, good, film.subtitles, "--json")
            #expect(outcome.code == 65)
            #expect(outcome.errors == "")
            let results = try outcome.json()
            #expect(results[0]["error"].text?.contains("gunzip") == true)
            #expect(results[1]["title"].text == "Night Train")
            #expect(results[2]["error"].text?.contains("it is not a session file, as") == true)
            let cues = try stage.hostCommand(["cues", good])
            #expect(cues.code == 65)
            #expect(
                try cues.sentence().contains("this is a session file; bring it in with `allspeak-host sessions import"))
        }

        @Test("a film goes from one library to another in one file")
        func export() throws {
            _ = try add()
            let exported = try sessions("export", "night", stage.folder.path, "--json").succeeded().json()
            let path = try #require(exported["path"].text)
            #expect(path == stage.folder("Night Train.allspeak"))
            #expect(
                try run("tar", ["tf", path]).split(separator: "\n") == [
                    "manifest.json", "subtitles.srt", "track-1.m4a", "track-2.m4a",
                ])
            let there = stage.folder("there")
            let imported = try stage.hostCommand(["sessions", "import", path, "--data", there, "--json"]).succeeded()
                .json()
            #expect(imported[0]["tracks"].array?.map { $0["label"].text } == ["Original", "Dub"])
            let host = try stage.host(["Night"], data: there)
            #expect(try stage.remote("status", "--json", at: host).succeeded().json()["title"].text == "Night Train")
            let again = try sessions("export", "night", path)
            #expect(again.code == 69)
            #expect(try again.sentence().contains("there is a file of that name"))
        }
    }
}
