internal import CPulse
internal import LinuxSystem

/// A connection to the sound server, used on its loop's thread only.
///
/// libpulse calls back with a bare pointer to this object; `deinit` takes the callbacks away before the object is gone.
final class PulseConnection {
    private let context: OpaquePointer
    /// The context uses it to its end.
    private let loop: SoundLoop
    private let questions = PulseQuestions()
    /// Called with every change of state.
    var onState: (pa_context_state_t) -> Void = { _ in }
    /// Called when sinks or the server's defaults have changed.
    var onChange: () -> Void = {}

    /// Begins to connect, and has `onState` tell the outcome.
    ///
    /// Never starts a server.
    init?(loop: SoundLoop) {
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "Allspeak")
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "video")
        guard let context = pa_context_new_with_proplist(loop.api, "Allspeak", properties) else { return nil }
        self.context = context
        self.loop = loop
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(context, contextStateChanged, pointer)
        pa_context_set_subscribe_callback(context, contextSubscriptionFired, pointer)
        if pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 {
            // The state is FAILED already, and was told to nobody.
            return nil
        }
    }

    deinit {
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
    }

    var state: pa_context_state_t { pa_context_get_state(context) }
    var reason: String { PulseConnection.text(of: pa_context_errno(context)) }
    /// For streams, which keep a reference of their own.
    var handle: OpaquePointer { context }

    func subscribe() {
        let mask = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue
        forget(pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil))
    }

    /// Asks about a sink; the answer is dropped when this object is gone before it comes.
    func readSink(_ index: UInt32, _ answer: @escaping (PulseSink?) -> Void) {
        questions.ask(orElse: nil, answer) { pa_context_get_sink_info_by_index(context, index, sinkAnswered, $0) }
    }

    /// Asks about the server; the answer is dropped when this object is gone before it comes.
    func readServer(_ answer: @escaping (PulseServerInfo?) -> Void) {
        questions.ask(orElse: nil, answer) { pa_context_get_server_info(context, serverAnswered, $0) }
    }

    /// Puts a stream on another sink.
    func moveStream(_ index: UInt32, toSink name: String) {
        forget(pa_context_move_sink_input_by_name(context, index, name, nil, nil))
    }

    func setVolume(_ volume: pa_cvolume, ofSink index: UInt32) {
        var volume = volume
        forget(pa_context_set_sink_volume_by_index(context, index, &volume, nil, nil))
    }

    private func forget(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    static func text(of code: Int32) -> String {
        pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// What the server tells of itself.
struct PulseServerInfo {
    var defaultSink: String?
    /// PipeWire renders once and for all, whatever its sinks could do.
    var isPipeWire: Bool

    init(_ info: pa_server_info) {
        defaultSink = info.default_sink_name.map { String(cString: $0) }
        // “PulseAudio (on PipeWire 0.3.65)”
        isPipeWire = info.server_name.map { String(cString: $0).contains("PipeWire") } ?? false
    }
}

private func serverAnswered(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ data: UnsafeMutableRawPointer?
) {
    PulseQuestion<PulseServerInfo?>.of(data)?.settle(info.map { PulseServerInfo($0.pointee) })
}

private func contextStateChanged(_ context: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
    guard let context, let data else { return }
    Unmanaged<PulseConnection>.fromOpaque(data).takeUnretainedValue().onState(pa_context_get_state(context))
}

private func contextSubscriptionFired(
    _ context: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32, _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    Unmanaged<PulseConnection>.fromOpaque(data).takeUnretainedValue().onChange()
}

private func sinkAnswered(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
    guard let question = PulseQuestion<PulseSink?>.of(data) else { return }
    // The sink comes first, then the end of the list; or an error instead of either.
    guard let info, end == 0 else { return question.settle(question.part ?? nil) }
    question.part = PulseSink(info.pointee)
}
