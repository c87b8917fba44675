import FuzzKit
import WireProtocol

/// Seconds to ask the timeline about: around every cue, and beyond both ends.
func moments(of cues: [Cue]) -> [Double] {
    [-1, 0, Limits.filmSeconds] + cues.prefix(32).flatMap { [$0.start, $0.start - 0.001, $0.end] }
}

func check(_ timeline: CueTimeline) {
    let cues = timeline.cues
    must(zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start }, "a timeline is sorted by start")
    for time in moments(of: cues) {
        let last = cues.lastIndex { $0.start <= time + 0.000_5 } ?? 0
        must(timeline.currentIndex(at: time) == last, "the current cue is the last that has started")
    }
}

/// The bytes between the first `"cues":` and the final brace, which a client in any language may hash.
func hashedPart(of json: [UInt8]) -> [UInt8] {
    let key = Array(#""cues":"#.utf8)
    let start = json.indices.first { json[$0...].starts(with: key) } ?? json.startIndex
    return Array(json[(start + key.count)...].dropLast())
}

func check(_ bundle: CueBundle) {
    for cue in bundle.cues {
        must(abs(cue.start) <= Limits.filmSeconds && abs(cue.end) <= Limits.filmSeconds, "cue times are film times")
    }
    // A session named like the key would stand before it; the specification forbids no such name.
    if !bundle.sessionID.contains("cues") {
        must(
            SHA256.hexadecimalDigest(of: hashedPart(of: bundle.json)) == CueBundle.digest(of: bundle.cues),
            "the digest is that of the bytes as they travel")
    }
    let chunks = CueChunks(bundle)
    var gzip: [UInt8] = []
    for index in 0..<chunks.count {
        guard let chunk = chunks[index] else { return must(false, "every chunk is there") }
        must(chunk.data.count <= Limits.cueChunkBytes && chunk.totalChunks == chunks.count, "chunks fit the limit")
        gzip += chunk.data
    }
    must(chunks[-1] == nil && chunks[chunks.count] == nil, "there is no chunk past either end")
    let back = mustNotThrow("a written bundle can be read") { () throws(CueBundle.DecodingError) in
        try CueBundle(gzip: gzip)
    }
    must(back == bundle, "a bundle reads back as it was written")
    must(CueBundle.digest(of: back.cues) == CueBundle.digest(of: bundle.cues), "and has the same digest")
    check(CueTimeline(bundle.cues))
}

/// Cues that start at the input's bytes, so that no JSON stands between the fuzzer and the search.
func timeline(of bytes: [UInt8]) -> CueTimeline {
    CueTimeline(
        bytes.prefix(32).enumerated().map { place, byte in
            Cue(index: place, start: Double(byte) / 1000, end: Double(byte), text: "x")
        })
}

fuzz { input in
    check(timeline(of: input))
    var choices = Choices(input)
    // Mutated gzip seldom passes its checksum, so the other half of the inputs is compressed here.
    let isGzip = choices.flag()
    let content = choices.remainder()
    if let bundle = try? CueBundle(gzip: isGzip ? content : Gzip.compress(content)) { check(bundle) }
    if isGzip, let inflated = try? Gzip.decompress(content, maximumBytes: 1 << 20) {
        must(inflated.count <= 1 << 20, "no more is inflated than allowed")
        let again = try? Gzip.decompress(Gzip.compress(inflated), maximumBytes: 1 << 20)
        must(again == inflated, "what is compressed inflates to the same")
    }
}
