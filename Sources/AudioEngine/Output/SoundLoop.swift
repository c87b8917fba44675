internal import CPulse
internal import LinuxSystem
internal import WireProtocol

/// The sound thread's loop: libpulse's, with timers on the monotonic clock and a mailbox for other threads.
final class SoundLoop {
    private let mainLoop: OpaquePointer
    private var timers: [LoopTimer] = []
    private var watches: [Watch] = []
    private var isRunning = false

    init() {
        guard let loop = pa_mainloop_new() else { preconditionFailure("no memory is left for a loop") }
        mainLoop = loop
    }

    deinit {
        unwatchAll()
        pa_mainloop_free(mainLoop)
    }

    /// For making libpulse's objects, which live no longer than the loop.
    var api: UnsafeMutablePointer<pa_mainloop_api> { pa_mainloop_get_api(mainLoop) }

    func makeTimer(_ action: @escaping () -> Void) -> LoopTimer {
        let timer = LoopTimer(action)
        timers.append(timer)
        return timer
    }

    /// Calls `action` whenever `descriptor` is readable.
    func watch(_ descriptor: Int32, _ action: @escaping () -> Void) {
        watches.append(Watch(descriptor, api: api, action))
    }

    /// Runs until `stop`.
    func run() {
        isRunning = true
        while isRunning {
            // Microseconds; -1 waits for ever.
            let deadline = timers.compactMap(\.deadline).min()
            let wait = deadline.map { Int32(clamping: Int64(max(0, $0 - MonotonicClock.now()) * 1e6) + 1) } ?? -1
            guard pa_mainloop_prepare(mainLoop, wait) >= 0, pa_mainloop_poll(mainLoop) >= 0,
                pa_mainloop_dispatch(mainLoop) >= 0
            else { return }
            let now = MonotonicClock.now()
            for timer in timers { timer.fire(ifDue: now) }
        }
    }

    /// Watches nothing any more.
    ///
    /// What is told of a descriptor holds on to the device, and that to the loop: without this they would keep each other.
    func unwatchAll() {
        for watch in watches { watch.end() }
        watches = []
    }

    /// Ends `run` after the current turn.
    func stop() {
        isRunning = false
    }
}

/// A deadline on the loop's thread.
final class LoopTimer {
    private(set) var deadline: SteadyTime?
    private let action: () -> Void

    fileprivate init(_ action: @escaping () -> Void) {
        self.action = action
    }

    func set(_ time: SteadyTime?) {
        deadline = time
    }

    func set(after seconds: Double) {
        deadline = MonotonicClock.now() + seconds
    }

    fileprivate func fire(ifDue now: SteadyTime) {
        guard let due = deadline, due <= now else { return }
        deadline = nil
        action()
    }
}

private final class Watch {
    private let api: UnsafeMutablePointer<pa_mainloop_api>
    private var event: OpaquePointer?
    let action: () -> Void

    init(_ descriptor: Int32, api: UnsafeMutablePointer<pa_mainloop_api>, _ action: @escaping () -> Void) {
        self.api = api
        self.action = action
        event = api.pointee.io_new(
            api, descriptor, PA_IO_EVENT_INPUT, watchFired, Unmanaged.passUnretained(self).toOpaque())
    }

    func end() {
        if let event { api.pointee.io_free(event) }
        event = nil
    }
}

private func watchFired(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ event: OpaquePointer?, _ descriptor: Int32,
    _ flags: pa_io_event_flags_t,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().action()
}
