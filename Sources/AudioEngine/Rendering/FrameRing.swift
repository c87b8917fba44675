internal import Synchronization

/// A stretch of the film's sound between the decoding thread, which writes it, and the sound thread, which reads it.
///
/// Frames are addressed by their place in the film. The reader may read any frame between what it has released and what is
/// written, as often as it likes: a splice needs sound again that the server was given already but has not played.
// Unchecked: one writer and one reader, which own disjoint parts of the memory; the two counters hand parts over
// (release on publishing, acquire on looking).
final class FrameRing: @unchecked Sendable {
    /// 1.4 s: a fifth of a second of it lies in the server's queue as well, the rest outlasts a slow disk.
    ///
    /// A power of two.
    static let capacity: FilmFrame = 65_536

    /// The first frame it holds.
    let start: FilmFrame
    private let samples: UnsafeMutablePointer<Float>
    private let written: Atomic<FilmFrame>
    private let released: Atomic<FilmFrame>
    private let ended = Atomic(false)

    init(start: FilmFrame) {
        self.start = start
        samples = .allocate(capacity: Int(FrameRing.capacity) * Format.channels)
        written = Atomic(start)
        released = Atomic(start)
    }

    deinit {
        samples.deallocate()
    }

    /// The frame after the last one written.
    var end: FilmFrame { written.load(ordering: .acquiring) }
    /// Nothing comes after `end`: the track ends there.
    var isComplete: Bool { ended.load(ordering: .acquiring) }
    /// Frames that can be written now.
    var room: FilmFrame {
        FrameRing.capacity - (written.load(ordering: .relaxed) - released.load(ordering: .acquiring))
    }

    // MARK: The writer

    /// Appends frames; the caller has made sure of the room.
    func append(_ source: UnsafePointer<Float>, count: Int) {
        precondition(FilmFrame(count) <= room, "a ring is never overrun")
        let at = written.load(ordering: .relaxed)
        for (place, offset, part) in FrameRing.parts(at, count) {
            (samples + place * Format.channels).update(
                from: source + offset * Format.channels, count: part * Format.channels)
        }
        written.store(at + FilmFrame(count), ordering: .releasing)
    }

    /// Marks the end of the track.
    func finish() {
        ended.store(true, ordering: .releasing)
    }

    // MARK: The reader

    /// Whether sound from `frame` on can be read, or follows.
    func holds(_ frame: FilmFrame) -> Bool {
        frame >= released.load(ordering: .relaxed) && frame <= end
    }

    /// Gives room before `frame` back to the writer.
    func release(before frame: FilmFrame) {
        let now = released.load(ordering: .relaxed)
        if frame > now { released.store(min(frame, end), ordering: .releasing) }
    }

    /// Adds `count` frames from `frame` on, each multiplied by `gain`, to `output`; frames it does not hold are silent.
    func mix(from frame: FilmFrame, count: Int, gain: Ramp, into output: UnsafeMutablePointer<Float>) {
        let first = max(frame, released.load(ordering: .relaxed))
        let last = min(frame + FilmFrame(count), written.load(ordering: .acquiring))
        guard first < last else { return }
        let skipped = Int(first - frame)
        gain.advanced(by: skipped).mix(
            samples, capacity: FrameRing.capacity, from: first, count: Int(last - first),
            into: output + skipped * Format.channels)
    }

    /// Splits `count` frames at the ring's seam: where each part lies, its offset and length.
    private static func parts(_ frame: FilmFrame, _ count: Int) -> [(place: Int, offset: Int, count: Int)] {
        let place = Int(frame & (capacity - 1))
        let first = min(count, Int(capacity) - place)
        return first == count ? [(place, 0, count)] : [(place, 0, first), (0, first, count - first)]
    }
}
