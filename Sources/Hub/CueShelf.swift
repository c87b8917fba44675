package import WireProtocol

/// The active session's cue bundle, compressed and cut up once, as lines ready to send.
package struct CueShelf: Sendable {
    package let sessionID: String
    package let digest: String
    private let chunks: CueChunks
    package var revision: Int { chunks.revision }
    /// The pushed form of each chunk.
    package let lines: [[UInt8]]

    package init(_ bundle: CueBundle, digest: String) {
        sessionID = bundle.sessionID
        self.digest = digest
        let chunks = CueChunks(bundle)
        self.chunks = chunks
        lines = (0..<chunks.count).compactMap { index in
            chunks[index].map { HostMessage.cueChunk($0).line() }
        }
    }

    /// Whether a remote that holds `held` needs nothing.
    package func isHeld(by held: RemoteHello.HeldCues?) -> Bool {
        held?.sessionID == sessionID && held?.digest == digest
    }

    /// Answers `requestCueChunk`.
    package func answer(_ request: CueChunkRequest) -> Result<CueChunk, WireError> {
        guard request.sessionID == sessionID, request.revision == chunks.revision else {
            return .failure(
                WireError(.staleRevision, "The cues of this session are now at revision \(chunks.revision)."))
        }
        guard let chunk = chunks[request.index] else {
            return .failure(
                WireError(.chunkOutOfRange, "Chunks are numbered from 0 to \(chunks.count - 1)."))
        }
        return .success(chunk)
    }
}
