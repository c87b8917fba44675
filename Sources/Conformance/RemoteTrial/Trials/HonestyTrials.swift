internal import WireProtocol

/// Nothing is sent twice, and nothing is lost without a word.
extension Trial {
    static var honestyTrials: [Trial] { [nothingTwice, away, brokenWindow, errors] }

    private static var nothingTwice: Trial {
        Trial("resending", needs: .keyboard, seconds: 6) {
            Step.ready
            Step.wait(0.8)
            Step.act { $0.host.replyDelay = nil }
            Step.type("seek 12")
            Step.until(1) { !$0.commands.isEmpty }
            Step.act { $0.mark() }
            Step.reconnect(.abrupt)
            Step.act { $0.host.replyDelay = 0 }
            Step.wait(1.2)
            Step.claim("what was sent on a broken connection is not sent again", "§4") { $0.commands(are: []) }
            Step.claim("and the user is told: “not sent”", "§4") { stage in
                .is(stage.hasSpoken("not sent"), "a line with “not sent”", stage.lastWords)
            }
        }
    }

    private static var away: Trial {
        Trial("away", needs: .keyboard, seconds: 10) {
            Step.ready
            Step.act { stage in
                stage.mark()
                stage.listen(false)
                stage.close(.abrupt)
            }
            Step.wait(0.5)
            Step.type("play")
            Step.until(1.5) { $0.hasSpoken("not sent") }
            Step.claim("a command without a connection is told: “not sent”", "§4") { stage in
                .is(stage.hasSpoken("not sent"), "a line with “not sent”", stage.lastWords)
            }
            Step.act { $0.listen(true) }
            Step.until(8) { $0.isGreeted }
            Step.wait(0.8)
            Step.claim("the remote comes back", "§4") { .is($0.isGreeted, "a hello within 8 s", "none") }
            Step.claim("and does not send it later", "§4") { $0.commands(are: []) }
        }
    }

    private static var brokenWindow: Trial {
        Trial("cut", needs: .keyboard, seconds: 6) {
            Step.ready
            Step.wait(1)
            Step.act { $0.mark() }
            Step.type("+2")
            Step.wait(0.05)
            Step.reconnect(.abrupt)
            Step.wait(1)
            Step.claim("a tap whose window a break cuts short is sent once, or told: “not sent”", "§4") { stage in
                let isTold = stage.hasSpoken("not sent")
                return .is(
                    stage.skips == (isTold ? [] : [2]), "one of the two",
                    "skips: \(Words.numbers(stage.skips)), \(isTold ? "and" : "not") told")
            }
        }
    }

    private static var errors: Trial {
        Trial("errors", needs: .keyboard, seconds: 5) {
            Step.ready
            Step.act { $0.host.refusal = WireError(.trackFailed, "The dub cannot be read.") }
            Step.type(["track 2"], then: 0.4)
            Step.claim("what the host refuses is told", "§5") { stage in
                .is(stage.hasSpoken("The dub cannot be read."), "the host's sentence", stage.lastWords)
            }
            Step.act { $0.host.replyDelay = nil }
            Step.type(["seek 3"], then: 0.3)
            Step.act { stage in
                guard let id = stage.received.last(where: { $0.isCommand })?.frame.id else { return }
                stage.send(
                    stage.line(
                        .object([
                            .init("kind", .string("error")), .init("re", id.json),
                            .init(
                                "payload",
                                .object([
                                    .init("code", .string("hologramLost")),
                                    .init("message", .string("Later\u{1B}[31m\u{202E} words.")),
                                ])),
                        ])))
            }
            Step.wait(0.3)
            Step.claim("also with a code that it does not know", "§11") { stage in
                .is(stage.hasSpoken("Later"), "the host's sentence", stage.lastWords)
            }
            Step.claim("without control characters and direction overrides", "§3") { stage in
                let isClean = !stage.hasSpoken("\u{1B}[31m") && !stage.hasSpoken("\u{202E}")
                return .is(isClean, "neither ESC nor U+202E on the terminal", "one of them")
            }
        }
    }
}

extension Stage {
    /// What was said since the mark, for a report.
    var lastWords: String {
        spoken.isEmpty ? "nothing was said" : spoken.suffix(3).map(\.content).joined(separator: " / ")
    }

    /// A value as a line.
    func line(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes + [0x0A]
    }
}

extension MessageID {
    var json: JSONValue {
        switch self {
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}
