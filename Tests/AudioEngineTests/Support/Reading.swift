@testable import AudioEngine

/// What a decoder gives, as interleaved stereo.
enum Reading {
    /// All of a file, played through.
    static func all(_ path: String) throws -> [Float] {
        try samples(TrackDecoder(path: path, interrupt: Interrupt()))
    }

    /// `count` frames from `start` on; fewer only at the end.
    static func samples(_ decoder: TrackDecoder, from start: Int64 = 0, count: Int = .max) throws -> [Float] {
        try samples(from: start, count: count) { try decoder.read(from: $0, into: $1) }
    }

    static func samples(
        from start: Int64, count: Int, _ read: (Int64, UnsafeMutableBufferPointer<Float>) throws -> Int
    ) throws -> [Float] {
        var result: [Float] = []
        var buffer = [Float](repeating: 0, count: 4_096)
        while result.count / 2 < count {
            let room = min(buffer.count / 2, count - result.count / 2) * 2
            let got = try buffer.withUnsafeMutableBufferPointer { buffer in
                try read(start + Int64(result.count / 2), UnsafeMutableBufferPointer(rebasing: buffer[..<room]))
            }
            if got == 0 { break }
            result += buffer[..<(got * 2)]
        }
        return result
    }
}
