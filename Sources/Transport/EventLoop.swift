internal import CLinux
internal import Glibc
package import LinuxSystem
package import WireProtocol

/// One thread's epoll loop: descriptors, timers, and a clock read once a turn.
///
/// Nothing here is thread-safe; other threads reach the loop through a `Mailbox`.
package final class EventLoop {
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// The peer has gone or the descriptor is faulty; reported without being asked for.
        package static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    /// Names a watched descriptor; never used twice, so an event for a descriptor number that was closed and given
    /// out again meanwhile finds nobody.
    package struct Watch: Hashable, Sendable {
        fileprivate let id: UInt64
    }

    package struct Timer: Hashable, Sendable {
        fileprivate let id: UInt64
    }

    private let epoll: FileDescriptor
    private var handlers: [UInt64: (Readiness) -> Void] = [:]
    private var timers = TimerQueue()
    /// Who has more to do than fits into a turn, in the order of their coming.
    private var line: ArraySlice<() -> Void> = []
    private var lastID: UInt64 = 0
    private var isRunning = false
    private var events = [epoll_event](repeating: epoll_event(), count: 64)
    /// Takes what one channel reads at a time; one for all channels of the loop, so that an idle one costs nothing.
    ///
    /// A kilobyte holds any usual frame. Who has more stands in line, so what those before it have to say is all that a
    /// quiet peer ever waits for.
    var input = [UInt8](repeating: 0, count: 1_024)

    /// When the current turn began.
    package private(set) var now: SteadyTime
    /// Called at the end of every turn, when all that was ready has been handled.
    package var onTurnEnd: () -> Void = {}

    /// - Throws: `SystemError` when the system has no descriptor left.
    package init() throws(SystemError) {
        epoll = FileDescriptor(owning: try retryingInterrupts("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        now = MonotonicClock.now()
    }

    // MARK: Descriptors

    /// Calls `handler` whenever `descriptor` is ready; the caller keeps it open until `unwatch`.
    package func watch(
        _ descriptor: Int32, for interest: Readiness = .readable, _ handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Watch {
        lastID += 1
        try control(EPOLL_CTL_ADD, descriptor, interest, lastID)
        handlers[lastID] = handler
        return Watch(id: lastID)
    }

    package func change(_ watch: Watch, of descriptor: Int32, to interest: Readiness) {
        try? control(EPOLL_CTL_MOD, descriptor, interest, watch.id)
    }

    package func unwatch(_ watch: Watch, of descriptor: Int32) {
        try? control(EPOLL_CTL_DEL, descriptor, [], watch.id)
        handlers[watch.id] = nil
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ id: UInt64)
        throws(SystemError)
    {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = id
        try retryingInterrupts("epoll_ctl") { epoll_ctl(epoll.raw, operation, descriptor, &event) }
    }

    // MARK: Timers

    /// Calls `body` once, at `deadline` or as soon after it as the loop is free.
    @discardableResult
    package func schedule(at deadline: SteadyTime, _ body: @escaping () -> Void) -> Timer {
        lastID += 1
        timers.add(lastID, at: deadline, body)
        return Timer(id: lastID)
    }

    package func cancel(_ timer: Timer) {
        timers.cancel(timer.id)
    }

    // MARK: Turns

    /// Has `body` called in one of the next turns: one of those in line a turn, after all that is ready then.
    func standInLine(_ body: @escaping () -> Void) {
        line.append(body)
    }

    // MARK: Running

    /// Handles events until `stop`.
    package func run() {
        isRunning = true
        while isRunning { turn() }
    }

    /// Handles events until `isDone` holds or the deadline has passed; says which.
    package func run(until deadline: SteadyTime, _ isDone: () -> Bool) -> Bool {
        let timer = schedule(at: deadline) {}
        defer { cancel(timer) }
        while !isDone() {
            if MonotonicClock.now() >= deadline { return false }
            turn()
        }
        return true
    }

    /// Ends `run` after the current turn.
    package func stop() {
        isRunning = false
    }

    private func turn() {
        let count = epoll_wait(epoll.raw, &events, Int32(events.count), timeout)
        now = MonotonicClock.now()
        for event in events.prefix(Int(max(0, count))) {
            handlers[event.data.u64]?(Readiness(rawValue: event.events))
        }
        line.popFirst()?()
        // One that a timer schedules waits for the next turn, or a chain of them would keep descriptors waiting.
        for id in timers.popDue(at: now) { timers.take(id)?() }
        onTurnEnd()
    }

    /// Milliseconds to the next timer, rounded up so that it is due when epoll returns; -1 for ever.
    private var timeout: Int32 {
        guard line.isEmpty else { return 0 }
        guard let next = timers.nextDeadline else { return -1 }
        let milliseconds = ((next - MonotonicClock.now()) * 1e3).rounded(.up)
        return Int32(min(max(0, milliseconds), 60_000))
    }
}
