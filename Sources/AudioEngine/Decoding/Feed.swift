internal import Synchronization

/// A request to the decoding thread and what comes of it: the sound of one track from one frame on.
final class Feed: Sendable {
    let trackIndex: Int
    let ring: FrameRing
    /// Set by the reader when it ran dry; the decoding thread tells it once there is more.
    let isStarving = Atomic(false)

    init(trackIndex: Int, start: FilmFrame) {
        self.trackIndex = trackIndex
        ring = FrameRing(start: start)
    }
}
