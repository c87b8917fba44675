internal import WireProtocol

/// What the typed words become.
extension Trial {
    static var commandTrials: [Trial] { [words, coalescing, window, longTapping, order, firstTap] }

    private static var words: Trial {
        Trial("words", needs: .keyboard, seconds: 8) {
            Step.ready
            for (word, command) in [
                ("play", Command.play), ("pause", .pause), ("toggle", .togglePlayPause),
                ("seek 1:02.5", .seek(time: 62.5)),
                ("cue 4", .seek(time: 10)), ("volume 40", .setVolume(0.4)),
            ] {
                Step.act { $0.mark() }
                Step.type(word)
                Step.until(1) { !$0.commands.isEmpty }
                // Long enough for a second one to come.
                Step.wait(Step.moment)
                Step.claim("“\(word)” is one command", "§6") { $0.commands(are: [command]) }
            }
            Step.act { $0.mark() }
            Step.type("track 2")
            Step.until(1) { !$0.commands.isEmpty }
            Step.wait(Step.moment)
            Step.claim("“track 2” switches to the second track", "§6") { stage in
                stage.commands(are: [.switchTrack(trackID: stage.film?.tracks[1].id ?? "")])
            }
        }
    }

    private static var coalescing: Trial {
        Trial("coalescing", needs: .keyboard, seconds: 6) {
            Step.ready
            Step.type(["+1", "+1", "+1", "+1", "+1"], then: 0.6)
            Step.timed("five quick +1 are one skip of 5", "§6") { $0.commands(are: [.skip(seconds: 5)]) }
            Step.type(["+1", "+3"], then: 0.6)
            Step.timed("+1 and +3 are one skip of 4", "§6") { $0.commands(are: [.skip(seconds: 4)]) }
            Step.type(["+3", "-3"], then: 0.6)
            Step.claim("taps that add up to nothing send nothing", "§6") { $0.commands(are: []) }
            Step.type(["+0.1", "+0.2", "-0.3"], then: 0.6)
            Step.claim("nor do +0.1 +0.2 -0.3, which floating point makes a tiny rest of", "§6") {
                $0.commands(are: [])
            }
        }
    }

    private static var window: Trial {
        Trial("window", needs: .keyboard, seconds: 4) {
            Step.ready
            for tap in 1...4 {
                Step.type("+1")
                Step.wait(tap == 4 ? 0 : 0.15)
            }
            Step.until(1.5) { !$0.commands.isEmpty }
            Step.timed("each tap restarts the window: four taps 0.15 s apart are one skip", "§6") {
                $0.commands(are: [.skip(seconds: 4)]).adding($0.earlySkip)
            }
            Step.timed("which leaves 250 ms after the last tap", "§6") { stage in
                guard let sent = stage.commands.last?.time else { return .not(expected: "a skip", got: "nothing") }
                let seconds = sent - stage.lastTyped
                if let early = stage.earlySkip { return .not(expected: "a skip 0.25 s after the last tap", got: early) }
                stage.note("window after the last tap", seconds)
                return .is(
                    (0.24...0.25 + stage.pace.late).contains(seconds), "a skip 0.25 s after the last tap",
                    Words.seconds(seconds))
            }
        }
    }

    private static var longTapping: Trial {
        Trial("tapping", needs: .keyboard, seconds: 5) {
            Step.ready
            Step.act { $0.mark() }
            for _ in 1...12 {
                Step.type("+1")
                Step.wait(0.12)
            }
            Step.wait(0.6)
            Step.timed("who never stops tapping is heard 1 s after the first tap", "§6") { stage in
                guard let first = stage.commands.first?.time else { return .not(expected: "a skip", got: "nothing") }
                let seconds = first - stage.markedAt
                stage.note("first tap to first skip", seconds)
                return .is((0.95...1 + stage.pace.late).contains(seconds), "1 s", Words.seconds(seconds))
            }
            Step.claim("and no tap is lost or doubled", "§6") { stage in
                let sum = stage.skips.reduce(0, +)
                return .is(sum == 12, "skips that add up to 12", Words.numbers(stage.skips))
            }
        }
    }

    private static var order: Trial {
        Trial("order", needs: .keyboard, seconds: 5, prepare: { $0.host.replyDelay = 0.4 }) {
            Step.ready
            Step.type(["+1", "+3", "seek 10", "-0.5", "play"], then: 0.9)
            Step.claim("taps leave before the command typed after them", "§6") {
                $0.commands(are: [.skip(seconds: 4), .seek(time: 10), .skip(seconds: -0.5), .play])
            }
            Step.claim("commands that wait at the same time have ids of their own", "§6") { stage in
                let ids = stage.received.filter { $0.isCommand }.map(\.frame.id)
                let isGood = ids.allSatisfy { $0 != nil } && Set(ids).count == ids.count
                return .is(isGood, "an id on each, and no two the same", ids.map(Words.id).joined(separator: ", "))
            }
        }
    }

    private static var firstTap: Trial {
        Trial("preview", needs: .keyboard, seconds: 6, prepare: { $0.film?.currentTime = 30 }) {
            Step.ready
            Step.act { $0.host.replyDelay = 0.7 }
            Step.type("+3")
            Step.wait(0.06)
            Step.ask
            Step.claim("the shown position moves with the first tap", "§8") { $0.shows { _ in 33 } }
            Step.until(0.6) { !$0.commands.isEmpty }
            Step.wait(0.25)
            Step.ask
            Step.claim("and stays there until the reply", "§8") { $0.shows { _ in 33 } }
            Step.wait(0.8)
            Step.ask
            Step.claim("and after it", "§8") { $0.shows { _ in 33 } }
            Step.type("-40")
            Step.wait(0.06)
            Step.ask
            Step.claim("taps past the start show 0", "§8") { $0.shows { _ in 0 } }
        }
    }
}

extension Stage {
    /// Tells of a command that did not wait for the last tap, and so has not all of them; `nil` where none did that.
    fileprivate var earlySkip: String? {
        guard let sent = commands.first?.time, sent < lastTyped else { return nil }
        return "sent \(Words.seconds(lastTyped - sent)) before the last of the taps was typed"
    }
}

extension Stage.Received {
    var isCommand: Bool {
        if case .success(.command) = frame.content { true } else { false }
    }
}

extension Words {
    static func id(_ id: MessageID?) -> String {
        switch id {
        case .integer(let number): "\(number)"
        case .text(let text): text
        case nil: "none"
        }
    }
}
