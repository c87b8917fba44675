/// The stretches of a programme that sound, in plain memory, for the path that feeds the device.
///
/// Reading an array or a reference there could take a lock; so what is to be read is written down here whenever it changes.
/// It lasts no longer than the rings it was written from, which the programme keeps.
struct Score: ~Copyable {
    /// From `start` to `next`, `ring` sounds with `film` at `start`; it fades in at the one and out after the other.
    private struct Part {
        var start: Int64
        var next: Int64
        var film: FilmFrame
        var ring: FrameRing.View

        @_noLocks @_noAllocation
        func mix(from start: Int64, to end: Int64, into output: UnsafeMutablePointer<Float>) {
            let length = Int64(Ramp.length)
            let fadedIn = next - self.start < length ? next : self.start + length
            mixSpan(self.start, fadedIn, .rising(from: 0), from: start, to: end, into: output)
            mixSpan(fadedIn, next, .full, from: start, to: end, into: output)
            if next < .max { mixSpan(next, next + length, .falling(from: 0), from: start, to: end, into: output) }
        }

        /// The part of the span `first..<last` that lies in what is rendered; `gain` is that from `first` on.
        @_noLocks @_noAllocation
        private func mixSpan(
            _ first: Int64, _ last: Int64, _ gain: Ramp, from start: Int64, to end: Int64,
            into output: UnsafeMutablePointer<Float>
        ) {
            let from = first < start ? start : first
            let to = last < end ? last : end
            if from >= to { return }
            ring.mix(
                from: film + from - self.start, count: Int(to - from), gain: gain.advanced(by: Int(from - first)),
                into: output + Int(from - start) * Format.channels)
        }
    }

    private var parts: UnsafeMutablePointer<Part>
    private var capacity = 8
    private var count = 0

    init() {
        parts = .allocate(capacity: capacity)
    }

    deinit {
        parts.deallocate()
    }

    mutating func write(_ stretches: [Programme.Stretch]) {
        if stretches.count > capacity {
            parts.deallocate()
            capacity = stretches.count * 2
            parts = .allocate(capacity: capacity)
        }
        count = 0
        for (position, stretch) in stretches.enumerated() {
            guard let feed = stretch.feed else { continue }
            let next = position + 1 < stretches.count ? stretches[position + 1].start : .max
            let part = Part(start: stretch.start, next: next, film: stretch.film, ring: feed.ring.view)
            (parts + count).initialize(to: part)
            count += 1
        }
    }

    /// Renders `frames` frames from device index `start` on; what is not there is silent.
    @_noLocks @_noAllocation
    func render(from start: Int64, count frames: Int, into output: UnsafeMutablePointer<Float>) {
        var index = 0
        while index < frames * Format.channels {
            output[index] = 0
            index += 1
        }
        index = 0
        while index < count {
            parts[index].mix(from: start, to: start + Int64(frames), into: output)
            index += 1
        }
    }
}
