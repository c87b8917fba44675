/// A moment of the film, counted in samples at 48 kHz from the film's first sample.
typealias FilmFrame = Int64

/// The one format in which everything inside the engine travels: 48 kHz, stereo, float, interleaved.
enum Format {
    static let rate = 48_000
    static let channels = 2
    static let bytesPerFrame = channels * MemoryLayout<Float>.size

    static func frames(seconds: Double) -> FilmFrame {
        FilmFrame((seconds * Double(rate)).rounded())
    }

    static func seconds(frames: FilmFrame) -> Double {
        Double(frames) / Double(rate)
    }
}
