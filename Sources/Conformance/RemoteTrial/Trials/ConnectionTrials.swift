internal import WireProtocol

/// Hello, ping, silence and coming back.
extension Trial {
    static var connectionTrials: [Trial] { [greeting, pings, silence, reconnecting, shutdown, turnedAway] }

    private static var greeting: Trial {
        Trial("greeting", needs: .nothing, seconds: 4) {
            Step.timed("says hello within a second of connecting", "§4") { stage in
                guard let first = stage.connections.first, let greeted = first.greeted else {
                    return .not(expected: "hello", got: "none")
                }
                stage.note("from connecting to hello", greeted - first.opened)
                return .is(
                    greeted - first.opened <= 1 + stage.pace.late, "hello within 1 s",
                    Words.seconds(greeted - first.opened))
            }
            Step.claim("its hello has protocol 1 and an id of 1 to 128 bytes", "§6") { stage in
                guard let hello = stage.hellos.first?.hello else { return .not(expected: "hello", got: "none") }
                return .is(
                    hello.protocolVersion == 1, "protocol 1", "protocol \(hello.protocolVersion)")
            }
            Step.wait(1.5)
            Step.claim("connecting moves nothing", "§1") { stage in
                .is(stage.commands.isEmpty, "no command", Words.list(stage.commands.map(\.command)))
            }
            Step.reconnect()
            Step.claim("it comes back, under the same id", "§6") { stage in
                let ids = stage.hellos.map(\.hello.remoteID)
                return .is(ids.count > 1 && Set(ids).count == 1, "the same id twice", ids.joined(separator: ", "))
            }
        }
    }

    private static var pings: Trial {
        Trial("pings", needs: .nothing, seconds: 13) {
            Step.wait(0.3)
            Step.act { $0.mark() }
            Step.act { $0.send(.ping(.object([]))) }
            Step.until(1) { !$0.pongs.isEmpty }
            Step.claim("answers a ping with a pong", "§8") { stage in
                .is(!stage.pongs.isEmpty, "a pong within 1 s", "none")
            }
            // A remote may measure the clock by some pings at the start.
            Step.wait(1.2)
            Step.act { $0.mark() }
            Step.wait(11)
            Step.timed("pings every 5 s", "§4") { stage in
                var gaps: [Double] = []
                var last = stage.markedAt
                for ping in stage.pings {
                    gaps.append(ping - last)
                    last = ping
                }
                if gaps.count > 1 { stage.note("between two pings", gaps[1]) }
                let longest = max(gaps.max() ?? 0, stage.now - last)
                // Five a second while the clocks are uncertain; what a busy machine held up comes at once.
                let isFlooded = zip(stage.pings.dropFirst(6), stage.pings).contains { $0 - $1 < 0.9 - stage.pace.late }
                return .is(
                    !gaps.isEmpty && !isFlooded && longest <= 6 + stage.pace.late,
                    "pings never more than 6 s apart, and about five in a second at most",
                    "\(gaps.count) pings in 11 s, at most \(Words.seconds(longest)) apart")
            }
        }
    }

    private static var silence: Trial {
        Trial("silence", needs: .nothing, seconds: 15) {
            Step.wait(0.3)
            Step.act { $0.host.answersPings = false }
            Step.until(14) { !($0.connections[0].isOpen) }
            Step.timed("gives a silent host up after 12 s", "§4") { stage in
                guard let ended = stage.connections[0].ended else {
                    return .not(expected: "a close after 12 s", got: "none within 14 s")
                }
                let seconds = ended - stage.lastSentBeforeSilence
                stage.note("silence until it gave up", seconds)
                return .is((11.8...12.5 + stage.pace.late).contains(seconds), "12 s", Words.seconds(seconds))
            }
            Step.act { $0.host.answersPings = true }
            Step.until(2) { $0.isGreeted }
            Step.claim("and connects again", "§4") { stage in
                .is(stage.isGreeted, "a new connection within 2 s", "none")
            }
        }
    }

    private static var reconnecting: Trial {
        Trial("reconnecting", needs: .nothing, seconds: 22) {
            Step.wait(1.3)
            Step.act { $0.host.welcome = .closed }
            Step.act { $0.close(.abrupt) }
            Step.until(24) { $0.connections.count >= 9 }
            Step.timed("tries again at once", "§4") { stage in
                guard let gap = stage.reconnectGaps.first else { return .not(expected: "a retry", got: "none") }
                stage.note("first retry", gap)
                return .is(gap <= 0.1 + stage.pace.late, "at once", Words.seconds(gap))
            }
            Step.timed("then after 0.25 s, doubling to 5 s", "§4") { stage in
                let gaps = stage.reconnectGaps
                for (gap, name) in zip(gaps.dropFirst(), Stage.gapNames) { stage.note(name, gap) }
                let wanted = Stage.nominalGaps
                let isGood =
                    gaps.count >= 8
                    && zip(gaps.dropFirst(), wanted).allSatisfy { gap, wanted in
                        gap >= 0.5 * wanted && gap <= 1.25 * wanted + stage.pace.late
                    }
                return .is(
                    isGood, "about \(Words.numbers(wanted)) s, a half to 1.25 of each",
                    Words.numbers(Array(gaps.dropFirst())))
            }
            Step.timed("with jitter", "§4") { stage in
                // Being late by some hundredths of a second would look like jitter of the short ones.
                let ratios = zip(stage.reconnectGaps.dropFirst(4), Stage.nominalGaps.dropFirst(3)).map { $0 / $1 }
                let spread = (ratios.max() ?? 0) - (ratios.min() ?? 0)
                return .is(
                    ratios.count >= 4 && spread > stage.pace.late / 4,
                    "pauses that are not all the same part of the nominal ones",
                    Words.numbers(ratios))
            }
        }
    }

    private static var shutdown: Trial {
        Trial("shutdown", needs: .nothing, seconds: 7) {
            Step.wait(1.3)
            Step.act { stage in
                stage.host.welcome = .closed
                stage.send(.goodbye(.shutdown))
                stage.close(.orderly)
            }
            Step.wait(4)
            Step.timed("after goodbye shutdown it does not hammer", "§4") { stage in
                let tries = stage.connections.count - 1
                return .is(tries <= 7, "at most 7 connections in 4 s", "\(tries)")
            }
        }
    }

    private static var turnedAway: Trial {
        Trial("full", needs: .nothing, seconds: 7) {
            Step.wait(1.3)
            Step.act { stage in
                stage.host.welcome = .turnedAway
                stage.close(.orderly)
            }
            Step.wait(4)
            Step.timed("a host that greets and turns it away is not hammered", "§4") { stage in
                let tries = stage.connections.count - 1
                return .is(tries <= 8, "at most 8 connections in 4 s", "\(tries)")
            }
        }
    }
}

extension Stage {
    /// Seconds between the retries after the first one.
    static let nominalGaps = [0.25, 0.5, 1, 2, 4, 5, 5]
    static let gapNames = ["retry 2", "retry 3", "retry 4", "retry 5", "retry 6", "retry 7", "retry 8"]

    /// Seconds from each end of a connection to the next one.
    var reconnectGaps: [Double] {
        zip(connections, connections.dropFirst()).map { $1.opened - ($0.ended ?? $1.opened) }
    }

    /// When the last byte went out on the first connection.
    var lastSentBeforeSilence: SteadyTime { connections[0].lastSent }
}
