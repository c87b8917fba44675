internal import CPulse
internal import LinuxSystem
internal import WireProtocol

/// A recording stream on a sink's monitor, used on its loop's thread only.
///
/// It has the sink mix in pieces of some milliseconds. What is put in the place of sound that a sink has taken already
/// reaches the ear, but not the monitor, which was given a whole piece before: the smaller, the truer.
final class MonitorStream {
    private let stream: OpaquePointer
    /// The stream lives in it.
    private let connection: PulseConnection
    private let questions = PulseQuestions()

    var onState: (pa_stream_state_t) -> Void = { _ in }
    /// Called with sound as it comes; `nil` for a gap of that many samples.
    var onSound: (UnsafeBufferPointer<Float>?, _ count: Int) -> Void = { _, _ in }

    /// Bytes of a sample: mono, float.
    private static let sampleBytes = MemoryLayout<Float>.size
    /// Samples that come at once: 5 ms.
    private static let fragment = 240

    /// Begins to open it; `onState` tells the outcome.
    init?(_ connection: PulseConnection, source: String) {
        var format = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(Format.rate), channels: 1)
        guard let stream = pa_stream_new(connection.handle, "Monitor", &format, nil) else { return nil }
        self.stream = stream
        self.connection = connection
        let data = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, monitorStateChanged, data)
        pa_stream_set_read_callback(stream, monitorHeard, data)
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(MonitorStream.fragment * MonitorStream.sampleBytes))
        // Another device's sound is of no use.
        let flags = pa_stream_flags_t(PA_STREAM_DONT_MOVE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
        if pa_stream_connect_record(stream, source, &attributes, flags) < 0 { return nil }
    }

    deinit {
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
    }

    /// Asks the server which sample, with its fraction, is heard at which moment; `nil` where it does not know.
    func readTiming(_ done: @escaping ((index: Double, time: SteadyTime)?) -> Void) {
        questions.ask(orElse: false, { [unowned self] in done($0 ? timing : nil) }) {
            pa_stream_update_timing_info(stream, monitorTimed, $0)
        }
    }

    private var timing: (index: Double, time: SteadyTime)? {
        guard let info = pa_stream_get_timing_info(stream)?.pointee, info.write_index_corrupt == 0, info.playing != 0
        else { return nil }
        var moment = info.timestamp
        // The stamp is wall time; what has passed since is the same on every clock.
        let age = pa_timeval_age(&moment)
        // What was recorded last is heard when the sink has played what it holds.
        let ahead = (Double(info.source_usec) - Double(info.sink_usec)) / 1e6
        let index = Double(info.write_index) / Double(MonitorStream.sampleBytes) + ahead * Double(Format.rate)
        return (index, MonotonicClock.now() + -Double(age) / 1e6)
    }

    fileprivate func read() {
        while pa_stream_readable_size(stream) > 0 {
            var bytes: UnsafeRawPointer?
            var size = 0
            guard pa_stream_peek(stream, &bytes, &size) >= 0, size > 0 else { return }
            let count = size / MonitorStream.sampleBytes
            onSound(bytes.map { .init(start: $0.assumingMemoryBound(to: Float.self), count: count) }, count)
            pa_stream_drop(stream)
        }
    }
}

private func object(_ data: UnsafeMutableRawPointer?) -> MonitorStream? {
    data.map { Unmanaged<MonitorStream>.fromOpaque($0).takeUnretainedValue() }
}

private func monitorStateChanged(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let stream else { return }
    object(data)?.onState(pa_stream_get_state(stream))
}

private func monitorHeard(_ stream: OpaquePointer?, _ bytes: Int, _ data: UnsafeMutableRawPointer?) {
    object(data)?.read()
}

private func monitorTimed(_ stream: OpaquePointer?, _ success: Int32, _ data: UnsafeMutableRawPointer?) {
    PulseQuestion<Bool>.of(data)?.settle(success != 0)
}
