import Foundation
import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

/// Whole screens, as they read.
@Suite("Remote screen: what is to be seen") struct ScreenTests {
    private static var film: FilmHost {
        var host = FilmHost()
        host.duration = 7_080
        host.cues = [
            Cue(index: 1, start: 3_700, end: 3_705, text: "Where is the ticket?"),
            Cue(
                index: 2, start: 3_730, end: 3_735,
                text: "I gave it to the man in the grey coat,\nthe one who did not say a word."),
            Cue(index: 3, start: 3_742, end: 3_745, text: "He got off an hour ago."),
            Cue(index: 4, start: 3_760, end: 3_765, text: "אז לאן אנחנו נוסעים?"),
            Cue(index: 5, start: 3_770, end: 3_775, text: "次の駅で降りましょう。"),
        ]
        return host
    }

    /// In the middle of the film, it playing.
    private static func stage(_ columns: Int, _ rows: Int) -> Stage {
        var stage = Stage.connected(ScreenSize(columns: columns, rows: rows), host: film)
        stage.other("Anna", .seek(time: 3_725))
        stage.other(nil, .play)
        stage.pass(10)
        return stage
    }

    @Test("the three pages", arguments: [(20, 10), (40, 14), (80, 18), (200, 12)]) func pages(columns: Int, rows: Int) {
        var stage = Self.stage(columns, rows)
        stage.press("L")
        for page in ["1", "2", "3"] {
            stage.press(page)
            Self.compare(stage, "\(columns)x\(rows) page \(page)")
        }
    }

    @Test("where there is room, play state and time are read at arm's length") func big() throws {
        var stage = Self.stage(80, 24)
        #expect(
            stage.rows[4...6].joined(separator: "\n") == """
                ██▄▖      ╻  ╻ ┏━┓ ╺━┓ ╻  ╻  ┏━╸
                ██████    ┃    ┃ ┃ ┏━┛    ┃  ┗━┓   Playing
                ██▀▘      ╹  ╹ ┗━┛ ┗━╸ ╹  ╹  ╺━┛
                """)
        stage.press("p")
        #expect(stage.rows[4...6].allSatisfy { $0.hasPrefix("██  ██") })
        #expect(stage.row("Paused") != nil)
        let narrow = Self.stage(59, 24)
        #expect(narrow.row("▶ Playing") != nil)
    }

    @Test(
        "tiny screens, connected and not",
        arguments: [(1, 1), (2, 1), (8, 1), (30, 1), (8, 2), (12, 3), (3, 4), (16, 4), (10, 6)])
    func tiny(columns: Int, rows: Int) {
        var stage = Self.stage(columns, rows)
        Self.compare(stage, "\(columns)x\(rows)")
        stage.lose()
        Self.compare(stage, "\(columns)x\(rows) lost")
    }

    @Test("what lies over the pages", arguments: ["?", "U", "/man grey", "o", "oa192.168.1.5"]) func overlays(
        keys: String
    ) {
        var stage = Self.stage(40, 12)
        stage.give(.hosts([laptop, tower], searchFailure: nil))
        stage.press(keys)
        Self.compare(stage, "overlay \(keys)")
    }

    private static func compare(_ stage: Stage, _ name: String) {
        let text = stage.text
        #expect(text == screens[name], "=== \(name)\n\(text)\n=== end")
    }

    private static let screens: [String: String] = {
        var screens: [String: String] = [:]
        for part in seen.components(separatedBy: "=== ").dropFirst() {
            let lines = part.components(separatedBy: "\n")
            screens[lines[0]] = lines.dropFirst().dropLast().map { String($0.dropFirst()) }.joined(separator: "\n")
        }
        return screens
    }()
}
