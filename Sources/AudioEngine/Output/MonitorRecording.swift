internal import CPulse
package import LinuxSystem
package import Probe
internal import WireProtocol

/// Records what a sink plays, on a thread of its own, and knows when each sample was heard.
///
/// Dates are the sound server's own word on its devices' latencies: of what a device does beyond that, and does not tell,
/// nothing is known here.
package final class MonitorRecording: Sendable {
    /// How it fares.
    package enum Event: Equatable, Sendable {
        /// Sound is coming, be it silence.
        case started
        /// It came to an end, or to no beginning; `reason` is a clause.
        case failed(reason: String)
    }

    private enum Wish: Sendable {
        case end
    }

    private let store = TapeStore()
    private let wishes = Mailbox<Wish>()
    private let thread: Guarded<WorkerThread?>

    /// Begins to record the monitor called `source`; `onEvent` is called on the recording's thread.
    ///
    /// - Throws: `SystemError` where the system has no thread left.
    package init(source: String, onEvent: @escaping @Sendable (Event) -> Void) throws(SystemError) {
        let (store, wishes) = (store, wishes)
        thread = Guarded(
            try WorkerThread("monitor") {
                let loop = SoundLoop()
                let recorder = TapeRecorder(source: source, loop: loop, store: store, onEvent: onEvent)
                loop.watch(wishes.descriptor) { [unowned loop] in loop.stop() }
                loop.run()
                loop.unwatchAll()
                // What it holds of libpulse needs the loop until the very end.
                withExtendedLifetime(loop) { recorder.close() }
            })
    }

    deinit {
        stop()
    }

    /// What has been recorded so far.
    package var tape: Tape { store.tape.withLock { $0 } }

    /// Ends the recording, and waits until it has.
    package func stop() {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let running else { return }
        wishes.post(.end)
        running.join()
        wishes.close()
    }
}

/// What two threads share.
private final class TapeStore: Sendable {
    let tape = Guarded(Tape())
}

/// Lives on the recording's thread.
private final class TapeRecorder {
    private let source: String
    private let store: TapeStore
    private let onEvent: (MonitorRecording.Event) -> Void
    private var connection: PulseConnection?
    private var stream: MonitorStream?
    private var clock: LoopTimer?
    private var watchdog: LoopTimer?
    private var hasStarted = false

    /// Samples kept, ten minutes; more is not recorded.
    private static let limit = 600 * Format.rate
    /// Seconds between two looks at the server's clock.
    private static let period = 0.05
    /// Seconds for the server to answer, and for the first sound.
    private static let patience = 3.0

    init(
        source: String, loop: SoundLoop, store: TapeStore, onEvent: @escaping (MonitorRecording.Event) -> Void
    ) {
        self.source = source
        self.store = store
        self.onEvent = onEvent
        clock = loop.makeTimer { [unowned self] in readTiming() }
        watchdog = loop.makeTimer { [unowned self] in fail("the sound server does not answer") }
        connection = PulseConnection(loop: loop)
        if connection == nil { fail("there is no sound server") } else { watchdog?.set(after: TapeRecorder.patience) }
        connection?.onState = { [unowned self] state in
            switch state {
            case PA_CONTEXT_READY: open()
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: fail("the sound server is gone")
            default: break
            }
        }
    }

    func close() {
        clock?.set(nil)
        watchdog?.set(nil)
        stream = nil
        connection = nil
    }

    private func open() {
        guard let connection else { return }
        stream = MonitorStream(connection, source: source)
        guard let stream else { return fail(connection.reason) }
        stream.onState = { [unowned self] state in
            switch state {
            case PA_STREAM_READY: readTiming()
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED: fail(connection.reason)
            default: break
            }
        }
        stream.onSound = { [unowned self] sound, count in append(sound, count) }
    }

    private func append(_ sound: UnsafeBufferPointer<Float>?, _ count: Int) {
        let samples = sound.map { Array($0) } ?? [Float](repeating: 0, count: count)
        store.tape.withLock { tape in
            if tape.samples.count < TapeRecorder.limit { tape.samples += samples }
        }
        guard !hasStarted else { return }
        hasStarted = true
        watchdog?.set(nil)
        onEvent(.started)
    }

    private func readTiming() {
        clock?.set(after: TapeRecorder.period)
        stream?.readTiming { [unowned self] timing in
            guard let timing else { return }
            store.tape.withLock { $0.readings.append(.init(index: timing.index, time: timing.time)) }
        }
    }

    private func fail(_ reason: String) {
        watchdog?.set(nil)
        clock?.set(nil)
        onEvent(.failed(reason: reason))
    }
}
