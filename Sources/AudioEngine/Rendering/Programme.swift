internal import Playback

/// What the device's timeline carries: which sound of the film lies at which index, in frames since the stream began.
///
/// Owned by the sound thread.
struct Programme: ~Copyable {
    /// From `start` on, up to the next stretch, `ring` sounds with `film` at `start`; without a ring it is silent there.
    struct Stretch {
        var start: Int64
        var film: FilmFrame
        var feed: Feed?
        var epoch: Epoch
        /// What is to be told once it is heard.
        var announcement: Announcement?

        func film(at index: Int64) -> FilmFrame {
            feed == nil ? film : film + index - start
        }
    }

    /// `switchedTo` names a track that is heard for the first time.
    struct Announcement {
        var switchedTo: (epoch: Epoch, trackID: String)?
    }

    private(set) var stretches: [Stretch] = []
    /// The stretches that sound, as the path that feeds the device reads them: plain memory.
    private var score = Score()

    var last: Stretch? { stretches.last }

    /// Where the last fade is over; no new one may begin before.
    var settled: Int64 {
        guard let last = stretches.last else { return 0 }
        return last.start + (isSilent ? 0 : Int64(Ramp.length))
    }

    /// Whether there is no sound in it, before or ahead.
    var isSilent: Bool { stretches.allSatisfy { $0.feed == nil } }

    /// Forgets everything before `stretch`, which fades in from silence.
    mutating func begin(with stretch: Stretch) {
        stretches = [stretch]
        score.write(stretches)
    }

    /// Cross-fades to `stretch` at its start.
    mutating func splice(_ stretch: Stretch) {
        stretches.removeAll { $0.start >= stretch.start }
        stretches.append(stretch)
        score.write(stretches)
    }

    /// Gives what sounds last another epoch, to be told; a switch that has not been told stays to be told.
    mutating func renameLast(epoch: Epoch) {
        guard let last = stretches.indices.last else { return }
        stretches[last].epoch = epoch
        stretches[last].announcement = stretches[last].announcement ?? .init()
    }

    /// The switches among the stretches from `start` on that have not been told, which is then for the caller to do:
    /// those stretches are about to be dropped.
    mutating func takeSwitches(from start: Int64 = .min) -> [(epoch: Epoch, trackID: String)] {
        var switches: [(epoch: Epoch, trackID: String)] = []
        for index in stretches.indices where stretches[index].start >= start {
            guard let switching = stretches[index].announcement?.switchedTo else { continue }
            switches.append(switching)
            stretches[index].announcement?.switchedTo = nil
        }
        return switches
    }

    /// The film position at a device index, with its fraction.
    func film(at index: Double) -> Double? {
        guard let stretch = stretch(at: Int64(index.rounded(.down))) else { return nil }
        guard let feed = stretch.feed else { return Double(stretch.film) }
        return min(Double(stretch.film) + index - Double(stretch.start), Double(feed.ring.end))
    }

    func stretch(at index: Int64) -> Stretch? {
        stretches.last { $0.start <= index } ?? stretches.first
    }

    /// The index before which nothing of the programme is heard.
    var beginning: Int64 { stretches.first { $0.feed != nil }?.start ?? 0 }

    /// The index at which the track's last sample is over, once that is known.
    var end: Int64? {
        guard let last = stretches.last, let ring = last.feed?.ring, ring.isComplete else { return nil }
        return last.start + max(0, ring.end - last.film)
    }

    /// Frames that could be rendered from `index` on, which lies in the last stretch.
    func available(from index: Int64) -> Int64 {
        guard let last = stretches.last else { return 0 }
        guard let ring = last.feed?.ring else { return .max }
        return max(0, ring.end - last.film(at: index))
    }

    /// Forgets stretches that are over, and takes the announcement of the one that is heard at `index`.
    mutating func advance(to index: Int64) -> [Stretch] {
        var heard: [Stretch] = []
        for position in stretches.indices where stretches[position].start <= index {
            if stretches[position].announcement != nil { heard.append(stretches[position]) }
            stretches[position].announcement = nil
        }
        // The one before stays until the fade from it is over.
        let over = stretches.dropFirst().prefix { $0.start + Int64(Ramp.length) < index }.count
        if over > 0 {
            stretches.removeFirst(over)
            score.write(stretches)
        }
        release(at: index)
        return heard
    }

    /// Gives back what can no longer be wanted: a stretch is read until the fade out of it is over.
    private func release(at index: Int64) {
        for stretch in stretches {
            guard let feed = stretch.feed else { continue }
            let needed = stretches.indices.filter { stretches[$0].feed === feed }.map { position in
                let next = position + 1 < stretches.count ? stretches[position + 1].start : .max - Int64(Ramp.length)
                return stretches[position].film(
                    at: min(max(index, stretches[position].start), next + Int64(Ramp.length)))
            }
            if let first = needed.min() { feed.ring.release(before: first) }
        }
    }

    /// The start of the next stretch that has something to announce.
    var nextAnnouncement: Int64? {
        stretches.first { $0.announcement != nil }?.start
    }

    /// Renders `count` frames from device index `start` on; what is not there is silent.
    @_noLocks @_noAllocation
    func render(from start: Int64, count: Int, into output: UnsafeMutablePointer<Float>) {
        score.render(from: start, count: count, into: output)
    }
}
