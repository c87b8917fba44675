package import WireProtocol

/// The film that the judge's host plays: what it says of it and where it is.
package struct TrialFilm: Equatable, Sendable {
    package var sessionID: String
    package var revision: Int
    package var title: String
    /// Seconds.
    package var duration = 120.0
    package var volume: Double? = 0.5
    package var activeTrack = 0
    package var isPlaying = false
    /// Seconds, audible at `anchor`.
    package var currentTime = 12.5
    /// When `currentTime` is audible.
    package var anchor: SteadyTime
    package private(set) var cues: [Cue]
    package private(set) var digest: String
    package private(set) var chunks: [CueChunk]

    package init(sessionID: String, revision: Int = 3, title: String, cues: [Cue], anchor: SteadyTime) {
        self.sessionID = sessionID
        self.revision = revision
        self.title = title
        self.anchor = anchor
        self.cues = cues
        digest = CueBundle.digest(of: cues)
        let all = CueChunks(CueBundle(sessionID: sessionID, revision: revision, cues: cues))
        chunks = (0..<all.count).compactMap { all[$0] }
    }

    /// Another revision of it with other cues.
    package func revised(_ revision: Int, cues: [Cue]) -> TrialFilm {
        var new = TrialFilm(sessionID: sessionID, revision: revision, title: title, cues: cues, anchor: anchor)
        (new.isPlaying, new.currentTime) = (isPlaying, currentTime)
        return new
    }

    package var tracks: [SessionMetadata.Track] {
        [.init(id: "original-\(sessionID)", label: "Original"), .init(id: "dub-\(sessionID)", label: "Dub")]
    }

    /// Seconds that a remote has to show at `now`, `seconds` of taps included.
    package func position(at now: SteadyTime, plus seconds: Double = 0) -> Double {
        let run = isPlaying ? max(0, now - anchor) : 0
        return min(duration, max(0, currentTime + run + seconds))
    }

    /// Cues like `Line 4 of NAME`, one every three seconds from 1 s on.
    package static func shortCues(_ name: String) -> [Cue] {
        (1...12).map { number in
            let start = Double(number * 3 - 2)
            return Cue(index: number, start: start, end: start + 2.5, text: "Line \(number) of \(name)")
        }
    }

    /// Cues whose texts hardly compress, so that the bundle needs several chunks.
    package static func longCues(_ name: String) -> [Cue] {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        // Knuth's linear congruential generator: any noise does that gzip cannot guess.
        var state = name.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        return (1...160).map { number in
            let noise = (0..<800).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return letters[Int(state >> 33) % letters.count]
            }
            let start = Double(number * 3 - 2)
            let text = "Line \(number) of \(name) " + String(decoding: noise, as: UTF8.self)
            return Cue(index: number, start: start, end: start + 2.5, text: text)
        }
    }
}
