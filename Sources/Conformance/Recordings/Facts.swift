package import RemoteCore
package import WireProtocol

/// What a replay has learnt so far: values to compare with later ones, and anchors.
package struct Facts: Equatable, Sendable {
    package var variables: [String: JSONValue]
    package var anchors: [String: Anchor] = [:]
    /// Seconds that a position by an anchor may depart beyond what its pattern allows, while the film plays.
    package var positionSlack = 0.0

    package init(variables: [String: JSONValue] = [:]) {
        self.variables = variables
    }

    /// The film's facts under the names that every recording may use.
    package init(of film: FilmFacts) {
        // Sums wrap: the numbers are a stranger's.
        variables = [
            "session": .string(film.sessionID), "revision": .integer(film.revision), "title": .string(film.title),
            "digest": .string(film.digest), "duration": .number(film.duration), "cueCount": .integer(film.cueCount),
            "chunks": .integer(film.chunks), "lastChunk": .integer(film.chunks &- 1),
            "olderRevision": .integer(film.revision &- 1), "newerRevision": .integer(film.revision &+ 1),
        ]
        for (place, track) in film.tracks.enumerated() {
            variables["track\(place)"] = .string(track.id)
            variables["label\(place)"] = .string(track.label)
            variables["track:\(track.label)"] = .string(track.id)
        }
        for (place, start) in film.cueStarts.prefix(1_000).enumerated() {
            variables["cue\(place)"] = .number(start)
        }
    }
}

/// What a host tells of its film, as the preparation of a recording finds it.
package struct FilmFacts: Equatable, Sendable {
    package var sessionID: String
    package var revision: Int
    package var title: String
    package var digest: String
    /// Seconds, of the active track.
    package var duration: Double
    package var cueCount: Int
    package var chunks: Int
    package var tracks: [SessionMetadata.Track]
    /// Seconds.
    package var cueStarts: [Double]
    package var hasVolume: Bool

    /// Place of the current cue at `time` seconds.
    package func place(at time: Double) -> Int {
        var (low, high) = (0, cueStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if cueStarts[middle] <= time + 0.000_5 { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The first thing that `needed` asks for and this film lacks, in words.
    package func lack(of needed: Recording.Film) -> String? {
        if duration < needed.seconds { return "a film of at least \(Int(needed.seconds)) s" }
        if tracks.count < needed.tracks { return "a film with \(needed.tracks) tracks" }
        if cueCount < needed.cues { return "a film with \(needed.cues) cues" }
        if chunks < needed.chunks { return "a film whose cues fill \(needed.chunks) chunks" }
        if let wanted = needed.hasVolume, wanted != hasVolume {
            return wanted ? "an output with a volume" : "an output without a volume"
        }
        let labels = tracks.map(\.label)
        return needed.trackLabels.first { !labels.contains($0) }.map { "a track labelled \($0)" }
    }
}
