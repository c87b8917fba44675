internal import CPulse

/// Where the user wants the film to sound: a silent stream that can be moved, beside the one that sounds and cannot.
///
/// When a device goes away the server carries its streams over to another one before any client hears of it, and the film
/// would burst out of the loudspeakers. So the stream that sounds is one that the server ends instead (`DONT_MOVE`), and
/// then the user cannot move it either. This one stands in for it in mixers and for `pactl move-sink-input`; the sound
/// follows it. Made first, it is also the first in every list.
final class PulsePlacement {
    private let stream: PulseStream
    /// Called when there is a place, once, and whenever it changes.
    var onPlaced: () -> Void = {}
    /// Called when the server has ended it.
    var onEnd: () -> Void = {}

    /// Begins to open it on `sink`, or where the server puts new streams.
    init?(_ connection: PulseConnection, sink: String?) {
        guard let stream = PulseStream(connection, sink: sink, purpose: .placement) else { return nil }
        self.stream = stream
        stream.onMoved = { [unowned self] in onPlaced() }
        stream.onState = { [unowned self] state in
            switch state {
            case PA_STREAM_READY: onPlaced()
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED: onEnd()
            default: break
            }
        }
    }

    /// The sink's name; `nil` until there is one.
    var sinkName: String? { stream.sinkName }
    /// The stream's number at the server.
    var index: UInt32 { stream.index }
}
