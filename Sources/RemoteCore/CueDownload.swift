package import WireProtocol

/// Gets a session's cues: from the cache, the host's push, or chunk by chunk, and lets none through unchecked.
package struct CueDownload: Sendable {
    /// What the owner has to do next.
    package enum Step: Equatable, Sendable {
        case request(CueChunkRequest)
        /// Look into the cache on disk, and answer with `loaded`.
        case load(RemoteHello.HeldCues)
        /// Put freshly downloaded cues there.
        case store(RemoteHello.HeldCues, [Cue])
        /// `timeline` is another now.
        case published
    }

    /// Seconds without a pushed chunk after which the missing ones are asked for.
    package static let pushPatience = 1.0
    /// Seconds from a request to giving up on its reply.
    package static let replyTimeout = 2.0
    /// Seconds of pause after a failure, doubled for each further one in a row.
    package static let firstPause = 0.5
    package static let longestPause = 8.0

    private struct Key: Equatable {
        var sessionID: String
        var revision: Int
        var digest: String
    }

    enum Stage: Equatable {
        /// Nothing is missing, or nothing is known to be there.
        case idle
        /// No connection; chunks are kept.
        case suspended
        case awaitingPush(until: SteadyTime)
        case requesting(index: Int, until: SteadyTime)
        case pausing(until: SteadyTime)
        /// Only other metadata or another connection helps.
        case givenUp
    }

    private var key: Key?
    private(set) var stage = Stage.idle
    private var chunks: [Int: [UInt8]] = [:]
    private var total: Int?
    private var failures = 0

    /// Checked cues, safe to show; empty for a session without any, `nil` while they are missing.
    package private(set) var timeline: CueTimeline?
    /// What a hello may say we hold.
    package private(set) var held: RemoteHello.HeldCues?

    package init() {}

    /// Chunks here and in all, while a download is under way and its size is known.
    package var progress: (received: Int, total: Int)? {
        total.map { (chunks.count, $0) }
    }

    package var nextDeadline: SteadyTime? {
        switch stage {
        case .awaitingPush(let until), .requesting(_, let until), .pausing(let until): until
        case .idle, .suspended, .givenUp: nil
        }
    }

    /// Takes cues that the cache holds before anything is connected, to be named in the hello.
    package mutating func preload(_ cues: [Cue], sessionID: String) {
        guard key == nil else { return }
        publish(cues, as: .init(sessionID: sessionID, digest: CueBundle.digest(of: cues)))
    }

    package mutating func take(_ metadata: SessionMetadata, now: SteadyTime) -> [Step] {
        let new = Key(sessionID: metadata.sessionID, revision: metadata.revision, digest: metadata.cueDigest)
        if metadata.cueCount <= 0 {
            let isNews = timeline?.cues.isEmpty != true
            self = CueDownload()
            key = new
            timeline = CueTimeline([])
            return isNews ? [.published] : []
        }
        if let held, held.digest == new.digest {
            self.held?.sessionID = new.sessionID
            key = new
            finish()
            return []
        }
        if new == key {
            if stage == .suspended { stage = .awaitingPush(until: now + Self.pushPatience) }
            return []
        }
        let hadCues = timeline != nil
        self = CueDownload()
        key = new
        stage = .awaitingPush(until: now + Self.pushPatience)
        let load = Step.load(.init(sessionID: new.sessionID, digest: new.digest))
        return hadCues ? [.published, load] : [load]
    }

    /// Takes the cache's answer to `Step.load`; cues that are not the wanted ones are passed over.
    package mutating func loaded(_ cues: [Cue]) -> [Step] {
        guard let key, stage != .idle, CueBundle.digest(of: cues) == key.digest else { return [] }
        publish(cues, as: .init(sessionID: key.sessionID, digest: key.digest))
        return [.published]
    }

    /// Takes a chunk, pushed or asked for, in any order; one that is already here does no harm.
    package mutating func take(_ chunk: CueChunk, isReply: Bool, now: SteadyTime) -> [Step] {
        guard let key, stage != .idle, stage != .givenUp else { return [] }
        guard chunk.sessionID == key.sessionID, chunk.revision == key.revision,
            chunk.data.count <= Limits.cueChunkBytes, (0..<chunk.totalChunks).contains(chunk.index)
        else {
            if isReply { pause(now) }
            return []
        }
        guard chunk.totalChunks <= Limits.cueChunks else {
            // A stray one does no harm; what the host answers is how it is, and asking again would not change it.
            guard isReply else { return [] }
            discardChunks()
            stage = .givenUp
            return []
        }
        // Another count means another compression of the bundle: pieces of the two don't fit together.
        if let total, total != chunk.totalChunks { discardChunks() }
        total = chunk.totalChunks
        chunks[chunk.index] = chunk.data
        if chunks.count == chunk.totalChunks { return assemble(key, now) }
        if isReply {
            failures = 0
            return requestMissing(now)
        }
        switch stage {
        case .requesting(let index, _) where chunks[index] == nil: break
        case .awaitingPush, .requesting, .pausing: stage = .awaitingPush(until: now + Self.pushPatience)
        case .idle, .suspended, .givenUp: break
        }
        return []
    }

    /// The host refused the request under way.
    package mutating func refused(_ error: WireError, now: SteadyTime) {
        guard case .requesting = stage else { return }
        switch error.code {
        case .staleRevision, .noSession:
            // Metadata of the newer revision is on its way.
            discardChunks()
            stage = .givenUp
        case .chunkOutOfRange:
            discardChunks()
            pause(now)
        default:
            pause(now)
        }
    }

    package mutating func tick(now: SteadyTime) -> [Step] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        if case .requesting = stage {
            pause(now)
            return []
        }
        return requestMissing(now)
    }

    /// The connection broke; chunks wait for the same metadata to come again.
    package mutating func disconnected() {
        if stage != .idle { stage = .suspended }
        failures = 0
    }

    /// Forgets all cues.
    package mutating func sessionEnded() -> [Step] {
        let hadCues = timeline != nil
        self = CueDownload()
        return hadCues ? [.published] : []
    }

    private mutating func requestMissing(_ now: SteadyTime) -> [Step] {
        guard let key else { return [] }
        let index = (0..<(total ?? 1)).first { chunks[$0] == nil } ?? 0
        stage = .requesting(index: index, until: now + Self.replyTimeout)
        return [.request(CueChunkRequest(sessionID: key.sessionID, revision: key.revision, index: index))]
    }

    private mutating func assemble(_ key: Key, _ now: SteadyTime) -> [Step] {
        var gzip: [UInt8] = []
        for index in 0..<chunks.count { gzip += chunks[index] ?? [] }
        let read: (bundle: CueBundle, writtenDigest: String)?
        do throws(CueBundle.DecodingError) {
            read = try CueBundle.read(gzip: gzip)
        } catch .tooLarge {
            // Asked for again it would be no smaller.
            discardChunks()
            stage = .givenUp
            return []
        } catch {
            read = nil
        }
        guard let (bundle, writtenDigest) = read, bundle.sessionID == key.sessionID,
            writtenDigest == key.digest || CueBundle.digest(of: bundle.cues) == key.digest
        else {
            discardChunks()
            pause(now)
            return []
        }
        let held = RemoteHello.HeldCues(sessionID: key.sessionID, digest: key.digest)
        publish(bundle.cues, as: held)
        return [.store(held, bundle.cues), .published]
    }

    private mutating func publish(_ cues: [Cue], as held: RemoteHello.HeldCues) {
        timeline = CueTimeline(cues.map(\.safeToShow))
        self.held = held
        finish()
    }

    private mutating func finish() {
        discardChunks()
        failures = 0
        stage = .idle
    }

    private mutating func discardChunks() {
        chunks = [:]
        total = nil
    }

    private mutating func pause(_ now: SteadyTime) {
        // 2^4 already passes the longest pause.
        let seconds = min(Self.longestPause, Self.firstPause * Double(1 << min(failures, 4)))
        failures += 1
        stage = .pausing(until: now + seconds)
    }
}
