import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Cue download: every event in every stage") struct CueDownloadGridTests {
    enum Stage: String, CaseIterable {
        case fresh, done, suspended, awaiting, requesting, pausing, givenUp
    }

    enum Event: String, CaseIterable {
        case sameMetadata, newerMetadata, noCues, sameDigest
        case pushedChunk, repliedChunk, foreignPush, foreignReply
        case stale, busy, due, notDue, cacheHit, cacheMiss, disconnected, ended
    }

    /// Per event the stage after it, in the order of `Stage`; `=` stays, with its time unless a `*` says renewed.
    ///
    /// `+` stands for a request sent.
    static let grid: [Event: [String]] = [
        //               fresh       done        suspended   awaiting     requesting   pausing      givenUp
        .sameMetadata: ["awaiting", "=", "awaiting", "=", "=", "=", "="],
        .newerMetadata: ["awaiting", "awaiting", "awaiting", "awaiting*", "awaiting", "awaiting", "awaiting"],
        .noCues: ["done", "=", "done", "done", "done", "done", "done"],
        .sameDigest: ["awaiting", "=", "awaiting", "awaiting*", "awaiting", "awaiting", "awaiting"],
        .pushedChunk: ["=", "=", "=", "awaiting*", "=", "awaiting", "="],
        .repliedChunk: ["=", "=", "requesting+", "requesting+", "requesting+", "requesting+", "="],
        .foreignPush: ["=", "=", "=", "=", "=", "=", "="],
        .foreignReply: ["=", "=", "pausing", "pausing", "pausing", "pausing", "="],
        .stale: ["=", "=", "=", "=", "givenUp", "=", "="],
        .busy: ["=", "=", "=", "=", "pausing", "=", "="],
        .due: ["=", "=", "=", "requesting+", "pausing", "requesting+", "="],
        .notDue: ["=", "=", "=", "=", "=", "=", "="],
        .cacheHit: ["=", "=", "done", "done", "done", "done", "done"],
        .cacheMiss: ["=", "=", "=", "=", "=", "=", "="],
        .disconnected: ["=", "=", "=", "suspended", "suspended", "suspended", "suspended"],
        .ended: ["=", "fresh", "fresh", "fresh", "fresh", "fresh", "fresh"],
    ]

    private static let cues = noisyCues(1_000)
    private static let pieces = chunks(of: cues)
    private static let told = metadata(cues: cues)
    private static let toldAgain = metadata(revision: 2, cues: cues)

    private func download(_ stage: Stage) -> CueDownload {
        var download = CueDownload()
        guard stage != .fresh else { return download }
        _ = download.take(Self.told, now: at(0))
        switch stage {
        case .fresh, .awaiting: break
        case .done: _ = download.loaded(Self.cues)
        case .suspended: download.disconnected()
        case .requesting: _ = download.tick(now: at(1))
        case .pausing:
            _ = download.tick(now: at(1))
            _ = download.tick(now: at(3))
        case .givenUp:
            _ = download.tick(now: at(1))
            download.refused(WireError(.staleRevision, ""), now: at(1))
        }
        return download
    }

    private func name(_ download: CueDownload) -> String {
        switch download.stage {
        case .idle: download.timeline == nil ? "fresh" : "done"
        case .suspended: "suspended"
        case .awaitingPush: "awaiting"
        case .requesting: "requesting"
        case .pausing: "pausing"
        case .givenUp: "givenUp"
        }
    }

    private func apply(_ event: Event, _ download: inout CueDownload) -> [CueDownload.Step] {
        let now = at(3.1)
        // Of another index than the one requested: the lowest missing.
        var chunk = Self.pieces[1]
        switch event {
        case .sameMetadata: return download.take(Self.told, now: now)
        case .sameDigest: return download.take(Self.toldAgain, now: now)
        case .newerMetadata: return download.take(metadata(revision: 2, cues: someCues(3)), now: now)
        case .noCues: return download.take(metadata(cues: []), now: now)
        case .pushedChunk: return download.take(chunk, isReply: false, now: now)
        case .repliedChunk: return download.take(chunk, isReply: true, now: now)
        case .foreignPush, .foreignReply:
            chunk.revision = 9
            return download.take(chunk, isReply: event == .foreignReply, now: now)
        case .stale, .busy:
            download.refused(WireError(event == .stale ? .staleRevision : .tooManyRequests, ""), now: now)
            return []
        case .due: return download.tick(now: download.nextDeadline ?? now)
        case .notDue: return download.tick(now: download.nextDeadline.map { $0 + -0.001 } ?? now)
        case .cacheHit: return download.loaded(Self.cues)
        case .cacheMiss: return download.loaded(someCues(2))
        case .disconnected:
            download.disconnected()
            return []
        case .ended: return download.sessionEnded()
        }
    }

    @Test("goes where the grid says", arguments: Stage.allCases, Event.allCases)
    func grid(stage: Stage, event: Event) throws {
        var download = download(stage)
        #expect(name(download) == stage.rawValue)
        let before = download.stage
        let steps = apply(event, &download)
        let requested = steps.contains { if case .request = $0 { true } else { false } }
        let place = try #require(Stage.allCases.firstIndex(of: stage))
        let expected = try #require(Self.grid[event]?[place])
        switch expected.last {
        case "=": #expect(name(download) == stage.rawValue && download.stage == before && !requested)
        case "*": #expect(name(download) + "*" == expected && download.stage != before && !requested)
        default: #expect(name(download) + (requested ? "+" : "") == expected)
        }
    }
}
