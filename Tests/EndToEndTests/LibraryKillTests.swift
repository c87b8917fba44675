import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// What kill -9 and a full disk leave of the library.
    @Suite("The library under kill -9 and on a full disk")
    struct LibraryKillTests {
        private let stage: Stage
        private let film: Film

        init() throws {
            stage = try Stage()
            film = try Film.standard()
        }

        private var arguments: [String] {
            [
                "sessions", "add", "--title", "New", "--audio", "\(film.original)=Original", "--audio",
                "\(film.dub)=Dub",
                "--subtitles", film.subtitles,
            ]
        }

        private func titles(_ data: String) throws -> [String?] {
            try stage.hostCommand(["sessions", "list", "--json", "--data", data]).succeeded().json().array?.map {
                $0["title"].text
            } ?? []
        }

        private func isSound(_ data: String) throws -> Bool {
            let script =
                "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])"
            return try run("python3", ["-c", script, data + "/library.sqlite"]) == "ok\n"
        }

        private func folders(_ data: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: data + "/sessions")) ?? []
        }

        @Test("a host killed a hundred times while it plays loses at most a second each time, and never the library")
        func hundredKills() async throws {
            let losses = try await withThrowingTaskGroup(of: [Double].self) { group in
                for lane in 0..<4 { group.addTask { try Self.lane(lane) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            print("100 kills: lost \(losses.map { Int($0 * 1_000) }.sorted().suffix(5)) ms at worst")
            #expect(losses.count == 100)
            #expect(losses.allSatisfy { $0 < 1.1 })
        }

        /// Twenty-five kills of one library's host; gives how many seconds each cost.
        private static func lane(_ lane: Int) throws -> [Double] {
            let own = try LibraryKillTests()
            func start() throws -> Host { try own.stage.host(own.film.arguments + ["--start"]) }
            var losses: [Double] = []
            var host = try start()
            for number in 0..<25 {
                let client = try RawClient(host)
                try client.command(#""kind":"seek","time":\#(Double(number % 3) * 30)"#, id: 1)
                // From at once to past the second save, so that every phase of saving is hit.
                usleep(useconds_t((number * 4 + lane) * 17_000))
                let snapshot = try client.command(#""kind":"play""#, id: 2)["payload"]
                host.running.child.kill()
                let position = try #require(snapshot["currentTime"].number)
                host = try start()
                let resumed = try RawClient(host)
                let back = try resumed.message("metadata")["payload"]
                // It plays at once, so what it begins with is in the first metadata, minus the moment since.
                losses.append(position - (try #require(back["currentTime"].number)))
                #expect(try own.isSound(own.stage.data))
            }
            host.running.child.kill()
            return losses
        }

        @Test("an addition killed at any moment is there whole or not at all, and leaves no files")
        func killedAdding() throws {
            let data = stage.folder("data")
            var outcomes: Set<Int> = []
            for number in 0..<40 {
                let running = try stage.start("allspeak-host", arguments + ["--data", data])
                usleep(useconds_t(number * 8_000))
                running.child.kill()
                let found = try titles(data)
                outcomes.insert(found.count)
                #expect(folders(data).count == found.count, "after \(number * 8) ms")
                #expect(try isSound(data))
                for _ in found { try stage.hostCommand(["sessions", "delete", "New", "--data", data]).succeeded() }
            }
            print("sessions after a kill: \(outcomes.sorted())")
            #expect(outcomes.isSubset(of: [0, 1]) && outcomes.contains(0))
        }

        @Test("a deletion killed at any moment is done or not, with all its files")
        func killedDeleting() throws {
            let data = stage.folder("data")
            for number in 0..<20 {
                if try titles(data).isEmpty { try stage.hostCommand(arguments + ["--data", data]).succeeded() }
                let running = try stage.start("allspeak-host", ["sessions", "delete", "New", "--data", data])
                usleep(useconds_t(number * 6_000))
                running.child.kill()
                let found = try titles(data)
                #expect(folders(data).count == found.count)
                if !found.isEmpty {
                    let tracks = try stage.hostCommand(["sessions", "show", "New", "--json", "--data", data]).json()[
                        "tracks"]
                    for track in tracks.array ?? [] {
                        #expect(FileManager.default.fileExists(atPath: track["path"].text ?? ""))
                    }
                }
            }
        }

        @Test("where no file may grow any further, nothing is added and it is said", arguments: [8, 64, 200, 1_500])
        func fileSizeLimit(kilobytes: Int) throws {
            let data = stage.folder("data")
            try stage.hostCommand(arguments + ["--data", data]).succeeded()
            let before = folders(data)
            // Where TEST_TMPDIR is no folder the thread sanitizer makes no file of its own, which could not grow either.
            let limit = "ulimit -f \(kilobytes); TEST_TMPDIR=/none exec \"$@\""
            let outcome = try stage.start(
                "allspeak-host", arguments + ["--data", data], wrapper: ["bash", "-c", limit, "bash"]
            ).ended()
            #expect(outcome.code == 69, "\(outcome)")
            _ = try outcome.sentence()
            #expect(try titles(data) == ["New"])
            #expect(folders(data) == before)
            #expect(try isSound(data))
        }

        @Test("on a disk that fills up, nothing is added and nothing is lost")
        func fullDisk() throws {
            let disk = try stage.folder.folder("disk")
            // A user namespace lends the right to mount a disk of ten megabytes; it goes with the shell.
            let script = """
                set -e; mount -t tmpfs -o size=10m none "$1"; host=$2; shift 2
                "$host" "$@" --data "$0/d"
                head -c 20000000 /dev/zero > "$0/filler" || true
                status=0; "$host" "$@" --data "$0/d" || status=$?
                rm "$0/filler"
                echo "status $status, sessions $("$host" sessions list --json --data "$0/d" | jq length), folders $(ls "$0/d/sessions" | wc -l)"
                """
            let outcome = try stage.start(
                "allspeak-host", arguments,
                wrapper: ["unshare", "--mount", "--map-root-user", "bash", "-c", script, disk, disk]
            ).ended()
            #expect(outcome.output.contains("status 69, sessions 1, folders 1"), "\(outcome)")
        }

        @Test("on a disk that is full to the last byte, films are shown, and deleted to make room")
        func deleteOnFullDisk() throws {
            let disk = try stage.folder.folder("full")
            let script = """
                set -e; mount -t tmpfs -o size=10m none "$1"; host=$2; shift 2
                "$host" "$@" --data "$0/d" >/dev/null
                head -c 20000000 /dev/zero > "$0/filler" 2>/dev/null || true
                "$host" sessions list --data "$0/d" >/dev/null
                "$host" sessions show New --data "$0/d" >/dev/null
                "$host" sessions remove-track New 1 --data "$0/d" || "$host" sessions list --data "$0/d"
                head -c 20000000 /dev/zero >> "$0/filler" 2>/dev/null || true
                "$host" sessions delete New --data "$0/d"
                echo "sessions $("$host" sessions list --json --data "$0/d" | jq length), folders $(ls "$0/d/sessions" | wc -l)"
                """
            let outcome = try stage.start(
                "allspeak-host", arguments,
                wrapper: ["unshare", "--mount", "--map-root-user", "bash", "-c", script, disk, disk]
            ).ended()
            #expect(outcome.output.contains("sessions 0, folders 0"), "\(outcome)")
        }
    }
}
