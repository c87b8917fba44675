internal import WireProtocol

/// Turning the volume.
extension Trial {
    static var volumeTrials: [Trial] { [volume, turning] }

    private static var volume: Trial {
        Trial("volume", needs: .keyboard, seconds: 10) {
            Step.ready
            Step.type(["volume 10", "volume 20", "volume 30"], then: 0.5)
            Step.timed("of quick turns only the last is sent", "§6") { $0.commands(are: [.setVolume(0.3)]) }
            Step.timed("100 ms after them", "§6") { stage in
                guard let sent = stage.commands.last?.time else { return .not(expected: "a volume", got: "nothing") }
                guard sent >= stage.lastTyped else {
                    return .not(
                        expected: "a volume 0.1 s after the last turn",
                        got: "one \(Words.seconds(stage.lastTyped - sent)) before the last turn was typed")
                }
                stage.note("window of the volume", sent - stage.lastTyped)
                return .is(
                    (0.09...0.1 + stage.pace.late).contains(sent - stage.lastTyped), "0.1 s",
                    Words.seconds(sent - stage.lastTyped))
            }
            Step.wait(1.4)
            Step.type(["volume 30"], then: 0.5)
            Step.claim("a volume that is set already is not sent", "§6") { $0.commands(are: []) }
            Step.wait(1.4)
            Step.act { stage in
                stage.film?.volume = 0.7
                stage.place(12.5)
            }
            Step.wait(Step.moment)
            Step.type(["volume 30"], then: 0.5)
            Step.claim("but it is when somebody else has set another meanwhile", "§6") {
                $0.commands(are: [.setVolume(0.3)])
            }
            Step.wait(1.4)
            Step.act { $0.host.refusal = WireError(.outputLost, "There is no output.") }
            Step.type(["volume 60"], then: 0.5)
            Step.act { $0.host.refusal = nil }
            Step.type(["volume 60"], then: 0.5)
            Step.claim("and again after it was refused", "§6") { $0.commands(are: [.setVolume(0.6)]) }
        }
    }

    private static var turning: Trial {
        Trial("turning", needs: .keyboard, seconds: 5) {
            Step.ready
            for percent in 1...20 {
                Step.act { $0.type(["volume \(percent)"]) }
                Step.wait(0.03)
            }
            Step.wait(0.5)
            Step.claim("a long turn is thinned out", "§6") { stage in
                .is((1...10).contains(stage.volumes.count), "1 to 10 of 20 values", Words.numbers(stage.volumes))
            }
            Step.claim("and its last value is the last one sent", "§6") { stage in
                .is(stage.volumes.last == 0.2, "0.2 at last", Words.numbers(stage.volumes))
            }
        }
    }
}
