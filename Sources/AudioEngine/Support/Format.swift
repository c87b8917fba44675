/// A moment of the film, counted in samples at 48 kHz from the film's first sample.
typealias FilmFrame = Int64

/// The one format in which everything inside the engine travels: 48 kHz, stereo, float, interleaved.
enum Format {
    static let rate = 48_000
    // Computed, as the path that feeds the device needs it: a stored constant may be initialised under a lock.
    static var channels: Int {
        @_noLocks @_noAllocation get { 2 }
    }
    static var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }

    static func frames(seconds: Double) -> FilmFrame {
        FilmFrame((seconds * Double(rate)).rounded())
    }

    static func seconds(frames: FilmFrame) -> Double {
        Double(frames) / Double(rate)
    }
}
