internal import LinuxSystem
internal import WireProtocol

/// How a sink without a device reads: a block each time that what it has read is due to be heard.
///
/// As module-null-sink of PulseAudio 16 does. It tells neither the size of a block, which whoever records the sink may have
/// made less than what was asked for, nor when it read the last; both are seen by asking just after a read was due.
struct BlockReading {
    enum Answer: Equatable {
        case at(Int64)
        /// Not known; it will be by a timing that is asked for after so many seconds.
        case later(Double)
    }

    /// The last timing: the index that is read next, and when it is due.
    private var readIndex: Int64 = 0
    private var due: SteadyTime?
    private var block: (frames: Int64, seen: SteadyTime)?

    /// Seconds after a read was due in which its size is seen; where more than one was read, it is taken for too much.
    private static let sight = 0.01
    /// Seconds for which a size is believed: the changes of one burst.
    private static let belief = 0.02
    /// Seconds from when a read is due to when it is asked for.
    private static let grace = 0.000_3

    mutating func note(readIndex: Int64, latency: Double, at time: SteadyTime) {
        if let due, readIndex > self.readIndex, time - due < BlockReading.sight {
            block = (readIndex - self.readIndex, time)
        }
        self.readIndex = readIndex
        due = time + latency
    }

    /// Where the sink will read first once it has heard of a change, which is when `index` sounds.
    func earliest(whenHeard index: Int64, at time: SteadyTime) -> Answer {
        let missing = index - readIndex
        guard missing > 0 else { return .at(readIndex) }
        guard let block, time - block.seen < BlockReading.belief else {
            return .later(max(0, (due ?? time) - time) + BlockReading.grace)
        }
        return .at(readIndex + (missing + block.frames - 1) / block.frames * block.frames)
    }
}
