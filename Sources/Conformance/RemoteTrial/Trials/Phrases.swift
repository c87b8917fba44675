internal import WireProtocol

/// Groups of steps that several trials share.
extension Step {
    /// Seconds for something that should not come.
    static let moment = 0.15

    /// Waits until the remote takes typed lines and shows the film.
    static var ready: [Step] {
        [
            .act { $0.ask() },
            .until(seconds: 5) { stage in
                stage.said.contains { StateLine($0.content)?.text.contains(stage.film?.title ?? "") == true }
            },
            // What a remote does at the start, pings and the cues, is not to disturb what is measured.
            .wait(0.4), .act { $0.mark() },
        ]
    }

    /// Asks for the state and waits for the answer.
    static var ask: [Step] {
        [.act { $0.ask() }, .until(seconds: 2) { $0.state != nil }]
    }

    /// Waits until the remote has taken in what was sent, and asks for the state.
    ///
    /// A pong tells: a stream keeps its order. A remote without pongs gets two seconds.
    static var askWhenTaken: [Step] {
        [.act { $0.sendMarkedPing() }, .until(seconds: 2) { $0.hasMarkedPong }, .wait(0.03)] + ask
    }

    /// Types these lines at once and waits for their effect.
    static func type(_ lines: [String], then seconds: Double) -> [Step] {
        [.act { $0.mark() }, .act { $0.type(lines) }, .wait(seconds)]
    }

    /// Breaks the connection and waits for the next one's hello.
    static func reconnect(_ ending: TrialAction.Ending = .orderly) -> [Step] {
        [.act { $0.close(ending) }, .until(seconds: 8) { $0.isGreeted }]
    }
}
