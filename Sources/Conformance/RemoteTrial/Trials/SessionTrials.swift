internal import WireProtocol

/// Films that end and follow each other.
extension Trial {
    static var sessionTrials: [Trial] { [sessionEnded, sessionReplaced] }

    private static var sessionEnded: Trial {
        Trial("ended", needs: .keyboard, seconds: 5) {
            Step.ready
            Step.act { $0.send(.sessionEnded) }
            Step.askWhenTaken
            Step.claim("after sessionEnded no position is shown", "§5") { stage in
                .is(
                    stage.state.map { $0.line.position == nil } == true, "-:--",
                    stage.state?.line.position.map(Words.seconds) ?? "no state was told")
            }
            Step.claim("and neither title nor cue", "§5") { stage in
                let text = stage.state?.line.text ?? "Night Train"
                return .is(!text.contains("Night Train") && !text.contains("Line "), "neither", text)
            }
            Step.act { $0.place(22) }
            Step.askWhenTaken
            Step.claim("the next metadata brings a film back", "§5") { $0.shows { _ in 22 } }
        }
    }

    private static var sessionReplaced: Trial {
        Trial(
            "replaced", needs: .keyboard, seconds: 6,
            prepare: { stage in
                var next = TrialFilm(
                    sessionID: "next-\(stage.name)", revision: 1, title: "Day\u{1B}[31m Boat\u{202E}",
                    cues: TrialFilm.shortCues("the boat \(stage.name)"), anchor: stage.now)
                next.currentTime = 31
                stage.spares = [next]
            }
        ) {
            Step.ready
            Step.act { stage in
                guard let old = stage.film, let new = stage.spares.first else { return }
                let moment = stage.wholeMillisecond
                // The last word on the old film and the first on the new one may have the same date.
                stage.place(60)
                stage.film = new
                stage.film?.anchor = moment
                stage.film.map { stage.send(stage.metadata(of: $0)) }
                var late = old
                (late.currentTime, late.anchor) = (77, moment + 0.5)
                stage.send(stage.snapshot(of: late))
            }
            Step.askWhenTaken
            Step.claim(
                "another film's metadata replaces the position, and what comes late of the old one is dropped", "§8"
            ) {
                $0.shows { _ in 31 }
            }
            Step.claim("and the title", "§5") { $0.states("Boat") }
            Step.claim("without its control characters and direction overrides", "§3") { stage in
                let said = stage.said.map(\.content)
                return .is(
                    said.allSatisfy { !$0.contains("\u{1B}[31m") && !$0.contains("\u{202E}") },
                    "neither ESC nor U+202E on the terminal", "one of them")
            }
            Step.claim("cues of the old film are shown no more", "§9") { stage in
                let text = stage.state?.line.text ?? "Line of nothing"
                return .is(!text.contains("Line ") || text.contains("of the boat"), "none of the old film", text)
            }
            Step.until(4) { !$0.pulls.isEmpty }
            Step.askWhenTaken
            Step.claim("the new film's cues are asked for and shown", "§9") { $0.states("Line 11 of the boat") }
        }
    }
}
