internal import CAvahi
internal import Glibc

/// Runs an action once on the loop's thread; freeing it cancels.
final class LoopTimer {
    private let loop: EventLoop
    private let action: () -> Void
    private var raw: OpaquePointer?

    /// To be called on the loop's thread, as everything that touches the timer.
    init(on loop: EventLoop, afterMilliseconds delay: UInt32, _ action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
        var time = timeval()
        avahi_elapse_time(&time, delay, 0)
        raw = loop.api.pointee.timeout_new(
            loop.api, &time, timerFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if let raw { loop.api.pointee.timeout_free(raw) }
    }

    fileprivate func fire() {
        action()
    }
}

private func timerFired(_ timeout: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // Retained for the call: the action may drop the timer.
    Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
