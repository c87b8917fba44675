/// How loud each frame of a span is: constant, or part of an equal-power fade.
///
/// Everything here runs where sound is handed to the device; the annotations have the compiler refuse whatever could wait
/// or allocate.
struct Ramp {
    private enum Course {
        case constant
        case rising
        case falling
    }

    private let course: Course
    /// How far into the fade the span's first frame lies.
    private let offset: Int

    /// Frames of a fade: 5 ms, long enough not to click, short enough to be felt as a cut.
    // Computed: a stored constant is initialised under a lock.
    static var length: Int {
        @_noLocks @_noAllocation get { 240 }
    }

    static var full: Ramp {
        @_noLocks @_noAllocation get { Ramp(course: .constant, offset: 0) }
    }

    @_noLocks @_noAllocation
    static func rising(from offset: Int) -> Ramp { Ramp(course: .rising, offset: offset) }
    @_noLocks @_noAllocation
    static func falling(from offset: Int) -> Ramp { Ramp(course: .falling, offset: offset) }

    @_noLocks @_noAllocation
    func advanced(by count: Int) -> Ramp { Ramp(course: course, offset: offset + count) }

    @_noLocks @_noAllocation
    func value(at index: Int) -> Float {
        switch course {
        case .constant: 1
        case .rising: Ramp.gain(offset + index)
        case .falling: Ramp.gain(Ramp.length - 1 - offset - index)
        }
    }

    /// Adds `count` stereo frames of a ring's memory, from `frame` on, to `output`; `capacity` is a power of two.
    @_noLocks @_noAllocation
    func mix(
        _ samples: UnsafePointer<Float>, capacity: Int64, from frame: Int64, count: Int,
        into output: UnsafeMutablePointer<Float>
    ) {
        var index = 0
        while index < count {
            let place = Int((frame + Int64(index)) & (capacity - 1)) * 2
            let factor = value(at: index)
            output[index * 2] += samples[place] * factor
            output[index * 2 + 1] += samples[place + 1] * factor
            index += 1
        }
    }

    /// A quarter of a sine, as its Taylor series: the squares of a rising and a falling gain add up to one.
    @_noLocks @_noAllocation
    private static func gain(_ step: Int) -> Float {
        if step < 0 { return 0 }
        if step >= length { return 1 }
        let x = (Float(step) + 0.5) / Float(length)
        let square = x * x
        return x * (1.570_796_3 - square * (0.645_964_1 - square * (0.079_692_6 - square * 0.004_681_75)))
    }
}
