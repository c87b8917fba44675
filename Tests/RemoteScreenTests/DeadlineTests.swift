import RemoteCore
import Testing
import TextScreen
import WireProtocol

@testable import RemoteScreen

@Suite("Waking up") struct DeadlineTests {
    @Test("paused and idle: not at all, on no page", arguments: ["1", "2", "3", "?", "/", "U"]) func paused(
        keys: String
    ) {
        var stage = Stage.connected()
        stage.press(keys)
        stage.pass(10)
        #expect(stage.screen.nextDeadline(after: stage.now) == nil)
        #expect(stage.reader.nextDeadline(stage.screen, after: stage.now) == nil)
    }

    @Test("playing: once a second, and for the bar where it is wide") func playing() {
        var host = FilmHost()
        host.cues = []
        host.duration = 7_200
        for (columns, wakes) in [(20, 60...61), (200, 60...64)] {
            var stage = Stage.connected(ScreenSize(columns: columns, rows: 20), host: host)
            stage.press("p")
            stage.pass(1)
            #expect(wakes.contains(stage.pass(60)))
        }
    }

    @Test("a short film's bar moves smoothly, ten times a second at most") func shortFilm() {
        var host = FilmHost()
        (host.cues, host.duration) = ([], 20)
        var stage = Stage.connected(ScreenSize(columns: 200, rows: 20), host: host)
        stage.press("p")
        let wakes = stage.pass(10)
        #expect((90...112).contains(wakes))
    }

    @Test("always on: once a minute, but in seconds for a while after a key") func dim() {
        var options = RemoteScreen.Options()
        options.isDim = true
        var host = FilmHost()
        host.duration = 7_230
        var stage = Stage.connected(ScreenSize(columns: 40, rows: 14), host: host, options: options)
        stage.other(nil, .seek(time: 725))
        stage.other(nil, .play)
        stage.pass(2)
        #expect(stage.row("12:07") != nil && stage.row("Line") != nil)
        stage.pass(13)
        #expect(stage.row("12 min")?.hasSuffix("-109 min") == true && stage.row("Line") == nil)
        #expect((10...11).contains(stage.pass(600)))
        #expect(stage.row("22 min") != nil)
        stage.press("?")
        stage.press("x")
        #expect(stage.row("22:20") != nil)
    }

    @Test("the time begins to run when its sound does") func anchorToCome() throws {
        var stage = Stage.connected()
        stage.host.isPlaying = true
        stage.host.since = stage.now + 0.5
        let later = stage.host.date(stage.now + 0.5)
        var snapshot = stage.host.snapshot(stage.now)
        snapshot.serverDate = later
        stage.receive(.snapshot(snapshot))
        let deadline = try #require(stage.screen.nextDeadline(after: stage.now))
        #expect(abs(deadline - stage.now - 1.5) < 0.01)
    }

    @Test("at the end of the film all is still") func end() {
        var stage = Stage.connected()
        stage.other(nil, .play)
        stage.other(nil, .seek(time: 397.5))
        stage.pass(20)
        #expect(stage.screen.nextDeadline(after: stage.now) == nil && stage.row("6:40")?.hasSuffix("-0:00") == true)
    }
}
