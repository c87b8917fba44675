import Foundation
import TestKit
import Testing

extension EndToEnd {
    @Suite("The full-screen remote")
    struct ScreenTests {
        private let stage: Stage

        init() throws {
            stage = try Stage()
        }

        private func film() throws -> Host { try stage.host(try Film.standard().arguments) }

        @Test("three pages, at any width", arguments: [20, 40, 80, 200])
        func pages(columns: Int) throws {
            let host = try film()
            try stage.remote("seek", "33", at: host).succeeded()
            let remote = try ScreenRemote(stage, at: host, columns: columns)
            try remote.shows("Paused", "0:33", "-1:27", "This is line 9.")
            try remote.terminal.press("p")
            try remote.shows("Playing")
            _ = try #require(host.event("play"))
            try remote.terminal.press("p")
            _ = try #require(host.event("pause"))
            try remote.terminal.press("2")
            try remote.shows("This is line 9.", "This is line 10.", "This is line 11.")
            try remote.terminal.press("3")
            try remote.shows("✓ Original", "Dub")
            #expect(try remote.screen.allSatisfy { $0.count <= columns })
            try remote.terminal.press("q")
            try remote.ended(0)
        }

        @Test("the pages at eighty columns, as the README shows them")
        func readme() throws {
            let host = try stage.host(try Film.standard().arguments, "--name", "laptop")
            try stage.remote("seek", "33", at: host).succeeded()
            let remote = try ScreenRemote(stage, at: host, rows: 16)
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
            let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            for (key, what) in [("1", "This is line 10."), ("2", "This is line 12."), ("3", "✓ Original")] {
                try remote.terminal.press(key)
                try remote.shows(what, "Paused")
                let page = try remote.screen.joined(separator: "\n")
                let isInReadme = readme.contains(page)
                #expect(isInReadme, "\(page)")
            }
        }

        @Test("five taps are shown at once and arrive as one skip, and u takes it back")
        func skips() throws {
            let host = try film()
            try stage.remote("seek", "20", at: host).succeeded()
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("0:20")
            try remote.terminal.press("l", "l", "L")
            try remote.shows("0:25")
            let skip = try #require(host.event("skip"))
            #expect(skip["seconds"].number == 5)
            try remote.terminal.press("u")
            try remote.shows("0:20", "Undone")
        }

        @Test("a line is gone to by Enter, by a finger, by [ and ], and by what was said in it")
        func lines() throws {
            let host = try film()
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("Paused")
            try remote.terminal.press("2")
            try remote.shows("This is line 5.")
            try remote.terminal.press("j", "j", "Enter")
            try sought(host, 0, to: 3)
            let row = try #require(try remote.terminal.screen.firstIndex { $0.contains("This is line 5.") })
            try remote.tap(row: row, column: 12)
            try sought(host, 1, to: 5)
            try remote.terminal.press("]")
            try sought(host, 2, to: 6)
            try remote.terminal.press("[")
            try sought(host, 3, to: 5)
            try remote.terminal.press("/")
            try remote.terminal.type("line 21")
            try remote.shows("This is line 21.")
            try remote.terminal.press("Enter")
            try sought(host, 4, to: 21)
        }

        /// Whether the host was asked `place` times for other lines before, and then for the start of line `number`.
        private func sought(_ host: Host, _ place: Int, to number: Int) throws {
            let targets = {
                host.events().filter { ["seek", "skip"].contains($0["event"].text) }.compactMap { $0["to"].number }
            }
            for _ in 0..<400 where targets().count <= place { usleep(25_000) }
            #expect(targets().dropFirst(place).first.map { abs($0 - Film.line(number).start) < 0.001 } == true)
        }

        @Test("another track is switched to, and what another remote does is shown with its name")
        func tracks() throws {
            let host = try film()
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("Paused")
            try remote.terminal.press("3")
            try remote.shows("✓ Original", "Dub")
            try remote.terminal.press("j", "Enter")
            try remote.shows("✓ Dub")
            _ = try #require(host.event("track"))
            let phone = try RawClient(host, as: "Phone in row 7")
            try phone.command(#""kind":"seek","time":60"#, id: 1)
            _ = try phone.reply(to: 1)
            try remote.shows("1:00", "Phone in row 7")
        }

        @Test("a host that dies is told, waited for, and found again")
        func hostDies() throws {
            let port = try film().port
            let host = try stage.host(try Film.standard().arguments, port: port)
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("Paused")
            host.running.child.kill()
            try remote.shows("Reconnecting")
            try remote.terminal.press("2")
            try remote.shows("This is line 1.")
            let again = try stage.host(try Film.standard().arguments, port: port)
            try remote.terminal.waitForScreen("no word of reconnecting") { !$0.contains { $0.contains("econnecting") } }
            try remote.terminal.press("p")
            _ = try #require(again.event("play", within: 10))
        }

        @Test("without a host it says so, and takes an address")
        func typedAddress() throws {
            stage.withoutAvahi()
            let host = try film()
            let remote = try ScreenRemote(stage)
            try remote.shows("address")
            try remote.terminal.press("a")
            try remote.terminal.type("127.0.0.1:\(host.port)")
            try remote.terminal.press("Enter")
            try remote.shows("Paused", "Night Train")
            // From now on it is known.
            let second = try ScreenRemote(stage)
            try second.shows("Paused", "Night Train")
        }

        @Test("of several hosts one is picked, and found by itself the next time")
        func several() throws {
            try Services.require()
            let first = try stage.host(try Film.standard().arguments, isAnnounced: true, "--name", "First")
            let second = try stage.host(
                try Film.standard().arguments, isAnnounced: true, data: stage.folder("other"), "--name", "Second")
            let remote = try ScreenRemote(stage)
            try remote.shows("Second", "First")
            #expect(first.running.child.isRunning)
            let row = try #require(try remote.terminal.screen.firstIndex { $0.contains("Second") })
            try remote.tap(row: row, column: 4)
            try remote.shows("Paused")
            try remote.terminal.press("p")
            _ = try #require(second.event("play", within: 10))
            try remote.terminal.press("p", "q")
            try remote.ended(0)
            let next = try ScreenRemote(stage)
            try next.shows("Paused", "Second")
        }

        @Test("leaves the terminal as it was, however it ends", arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT])
        func signals(signal: Int32) throws {
            let host = try film()
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("Paused")
            try remote.terminal.waitForValue("#{alternate_on}", "1")
            kill(try remote.process(), signal)
            try remote.ended([SIGSEGV, SIGABRT].contains(signal) ? 128 + Int(signal) : 0)
            #expect(try remote.terminal.value("#{cursor_flag} #{mouse_any_flag}") == "1 0")
        }

        @Test("keys that come together with q are for nobody any more")
        func keysBehindTheEnd() throws {
            let host = try film()
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("Paused")
            try remote.terminal.type("qpL")
            try remote.ended(0)
            #expect(host.events().isEmpty)
        }

        @Test("storms of sizes, down to one cell, and it goes on")
        func sizes() throws {
            let host = try film()
            let remote = try ScreenRemote(stage, at: host)
            try remote.shows("Paused")
            for (columns, rows) in [(1, 1), (200, 60), (2, 3), (7, 2), (80, 1), (1, 40), (33, 9), (80, 24)] {
                try remote.terminal.resize(columns: columns, rows: rows)
            }
            try remote.shows("Paused", "Night Train", "0:00")
        }

        @Test("as lines for a screen reader: the same keys, and each thing told once")
        func plain() throws {
            let host = try film()
            let remote = try ScreenRemote(stage, at: host, "--plain")
            try remote.shows("Night Train")
            try remote.terminal.press("p")
            _ = try #require(host.event("play"))
            try remote.shows("Playing", "This is line 1.")
            try remote.terminal.press("p", "L", "t")
            try remote.shows("Paused")
            _ = try #require(host.event("skip"))
            #expect(try remote.terminal.value("#{alternate_on}") == "0")
            try remote.terminal.press("q")
            try remote.ended(0)
        }
    }
}
