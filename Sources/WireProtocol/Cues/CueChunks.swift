/// A bundle compressed once and cut up for `cueChunk` messages.
package struct CueChunks: Equatable, Sendable {
    package let sessionID: String
    package let revision: Int
    private let gzip: [UInt8]

    package init(_ bundle: CueBundle) {
        sessionID = bundle.sessionID
        revision = bundle.revision
        gzip = Gzip.compress(bundle.json)
    }

    /// At least 1.
    package var count: Int {
        max(1, (gzip.count + Limits.cueChunkBytes - 1) / Limits.cueChunkBytes)
    }

    /// The chunk at `index`, or `nil` past either end.
    package subscript(index: Int) -> CueChunk? {
        guard (0..<count).contains(index) else { return nil }
        let start = index * Limits.cueChunkBytes
        let data = gzip[start..<min(gzip.count, start + Limits.cueChunkBytes)]
        return CueChunk(
            sessionID: sessionID, revision: revision, index: index, totalChunks: count, data: Array(data))
    }
}
