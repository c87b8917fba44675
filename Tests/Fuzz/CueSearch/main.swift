import CueSearch
import FuzzKit
import WireProtocol

/// The query stands before the first NUL, the cues' texts behind it, parted by NULs.
fuzz { input in
    let parts = input.split(separator: 0, maxSplits: 65, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
    let cues = parts.dropFirst().enumerated().map { Cue(index: $0 + 1, start: Double($0), end: 99, text: $1) }
    let index = CueIndex(cues)
    let matches = index.find(parts[0])
    for (above, match) in zip(matches, matches.dropFirst()) {
        must((above.rank, above.place) < (match.rank, match.place), "matches are ranked, and each cue is there once")
    }
    must(matches.allSatisfy { cues.indices.contains($0.place) }, "matches are cues")
    must(index.find(parts[0], limit: 3) == Array(matches.prefix(3)), "a limit only cuts")
    let capitals = index.find(parts[0].uppercased())
    if parts[0].unicodeScalars.allSatisfy(\.isASCII) {
        must(capitals == matches, "capitals find the same")
    }
    // A cue finds itself, unless it has no letters or more of them than a query may have.
    for (place, cue) in cues.enumerated() where cue.text.unicodeScalars.count <= CueIndex.maximumQueryScalars {
        let found = index.find(cue.text)
        must(found.isEmpty || found.contains { $0.place == place }, "a cue finds itself")
    }
}
