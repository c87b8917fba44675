internal import WireProtocol

/// Cues that the remote asks for.
extension Trial {
    static var pullTrials: [Trial] { [newCues, mixedRevisions, staleRevision, deafHost] }

    /// A film with long cues, and two later revisions of it.
    private static let revised: @Sendable (inout Stage) -> Void = { stage in
        long(&stage)
        stage.spares = (1...2).compactMap { number in
            stage.film.map { $0.revised($0.revision + number, cues: TrialFilm.longCues("\(stage.name)-\(number)")) }
        }
    }

    /// Plays the next revision and tells of it.
    private static var revise: Step {
        .act { stage in
            stage.mark()
            guard !stage.spares.isEmpty else { return }
            let moment = stage.wholeMillisecond
            stage.film = stage.spares.removeFirst()
            stage.film?.anchor = moment
            stage.pushState()
        }
    }

    private static func pullsOneByOne(_ name: String) -> [Step] {
        [
            Step.timed(name, "§9") { stage in
                guard let film = stage.film else { return .holds }
                let got = stage.pulls.filter { $0.request.revision == film.revision }.map(\.request.index)
                return .is(
                    got == Array(film.chunks.indices), "one request for each chunk, from 0",
                    Words.numbers(got.map(Double.init)))
            },
            Step.claim("\(name): one after the other", "§9") { stage in
                let waiting = stage.received.filter { $0.isPull }.map(\.idsWaiting.count).max() ?? 0
                return .is(waiting == 0, "no request while another waits", "\(waiting + 1) at a time")
            },
        ]
    }

    private static var isComplete: @Sendable (Stage) -> Bool {
        { stage in
            stage.pulls.last?.request.revision == stage.film?.revision
                && stage.pulls.last?.request.index == (stage.film?.chunks.count ?? 0) - 1
        }
    }

    private static var newCues: Trial {
        Trial("revision", needs: .nothing, seconds: 10, prepare: revised) {
            Step.wait(0.6)
            Step.act { $0.host.pullDelay = 0.1 }
            revise
            Step.until(6, isComplete)
            Step.wait(0.4)
            pullsOneByOne("after metadata with another digest all chunks are asked for")
            holdsCues("the new cues are held")
        }
    }

    private static var mixedRevisions: Trial {
        Trial(
            "mixture", needs: .nothing, seconds: 10,
            prepare: { stage in
                revised(&stage)
                stage.host.pushedChunks = [0, 1]
            }
        ) {
            Step.wait(0.4)
            revise
            Step.until(7, isComplete)
            Step.wait(0.4)
            pullsOneByOne("pieces of an older revision are thrown away")
            holdsCues("and the new cues are whole")
        }
    }

    private static var staleRevision: Trial {
        Trial(
            "stale", needs: .nothing, seconds: 12,
            prepare: { stage in
                revised(&stage)
                stage.host.pushedChunks = []
                stage.host.pullRefusal = WireError(.staleRevision, "These are not the cues that are played.")
            }
        ) {
            Step.until(4) { !$0.pulls.isEmpty }
            Step.wait(2)
            Step.timed("staleRevision is not answered by a flood of requests", "§7") { stage in
                .is((1...5).contains(stage.pulls.count), "1 to 5 requests in 2 s", "\(stage.pulls.count)")
            }
            Step.act { $0.host.pullRefusal = nil }
            revise
            Step.until(8, isComplete)
            Step.wait(0.4)
            pullsOneByOne("the next metadata begins it anew")
        }
    }

    private static var deafHost: Trial {
        Trial(
            "deaf", needs: .nothing, seconds: 15,
            prepare: { stage in
                stage.host.pushedChunks = []
                stage.host.pullDelay = nil
            }
        ) {
            Step.wait(13)
            Step.timed("a request without an answer is made again after growing pauses", "§9") { stage in
                let times = stage.pulls.map(\.time)
                let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
                for (gap, name) in zip(gaps, ["pause 1", "pause 2", "pause 3", "pause 4"]) { stage.note(name, gap) }
                let isGrowing = zip(gaps, gaps.dropFirst()).allSatisfy { $1 >= 0.9 * $0 }
                let isGood =
                    gaps.count >= 2 && isGrowing && (gaps.min() ?? 0) >= 0.4
                    && (gaps.last ?? 0) >= 1.3 * (gaps.first ?? 0)
                return .is(
                    isGood, "at least three requests, pauses from 0.4 s on that grow",
                    "pauses of \(Words.numbers(gaps)) s")
            }
        }
    }
}

extension Stage.Received {
    var isPull: Bool {
        if case .success(.command(.requestCueChunk)) = frame.content { true } else { false }
    }
}
