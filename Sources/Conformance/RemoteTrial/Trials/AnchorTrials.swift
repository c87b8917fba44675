internal import WireProtocol

/// Which message the position is counted from.
extension Trial {
    static var anchorTrials: [Trial] { [anchors] }

    /// Says where the film is, by metadata or a snapshot, `seconds` after the mark by the host's clock.
    private static func say(_ position: Double, inSnapshot isSnapshot: Bool, at seconds: Double) -> Step {
        .act { stage in
            guard var film = stage.film else { return }
            film.currentTime = position
            film.anchor = stage.moment(of: stage.date(stage.markedAt)) + seconds
            stage.send(isSnapshot ? stage.snapshot(of: film) : stage.metadata(of: film))
        }
    }

    private static func shows(_ position: Double, _ name: String) -> [Step] {
        Step.askWhenTaken + [Step.claim(name, "§8") { $0.shows { _ in position } }]
    }

    private static var anchors: Trial {
        Trial("anchor", needs: .keyboard, seconds: 8) {
            Step.ready
            Step.wait(0.1)
            Step.act { $0.mark() }
            say(10, inSnapshot: false, at: 0)
            say(20, inSnapshot: true, at: 0)
            shows(20, "of metadata and snapshot of the same date the snapshot counts")
            say(30, inSnapshot: true, at: -0.05)
            shows(20, "a snapshot older than the last is dropped")
            say(40, inSnapshot: false, at: 1)
            shows(40, "newer metadata counts")
            say(50, inSnapshot: true, at: 0.5)
            shows(40, "over a snapshot of an older date, too")
            say(60, inSnapshot: true, at: 2)
            shows(60, "a newer snapshot counts")
            say(70, inSnapshot: false, at: 1.5)
            shows(60, "over metadata of an older date, too")
            Step.act { stage in
                guard var film = stage.film else { return }
                (film.currentTime, film.anchor) = (80, stage.markedAt + 3)
                film.sessionID += "-other"
                stage.send(stage.snapshot(of: film))
            }
            shows(60, "a snapshot of another session is dropped")
            Step.act { stage in
                guard var film = stage.film else { return }
                (film.currentTime, film.anchor) = (85, stage.markedAt + 3)
                film.revision += 1
                stage.send(stage.snapshot(of: film))
            }
            shows(60, "and one of another revision")
            say(90, inSnapshot: true, at: 4)
            say(95, inSnapshot: false, at: 4)
            shows(90, "of equal dates the snapshot counts, also when it comes first")
            Step.act { stage in
                let anHourAgo = stage.wholeMillisecond + -3600
                stage.film?.currentTime = 15
                stage.film?.anchor = anHourAgo
            }
            Step.reconnect()
            shows(15, "the first message of a new connection counts, whatever its date")
        }
    }
}
