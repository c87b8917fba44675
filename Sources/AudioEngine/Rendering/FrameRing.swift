internal import Synchronization

/// A stretch of the film's sound between the decoding thread, which writes it, and the sound thread, which reads it.
///
/// Frames are addressed by their place in the film. The reader may read any frame between what it has released and what is
/// written, as often as it likes: a splice needs sound again that the server was given already but has not played.
// Unchecked: one writer and one reader, which own disjoint parts of the memory; the two counters hand parts over
// (release on publishing, acquire on looking).
final class FrameRing: @unchecked Sendable {
    /// 1.4 s: a fifth of a second of it lies in the server's queue as well, the rest outlasts a slow disk.
    static var capacity: FilmFrame { View.capacity }

    /// The first frame it holds.
    let start: FilmFrame
    private let memory: UnsafeMutablePointer<Memory>
    private let ended = Atomic(false)

    init(start: FilmFrame) {
        self.start = start
        memory = .allocate(capacity: 1)
        memory.initialize(to: Memory(start: start))
    }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// The frame after the last one written.
    var end: FilmFrame { memory.pointee.written.load(ordering: .acquiring) }
    /// Nothing comes after `end`: the track ends there.
    var isComplete: Bool { ended.load(ordering: .acquiring) }
    /// Frames that can be written now.
    var room: FilmFrame {
        FrameRing.capacity
            - (memory.pointee.written.load(ordering: .relaxed) - memory.pointee.released.load(ordering: .acquiring))
    }

    // MARK: The writer

    /// Appends frames; the caller has made sure of the room.
    func append(_ source: UnsafePointer<Float>, count: Int) {
        precondition(FilmFrame(count) <= room, "a ring is never overrun")
        let at = memory.pointee.written.load(ordering: .relaxed)
        let place = Int(at & (FrameRing.capacity - 1))
        let first = min(count, Int(FrameRing.capacity) - place)
        copy(source, to: place, count: first)
        copy(source + first * Format.channels, to: 0, count: count - first)
        memory.pointee.written.store(at + FilmFrame(count), ordering: .releasing)
    }

    private func copy(_ source: UnsafePointer<Float>, to place: Int, count: Int) {
        (memory.pointee.samples + place * Format.channels).update(from: source, count: count * Format.channels)
    }

    /// Marks the end of the track.
    func finish() {
        ended.store(true, ordering: .releasing)
    }

    // MARK: The reader

    /// Whether sound from `frame` on can be read, or follows.
    func holds(_ frame: FilmFrame) -> Bool {
        frame >= memory.pointee.released.load(ordering: .relaxed) && frame <= end
    }

    /// Gives room before `frame` back to the writer.
    func release(before frame: FilmFrame) {
        let now = memory.pointee.released.load(ordering: .relaxed)
        if frame > now { memory.pointee.released.store(min(frame, end), ordering: .releasing) }
    }

    /// For the path that feeds the device; it lasts no longer than the ring.
    var view: View { View(memory: memory) }

    fileprivate struct Memory: ~Copyable {
        let samples: UnsafeMutablePointer<Float>
        let written: Atomic<FilmFrame>
        let released: Atomic<FilmFrame>

        init(start: FilmFrame) {
            samples = .allocate(capacity: Int(FrameRing.capacity) * Format.channels)
            written = Atomic(start)
            released = Atomic(start)
        }

        deinit {
            samples.deallocate()
        }
    }

    /// A ring without the reference counting, which may take a lock.
    struct View {
        fileprivate let memory: UnsafeMutablePointer<Memory>

        /// A power of two.
        // Computed, and not of the class: a stored constant is initialised under a lock, and so is what describes a class.
        fileprivate static var capacity: FilmFrame {
            @_noLocks @_noAllocation get { 65_536 }
        }

        /// Adds `count` frames from `frame` on, each multiplied by `gain`, to `output`; frames it does not hold are silent.
        @_noLocks @_noAllocation
        func mix(from frame: FilmFrame, count: Int, gain: Ramp, into output: UnsafeMutablePointer<Float>) {
            let released = memory.pointee.released.load(ordering: .relaxed)
            let written = memory.pointee.written.load(ordering: .acquiring)
            let first = frame < released ? released : frame
            let last = frame + FilmFrame(count) < written ? frame + FilmFrame(count) : written
            if first >= last { return }
            let skipped = Int(first - frame)
            gain.advanced(by: skipped).mix(
                memory.pointee.samples, capacity: View.capacity, from: first, count: Int(last - first),
                into: output + skipped * Format.channels)
        }
    }
}
