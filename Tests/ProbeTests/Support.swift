import Probe
import WireProtocol

/// A sink's recording, made up: sound that begins, ends and changes at known samples, with the engine's fades.
struct Performance {
    /// From `start` on, `film` (a sample of `track`) and what follows; without a track, silence.
    struct Stretch {
        var start: Int
        var track: Int?
        var film = 0
    }

    var stretches: [Stretch] = []
    var length: Int
    var gain: Float = 0.2
    /// Another program's sound, this loud.
    var foreign: Float = 0

    static let fade = 480

    var samples: [Float] {
        var result = [Float](repeating: 0, count: length)
        for (number, stretch) in stretches.enumerated() {
            let end = number + 1 < stretches.count ? stretches[number + 1].start : length
            guard let track = stretch.track else { continue }
            let last = min(length, end + Self.fade)
            let noise = Noise.samples(track: track, from: stretch.film, count: last - stretch.start)
            for index in stretch.start..<last {
                let rising = Self.rise(index - stretch.start)
                let falling = index < end ? 1 : Self.rise(Self.fade - 1 - (index - end))
                result[index] += noise[index - stretch.start] * gain * rising * falling
            }
        }
        if foreign > 0 {
            let other = Noise.samples(track: 77, from: 5_000, count: length)
            for index in result.indices { result[index] += other[index] * foreign }
        }
        return result
    }

    /// The sine of a quarter turn, step by step.
    private static func rise(_ step: Int) -> Float {
        if step < 0 { return 0 }
        if step >= fade { return 1 }
        // sin(a + b) from one step to the next needs no library.
        let turn = 1.570_796_3 / Double(fade)
        let (sine, cosine) = (turn - turn * turn * turn / 6, 1 - turn * turn / 2)
        var (s, c) = (turn / 2, 1 - turn * turn / 8)
        for _ in 0..<step { (s, c) = (s * cosine + c * sine, c * cosine - s * sine) }
        return Float(s)
    }
}

extension SteadyTime {
    static func seconds(_ seconds: Double) -> SteadyTime { SteadyTime(nanoseconds: 0) + seconds }
}
