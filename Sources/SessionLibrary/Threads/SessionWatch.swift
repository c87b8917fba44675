internal import Playback
internal import WireProtocol

/// Looks whether another program has changed one session.
///
/// Cheap: `PRAGMA data_version` tells whether any other connection has written anything, and only then a row is read.
struct SessionWatch: Sendable {
    /// Seconds between two looks.
    static let interval = 1.0

    let sessionID: String
    /// Called with the session as it now is, `nil` once it has been deleted.
    let notify: @Sendable (StoredSession?) -> Void
    private var known: StoredSession?
    /// `nil` before the first look: what happened since the session was opened counts.
    private var version: Int?
    var nextLook: SteadyTime

    init(_ session: StoredSession, now: SteadyTime, _ notify: @escaping @Sendable (StoredSession?) -> Void) {
        sessionID = session.id
        known = session
        self.notify = notify
        nextLook = now
    }

    /// Tells what has changed; a database that is locked or cannot be read is looked at again later.
    mutating func look(_ connection: Connection, _ folder: LibraryFolder) {
        guard let version = try? connection.integer("PRAGMA data_version"), version != self.version else { return }
        let id = sessionID
        let session: StoredSession?
        do throws(DatabaseError) {
            session = try connection.reading { () throws(DatabaseError) in
                try LibraryQueries.session(id, on: connection)
            }.map(folder.absolute)
        } catch {
            return
        }
        self.version = version
        guard Self.essence(session) != Self.essence(known) else { return }
        known = session
        notify(session)
    }

    /// Without what changes while the session plays.
    private static func essence(_ session: StoredSession?) -> StoredSession? {
        guard var session else { return nil }
        session.position = 0
        session.activeTrackID = nil
        return session
    }
}
