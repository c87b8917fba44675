internal import LinuxSystem
package import Playback
internal import WireProtocol

/// The sessions a host knows, in `library.sqlite` of its data folder, and the files copied for them.
///
/// The database is touched on one thread of the library's own. `save` never waits; everything else waits for that
/// thread and is meant for a command, or for the start of the program, before its loop runs.
package final class SessionLibrary: SessionStore {
    let folder: LibraryFolder
    private let thread: LibraryThread
    /// What had to be done to open it, for a person to know.
    package let repair: LibraryRepair?
    // Held for as long as the library is open.
    private let openLock: OpenLock

    private final class OpenLock: Sendable {
        let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    /// Opens the library of `directory`, making folder and file where they are not, and tidies up what a program that
    /// was killed has left.
    ///
    /// A damaged file is put aside and what can be read of it is kept (`repair`). `onFault` is told of a fault that keeps
    /// positions from being written, once of each kind, on the library's thread, which goes on trying.
    /// - Throws: `LibraryError` when the file is newer, foreign, damaged and in use, not writable, or locked for two seconds.
    package init(
        directory: String, onFault: @escaping @Sendable (LibraryError) -> Void = { _ in }
    ) throws(LibraryError) {
        let folder = LibraryFolder(path: directory)
        self.folder = folder
        do throws(SystemError) {
            try Files.makeDirectory(directory)
        } catch {
            throw .unusable(path: directory, reason: error.reason)
        }
        let isOurs = Files.exists(folder.openLock)
        var repair: LibraryRepair?
        var opened: (lock: OpenLock, thread: LibraryThread)
        do throws(LibraryError) {
            opened = try Self.start(folder, isOurs, onFault)
        } catch {
            guard case .damaged(_, let fault) = error else { throw error }
            repair = try LibraryRepair.run(in: folder, fault: fault)
            opened = try Self.start(folder, isOurs, onFault)
        }
        (openLock, thread) = opened
        self.repair = repair
        tidyUp()
    }

    private static func start(
        _ folder: LibraryFolder, _ isOurs: Bool, _ onFault: @escaping @Sendable (LibraryError) -> Void
    ) throws(LibraryError) -> (OpenLock, LibraryThread) {
        let lock: OpenLock
        do throws(SystemError) {
            lock = OpenLock(try FileLock(.shared, on: folder.openLock))
        } catch {
            throw .unusable(path: folder.path, reason: error.reason)
        }
        let told = Guarded<Set<Int32>>([])
        let thread = try LibraryThread(
            folder: folder,
            open: { () throws(LibraryError) in try LibraryFile.open(in: folder, isOurs: isOurs) },
            onFault: { error in
                let isNew = told.withLock { $0.insert(error.primaryCode).inserted }
                if isNew { onFault(LibraryError(error, path: folder.database)) }
            })
        return (lock, thread)
    }

    deinit {
        thread.stop()
    }

    // MARK: Finding

    /// The session a person means by an id, the unique beginning of one, or a unique part of the title.
    ///
    /// - Throws: `LibraryError.noSession`, or `severalSessions` with the titles that fit.
    package func find(_ query: String) throws(LibraryError) -> StoredSession {
        try SessionQuery.match(query, in: list())
    }

    /// All sessions, the most recently opened first.
    package func list() throws(LibraryError) -> [StoredSession] {
        try read { connection throws(DatabaseError) in try LibraryQueries.sessions(on: connection) }
            .map(folder.absolute)
    }

    /// Calls `notify`, on the library's thread, whenever another program has changed what `session` is, within about a
    /// second, with `nil` once it has been deleted; positions do not count.
    package func follow(_ session: StoredSession, _ notify: @escaping @Sendable (StoredSession?) -> Void) {
        thread.follow(SessionWatch(session, now: MonotonicClock.now(), notify))
    }

    // MARK: Listening states

    package func save(_ state: ListeningState) {
        // A position that is no number must not cost the last good one.
        guard state.position.isFinite else { return }
        var state = state
        state.position = max(0, state.position)
        thread.save(state)
    }

    package func flush(within seconds: Double) {
        thread.flush(until: MonotonicClock.now() + seconds)
    }

    // MARK: The thread

    /// Does `work` on the library's thread.
    func read<Output: Sendable>(
        _ work: @escaping @Sendable (Connection) throws(DatabaseError) -> Output
    ) throws(LibraryError) -> Output {
        do throws(DatabaseError) {
            return try thread.call(work)
        } catch {
            throw LibraryError(error, path: folder.database)
        }
    }

    /// All of `work` or nothing of it, on the library's thread, which gives a result or the reason why nothing was done.
    ///
    /// A change that goes with files is `durable`: it outlives a power cut, as the files do. After each the backup is
    /// made anew; one that `deletes` a session leaves fewer in it.
    func write<Output: Sendable>(
        durable: Bool = true, deletes: Bool = false,
        _ work: @escaping @Sendable (Connection) throws(DatabaseError) -> Result<Output, LibraryError>
    ) throws(LibraryError) -> Output {
        let result = try read { [folder] connection throws(DatabaseError) in
            if durable { try connection.execute("PRAGMA synchronous = FULL") }
            defer { if durable { try? connection.execute("PRAGMA synchronous = NORMAL") } }
            let result = try connection.transaction { () throws(DatabaseError) in try work(connection) }
            if case .success = result { LibraryBackup.refresh(connection, folder, deletes: deletes) }
            return result
        }
        return try result.get()
    }

    /// Milliseconds since 1970.
    static func now() -> Int {
        Int(MonotonicClock.wallNanoseconds() / 1_000_000)
    }
}
