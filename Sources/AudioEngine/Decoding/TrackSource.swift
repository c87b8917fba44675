internal import Glibc
internal import LinuxSystem
internal import WireProtocol

/// A track's file, and its decoder as long as that is wanted.
///
/// Used by one thread at a time, `interrupt` apart.
// Unchecked: whoever opens it hands it on to the decoding thread, which alone uses it from then on.
final class TrackSource: @unchecked Sendable {
    /// The length of the track.
    let duration: FilmFrame
    /// Ends what is being read.
    let interrupt = Interrupt()
    /// Keeps what was opened, whatever becomes of the file's name meanwhile.
    private let file: FileDescriptor
    private let facts: TrackDecoder.Facts
    private var decoder: TrackDecoder?
    /// When it was last read.
    private var lastUse = MonotonicClock.now()

    /// Bytes of an index from which it is worth while to give it back: libavformat keeps 24 for each packet of an MP4, 12 MiB
    /// for three hours of AAC, and reads them again in some ten milliseconds.
    private static let largeIndex = 1 << 19
    /// Seconds for which a track that was switched away from is kept ready: it may be wanted again.
    private static let readiness = 5.0

    /// Opens `path` and decodes its first frame, which proves that it can be played.
    init(path: String) throws(EngineError.Fault) {
        let decoder = try TrackDecoder(path: path, interrupt: interrupt)
        file = FileDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
        facts = decoder.facts
        duration = facts.duration
        self.decoder = decoder
    }

    var isOpen: Bool { decoder != nil }

    /// Fills `buffer` with the samples from `frame` on; fewer only at the end of the track, where it returns 0.
    /// - Returns: the number of frames.
    func read(from frame: FilmFrame, into buffer: UnsafeMutableBufferPointer<Float>) throws(ReadFailure) -> Int {
        lastUse = MonotonicClock.now()
        let decoder = try opened()
        do throws(LibAVError) {
            return try decoder.read(from: frame, into: buffer)
        } catch {
            throw ReadFailure(reason: error.reason)
        }
    }

    /// Has the next read begin with a seek.
    func forgetPosition() {
        decoder?.forgetPosition()
    }

    /// Gives back the memory of a large index, where it is soon read again.
    func putAway() {
        guard let decoder, file.raw >= 0, decoder.demuxer.hasIndexInFile,
            decoder.demuxer.indexSize >= TrackSource.largeIndex
        else { return }
        self.decoder = nil
    }

    /// The same, once it has not been read for a while.
    func putAwayIfUnused() {
        if MonotonicClock.now() - lastUse > TrackSource.readiness { putAway() }
    }

    private func opened() throws(ReadFailure) -> TrackDecoder {
        if let decoder { return decoder }
        do throws(EngineError.Fault) {
            let decoder = try TrackDecoder(
                path: "/proc/self/fd/\(file.raw)", interrupt: interrupt, knownFacts: facts)
            self.decoder = decoder
            return decoder
        } catch {
            throw ReadFailure(reason: error.reason)
        }
    }
}

/// Why a track's sound cannot be read, in a few words.
struct ReadFailure: Error {
    let reason: String
}
