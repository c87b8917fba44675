internal import WireProtocol

/// Cues that the host pushes.
extension Trial {
    static var cueTrials: [Trial] { [pushed, shuffled, lost, brokenOff, wrongDigest] }

    /// A film whose cues need several chunks.
    static let long: @Sendable (inout Stage) -> Void = { stage in
        stage.film = TrialFilm(
            sessionID: "long-\(stage.name)", title: "Night Train", cues: TrialFilm.longCues(stage.name),
            anchor: stage.now)
    }

    /// Breaks the connection and looks whether the next hello names the film's cues.
    static func holdsCues(_ name: String) -> [Step] {
        Step.reconnect() + [
            Step.claim(name, "§9") { stage in
                .is(
                    stage.holdsCues, "a hello with the session and digest of the film",
                    stage.heldCues.map { "cues of \($0.sessionID), \($0.digest)" } ?? "a hello without cues")
            }
        ]
    }

    static func pulls(are wanted: [Int]) -> @Sendable (inout Stage) -> Verdict {
        { stage in
            let got = stage.pulls.map(\.request.index)
            return .is(
                got == wanted,
                wanted.isEmpty
                    ? "no request for a chunk that came" : "requests for \(Words.numbers(wanted.map(Double.init)))",
                got.isEmpty ? "no request" : "requests for \(Words.numbers(got.map(Double.init)))")
        }
    }

    private static var pushed: Trial {
        Trial("pushed", needs: .nothing, seconds: 5) {
            Step.wait(2.2)
            Step.timed("cues that are pushed are not asked for", "§9", pulls(are: []))
            holdsCues("after a reconnect hello names the cues that it holds")
        }
    }

    private static var shuffled: Trial {
        Trial(
            "shuffled", needs: .nothing, seconds: 5,
            prepare: { stage in
                long(&stage)
                let places = stage.film?.chunks.indices.reversed() ?? []
                stage.host.pushedChunks = places.flatMap { $0 == places.last ? [$0] : [$0, $0] }
            }
        ) {
            Step.wait(2.2)
            Step.timed("chunks may come in any order and twice", "§9", pulls(are: []))
            holdsCues("and make whole cues")
        }
    }

    private static var lost: Trial {
        Trial(
            "lost", needs: .nothing, seconds: 8,
            prepare: { stage in
                long(&stage)
                stage.host.pushedChunks = stage.film?.chunks.indices.filter { $0 != 2 }
            }
        ) {
            Step.until(5) { !$0.pulls.isEmpty }
            Step.wait(1)
            Step.timed("a lost chunk is asked for, and only that", "§9", pulls(are: [2]))
            holdsCues("which completes the cues")
        }
    }

    private static var brokenOff: Trial {
        Trial(
            "partial", needs: .nothing, seconds: 12,
            prepare: { stage in
                long(&stage)
                stage.host.pushedChunks = [0, 1]
            }
        ) {
            Step.wait(0.4)
            Step.act { $0.host.pushedChunks = [] }
            Step.reconnect()
            Step.claim("half a download is not named in hello", "§9") { stage in
                .is(!stage.holdsCues, "a hello without these cues", "one with them")
            }
            Step.act { $0.mark() }
            Step.until(8) { stage in stage.pulls.count >= 2 }
            Step.wait(0.8)
            Step.timed("after a break it goes on where it was", "§9") { stage in
                let rest = Array(2..<(stage.film?.chunks.count ?? 2))
                return pulls(are: rest)(&stage)
            }
            holdsCues("and completes the cues")
        }
    }

    private static var wrongDigest: Trial {
        Trial(
            "digest", needs: .keyboard, seconds: 12,
            prepare: { stage in
                stage.film.map { film in
                    let wrong = film.cues.map { cue in
                        Cue(index: cue.index, start: cue.start, end: cue.end, text: "Wrong " + cue.text)
                    }
                    stage.host.wrongChunks = film.revised(film.revision, cues: wrong).chunks
                }
            }
        ) {
            Step.ready
            Step.wait(4)
            Step.ask
            Step.claim("cues whose digest is not the metadata's are not shown", "§9") { stage in
                .is(
                    stage.said.allSatisfy { !$0.content.contains("Wrong Line") }, "no wrong cue",
                    stage.state?.line.text ?? "a wrong cue")
            }
            Step.timed("and asked for again, with pauses", "§9") { stage in
                let count = stage.pulls.count
                return .is((1...8).contains(count), "1 to 8 requests in 4 s", "\(count)")
            }
            Step.reconnect()
            Step.claim("nor are they named in hello", "§9") { stage in
                .is(!stage.holdsCues, "a hello without these cues", "one with them")
            }
            Step.act { stage in
                stage.host.wrongChunks = nil
                stage.push(chunks: [0])
            }
            Step.askWhenTaken
            Step.claim("the right ones are shown once they come", "§9") { $0.states("Line 4 of") }
        }
    }
}
