internal import WireProtocol

/// What position is shown.
extension Trial {
    static var positionTrials: [Trial] { [position, currentCue] }

    private static var position: Trial {
        Trial("position", needs: .keyboard, seconds: 12) {
            Step.ready
            Step.ask
            Step.claim("a paused film stands", "§8") { $0.shows { _ in 12.5 } }
            Step.wait(0.5)
            Step.ask
            Step.claim("and does not run", "§8") { $0.shows { _ in 12.5 } }
            Step.act { $0.place(40, isPlaying: true) }
            Step.askWhenTaken
            Step.timed("a playing one runs from currentTime at serverDate", "§8", shownFilm)
            Step.wait(0.7)
            Step.ask
            Step.timed("and goes on running", "§8", shownFilm)
            Step.act { $0.place(50, isPlaying: true, at: $0.wholeMillisecond + 0.8) }
            Step.askWhenTaken
            Step.timed("it does not run before a serverDate that lies ahead", "§8", shownFilm)
            Step.wait(1)
            Step.ask
            Step.timed("but from then on", "§8", shownFilm)
            Step.act { $0.place(119.5, isPlaying: true) }
            Step.wait(0.9)
            Step.ask
            Step.claim("it does not run past the end", "§8") { $0.shows { _ in 120 } }
            Step.act { $0.place(125) }
            Step.askWhenTaken
            Step.claim("a position past the end shows the end", "§8") { $0.shows { _ in 120 } }
            Step.act { $0.place(-3) }
            Step.askWhenTaken
            Step.claim("one before the start shows 0", "§8") { $0.shows { _ in 0 } }
        }
    }

    static let shownFilm: @Sendable (inout Stage) -> Verdict = { stage in
        guard let film = stage.film else { return .holds }
        return stage.shows { film.position(at: $0) }
    }

    private static var currentCue: Trial {
        let moments: [(String, Double, String)] = [
            ("before the first cue the first one is the current one", 5, "One"),
            ("of equal starts the later one is", 20, "Three"),
            ("a start that is 0.0004 s away is reached", 19.9996, "Three"),
            ("one that is 0.001 s away is not", 19.999, "One"),
            ("the end of a cue does not matter", 29.5, "Three"),
            ("a cue is current at its start, with the digits that the wire has", 40.123, "Four"),
            ("the last one stays to the end", 110, "Four"),
        ]
        return Trial(
            "cue", needs: .keyboard, seconds: 6,
            prepare: { stage in
                let cues = [(1, 10.0, "One"), (2, 20, "Two"), (3, 20, "Three"), (4, 40.123, "Four")].map {
                    Cue(index: $0.0, start: $0.1, end: $0.1 + 1, text: "\($0.2) of \(stage.name)")
                }
                stage.film = TrialFilm(
                    sessionID: "cues-\(stage.name)", title: "Night Train", cues: cues, anchor: stage.now)
            }
        ) {
            Step.ready
            for (name, time, text) in moments {
                Step.act { $0.place(time) }
                Step.askWhenTaken
                Step.claim(name, "§9") { $0.states("\(text) of") }
            }
        }
    }
}
