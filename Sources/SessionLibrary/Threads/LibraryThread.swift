internal import LinuxSystem
internal import Playback
internal import WireProtocol

/// The one thread that touches the database: does jobs in order and, between them, writes the newest listening states
/// and looks for what other programs have changed.
final class LibraryThread: Sendable {
    /// Seconds between two writes of positions: skips in a burst become one write.
    private static let minimumGap = 0.1
    /// Seconds to the next try after a failed write, doubled up to the second one.
    private static let retryGaps = (first: 0.25, last: 5.0)

    private typealias Job = @Sendable (Connection) -> Void

    private struct State {
        var jobs: [Job] = []
        /// By session.
        var unwritten: [String: ListeningState] = [:]
        /// Written as soon as the thread is free, whatever the gap.
        var isUrgent = false
        var isWriting = false
        var notBefore = SteadyTime(nanoseconds: 0)
        var watch: SessionWatch?
        var isStopping = false
    }

    private enum Task {
        case job(Job)
        case write([String: ListeningState])
        case look(SessionWatch)
        case stop([String: ListeningState])
    }

    private let monitor: Monitor<State>
    private let folder: LibraryFolder
    private let thread: WorkerThread

    /// Opens the database on the new thread and returns when that is done.
    init(
        folder: LibraryFolder, open: @escaping @Sendable () throws(LibraryError) -> Connection,
        onFault: @escaping @Sendable (DatabaseError) -> Void
    ) throws(LibraryError) {
        let monitor = Monitor(State())
        let opening = Monitor<Result<Void, LibraryError>?>(nil)
        self.monitor = monitor
        self.folder = folder
        do throws(SystemError) {
            thread = try WorkerThread("library") {
                do throws(LibraryError) {
                    let connection = try open()
                    opening.update { $0 = .success(()) }
                    Self.loop(monitor, connection, folder, onFault)
                } catch {
                    opening.update { $0 = .failure(error) }
                }
            }
        } catch {
            throw .unusable(path: folder.database, reason: error.reason)
        }
        let result = opening.wait { $0.map(Wait.done) ?? .untilChange }
        if case .failure = result { thread.join() }
        try result.get()
    }

    /// Writes what waits, closes the database and ends the thread.
    func stop() {
        monitor.update { $0.isStopping = true }
        thread.join()
    }

    /// Does `work` on the thread and waits for it.
    func call<Output: Sendable>(
        _ work: @escaping @Sendable (Connection) throws(DatabaseError) -> Output
    ) throws(DatabaseError) -> Output {
        let answer = Monitor<Result<Output, DatabaseError>?>(nil)
        monitor.update { state in
            state.jobs.append { connection in
                do throws(DatabaseError) {
                    let output = try work(connection)
                    answer.update { $0 = .success(output) }
                } catch {
                    answer.update { $0 = .failure(error) }
                }
            }
        }
        return try answer.wait { $0.map(Wait.done) ?? .untilChange }.get()
    }

    /// Returns at once.
    func save(_ listening: ListeningState) {
        monitor.update { $0.unwritten[listening.sessionID] = listening }
    }

    /// Has `watch` look from now on, in place of any other.
    func follow(_ watch: SessionWatch) {
        monitor.update { $0.watch = watch }
    }

    /// Returns when nothing is unwritten, or at `deadline`.
    func flush(until deadline: SteadyTime) {
        monitor.update { $0.isUrgent = !$0.unwritten.isEmpty }
        monitor.wait { state in
            let isDone = state.unwritten.isEmpty && !state.isWriting
            return isDone || MonotonicClock.now() >= deadline ? .done(()) : .until(deadline)
        }
    }

    private static func loop(
        _ monitor: Monitor<State>, _ connection: Connection, _ folder: LibraryFolder,
        _ onFault: @Sendable (DatabaseError) -> Void
    ) {
        var retryGap = retryGaps.first
        while true {
            switch monitor.wait(nextTask) {
            case .job(let job):
                job(connection)
            case .look(var watch):
                watch.look(connection, folder)
                finishLook(monitor, watch)
            case .write(let states):
                do throws(DatabaseError) {
                    try LibraryQueries.save(Array(states.values), on: connection)
                    retryGap = retryGaps.first
                    finishWrite(monitor, keeping: [:], gap: minimumGap)
                } catch {
                    onFault(error)
                    finishWrite(monitor, keeping: states, gap: retryGap)
                    retryGap = min(2 * retryGap, retryGaps.last)
                }
            case .stop(let states):
                do throws(DatabaseError) {
                    if !states.isEmpty { try LibraryQueries.save(Array(states.values), on: connection) }
                } catch {
                    onFault(error)
                }
                return
            }
        }
    }

    private static func nextTask(_ state: inout State) -> Wait<Task> {
        let isDue = !state.unwritten.isEmpty && (state.isUrgent || MonotonicClock.now() >= state.notBefore)
        // A job may read what a save has changed, so saves due go first.
        if state.isStopping && state.jobs.isEmpty { return .done(.stop(take(&state))) }
        if isDue { return .done(.write(take(&state))) }
        if !state.jobs.isEmpty { return .done(.job(state.jobs.removeFirst())) }
        if let watch = state.watch, MonotonicClock.now() >= watch.nextLook { return .done(.look(watch)) }
        let next = [state.unwritten.isEmpty ? nil : state.notBefore, state.watch?.nextLook].compactMap(\.self).min()
        return next.map(Wait.until) ?? .untilChange
    }

    private static func finishLook(_ monitor: Monitor<State>, _ watch: SessionWatch) {
        monitor.update { state in
            // Another may have taken its place meanwhile.
            guard state.watch?.sessionID == watch.sessionID else { return }
            state.watch = watch
            state.watch?.nextLook = MonotonicClock.now() + SessionWatch.interval
        }
    }

    private static func take(_ state: inout State) -> [String: ListeningState] {
        defer { state.unwritten = [:] }
        state.isWriting = !state.unwritten.isEmpty
        state.isUrgent = false
        return state.unwritten
    }

    private static func finishWrite(
        _ monitor: Monitor<State>, keeping failed: [String: ListeningState], gap: Double
    ) {
        monitor.update { state in
            state.isWriting = false
            state.notBefore = MonotonicClock.now() + gap
            // What was saved meanwhile is newer.
            state.unwritten.merge(failed) { newer, _ in newer }
        }
    }
}
