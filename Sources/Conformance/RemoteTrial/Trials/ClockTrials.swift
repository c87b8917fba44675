internal import WireProtocol

/// Two machines with two clocks, and a network that dawdles.
extension Trial {
    static var clockTrials: [Trial] {
        [clock("ahead", by: 5), clock("behind", by: -5), jitter]
    }

    private static func clock(_ name: String, by seconds: Double) -> Trial {
        Trial(
            "clock-\(name)", needs: .keyboard, seconds: 5,
            prepare: { stage in
                stage.host.skew = seconds
                stage.film?.isPlaying = true
                stage.film?.currentTime = 20
            }
        ) {
            Step.ready
            Step.ask
            Step.timed("the position is right though the host's clock is 5 s \(name)", "§8", shownFilm)
            Step.act { $0.place(60, isPlaying: true) }
            Step.wait(0.5)
            Step.ask
            Step.timed("and stays so after a jump", "§8", shownFilm)
        }
    }

    private static var jitter: Trial {
        Trial(
            "jitter", needs: .keyboard, seconds: 16,
            prepare: { stage in
                stage.film?.isPlaying = true
                stage.film?.currentTime = 20
                // One pong comes quickly, those before and after it late.
                stage.host.pongDelay = { (2.5...7.5).contains($0) ? 0 : 0.4 }
            }
        ) {
            Step.ready
            Step.wait(1)
            Step.ask
            Step.timed("a pong 0.4 s late makes the position at most 0.2 s wrong", "§8") { stage in
                guard let film = stage.film else { return .holds }
                return stage.shows(within: 0.2 + stage.pace.drift) { film.position(at: $0) }
            }
            Step.until(8) { stage in
                stage.connections.first?.greeted.map { stage.now - $0 > 7.5 } ?? true
            }
            Step.ask
            Step.timed("after a quick pong it is right", "§8", shownFilm)
            Step.wait(5.5)
            Step.ask
            Step.timed("and later slow ones do not spoil it", "§8", shownFilm)
        }
    }
}
