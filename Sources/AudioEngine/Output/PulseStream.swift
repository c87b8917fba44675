internal import CPulse
internal import LinuxSystem
internal import WireProtocol

/// A playback stream, used on its loop's thread only.
final class PulseStream {
    enum Purpose {
        /// The film; it stays on its sink to the end of either.
        case sound
        /// Only to be seen, and moved.
        case placement
    }

    /// Where the server stood at one moment.
    struct Timing {
        /// The index, in frames, that left the device at `time`.
        var audible: Double
        var time: SteadyTime
        /// The index, in frames, that the server reads next.
        var readIndex: Int64
        /// Seconds from being read to being heard.
        var latency: Double
        var isPlaying: Bool
    }

    private let stream: OpaquePointer
    /// The stream lives in it.
    private let connection: PulseConnection
    private let questions = PulseQuestions()
    private(set) var writeIndex: Int64 = 0

    var onState: (pa_stream_state_t) -> Void = { _ in }
    var onWanted: () -> Void = {}
    var onUnderflow: () -> Void = {}
    var onSuspended: (Bool) -> Void = { _ in }
    var onMoved: () -> Void = {}

    /// What is queued at the server, in frames: 200 ms.
    ///
    /// It costs no response, because what is queued is written anew when something else is to sound.
    static var depth: Int64 { 9_600 }
    /// The least the server asks for, in frames: 50 ms, so twenty wake-ups a second.
    ///
    /// The server gives its sink half of what is left of the depth after two of these: 50 ms.
    private static var period: Int64 { 2_400 }

    /// Begins to open a halted stream on `sink`, or on the default one; `onState` tells the outcome.
    init?(_ connection: PulseConnection, sink: String?, purpose: Purpose = .sound) {
        var format = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(Format.rate), channels: UInt8(Format.channels))
        let name =
            switch purpose {
            case .sound: "Film"
            case .placement: "Film: move this to another device"
            }
        guard let stream = pa_stream_new(connection.handle, name, &format, nil) else { return nil }
        self.stream = stream
        self.connection = connection
        let data = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, streamStateChanged, data)
        pa_stream_set_write_callback(stream, streamWantsSound, data)
        pa_stream_set_underflow_callback(stream, streamUnderflowed, data)
        pa_stream_set_suspended_callback(stream, streamSuspended, data)
        pa_stream_set_moved_callback(stream, streamMoved, data)
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: UInt32(PulseStream.depth) * UInt32(Format.bytesPerFrame), prebuf: 0,
            minreq: UInt32(PulseStream.period) * UInt32(Format.bytesPerFrame), fragsize: .max)
        let flags =
            switch purpose {
            case .sound:
                PA_STREAM_START_CORKED.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_DONT_MOVE.rawValue
            case .placement: PA_STREAM_START_CORKED.rawValue
            }
        if pa_stream_connect_playback(stream, sink, &attributes, pa_stream_flags_t(flags), nil, nil) < 0 { return nil }
    }

    deinit {
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_suspended_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
    }

    var sinkName: String? { pa_stream_get_device_name(stream).map { String(cString: $0) } }
    var index: UInt32 { pa_stream_get_index(stream) }
    var sinkIndex: UInt32 { pa_stream_get_device_index(stream) }
    var isSuspended: Bool { pa_stream_is_suspended(stream) == 1 }

    /// Frames the server would take now.
    var wanted: Int64 {
        let bytes = pa_stream_writable_size(stream)
        return bytes == .max ? 0 : Int64(bytes) / Int64(Format.bytesPerFrame)
    }

    /// Writes straight into the server's shared memory.
    ///
    /// - Returns: `false` when the stream is broken.
    func write(
        _ range: Range<Int64>, render: (_ from: Int64, _ count: Int, UnsafeMutablePointer<Float>) -> Void
    ) -> Bool {
        var at = range.lowerBound
        while at < range.upperBound {
            var size = Int(range.upperBound - at) * Format.bytesPerFrame
            var block: UnsafeMutableRawPointer?
            guard pa_stream_begin_write(stream, &block, &size) >= 0, let block else { return false }
            let count = min(size / Format.bytesPerFrame, Int(range.upperBound - at))
            render(at, count, block.assumingMemoryBound(to: Float.self))
            // Relative, because only these seeks are accounted for by client and server alike.
            let offset = (at - writeIndex) * Int64(Format.bytesPerFrame)
            guard pa_stream_write(stream, block, count * Format.bytesPerFrame, nil, offset, PA_SEEK_RELATIVE) >= 0
            else {
                return false
            }
            at += Int64(count)
            writeIndex = at
        }
        return true
    }

    func cork(_ isCorked: Bool, _ done: @escaping (Bool) -> Void) {
        perform(done) { pa_stream_cork(stream, isCorked ? 1 : 0, $0, $1) }
    }

    /// Asks the server where it stands; `nil` in the answer where it does not know.
    func readTiming(_ done: @escaping (Timing?) -> Void) {
        perform({ [unowned self] succeeded in done(succeeded ? timing : nil) }) {
            pa_stream_update_timing_info(stream, $0, $1)
        }
    }

    private var timing: Timing? {
        guard let info = pa_stream_get_timing_info(stream)?.pointee, info.read_index_corrupt == 0 else { return nil }
        var moment = info.timestamp
        // The stamp is wall time; what has passed since is the same on every clock.
        let age = pa_timeval_age(&moment)
        let latency = Double(info.sink_usec) / 1e6
        let readIndex = info.read_index / Int64(Format.bytesPerFrame)
        return Timing(
            audible: Double(readIndex) - latency * Double(Format.rate), time: MonotonicClock.now() + -Double(age) / 1e6,
            readIndex: readIndex, latency: latency, isPlaying: info.playing != 0)
    }

    private func perform(
        _ done: @escaping (Bool) -> Void,
        _ begin: (pa_stream_success_cb_t?, UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        questions.ask(orElse: false, done) { begin(streamOperationDone, $0) }
    }
}

private func object(_ data: UnsafeMutableRawPointer?) -> PulseStream? {
    data.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
}

private func streamStateChanged(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let stream else { return }
    object(data)?.onState(pa_stream_get_state(stream))
}

private func streamWantsSound(_ stream: OpaquePointer?, _ bytes: Int, _ data: UnsafeMutableRawPointer?) {
    object(data)?.onWanted()
}

private func streamUnderflowed(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    object(data)?.onUnderflow()
}

private func streamSuspended(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let stream else { return }
    object(data)?.onSuspended(pa_stream_is_suspended(stream) == 1)
}

private func streamMoved(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    object(data)?.onMoved()
}

private func streamOperationDone(_ stream: OpaquePointer?, _ success: Int32, _ data: UnsafeMutableRawPointer?) {
    PulseQuestion<Bool>.of(data)?.settle(success != 0)
}
