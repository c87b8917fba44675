internal import LinuxSystem

/// Why the library cannot do what it was asked.
package enum LibraryError: Error, Equatable, Sendable {
    /// No session fits the query.
    case noSession(query: String)
    /// Several fit; their titles, in the order of the list, each with the beginning of its id.
    case severalSessions(query: String, titles: [String])
    /// No track of the session fits the query.
    case noTrack(query: String, session: String)
    /// Several fit; their labels.
    case severalTracks(query: String, labels: [String])
    /// Two tracks of one session would be called the same.
    case repeatedLabel(String)
    /// A session keeps at least one track.
    case lastTrack(session: String)
    /// A file that is to be taken in is not what it should be.
    case unfitFile(path: String, reason: String)
    /// A file or folder cannot be put where it was asked for.
    case unwritable(path: String, reason: String)
    /// What was asked cannot be meant.
    case refused(reason: String)
    /// The disk has not room enough; in bytes.
    case full(path: String, needed: Int, free: Int)
    /// The disk has no room for even a small change.
    case noRoom(path: String)
    /// A later version of the program made the file; nothing in it was touched.
    case newer(path: String, version: Int)
    /// The file is not a library of this program.
    case foreign(path: String)
    /// Another program holds the file's lock for longer than is waited.
    case locked(path: String)
    case damaged(path: String, reason: String)
    /// The folder or disk does not let us.
    case unusable(path: String, reason: String)

    init(_ error: DatabaseError, path: String) {
        if error.isBusy {
            self = .locked(path: path)
        } else if error.isNotADatabase {
            self = .foreign(path: path)
        } else if error.isFull(at: path) {
            self = .noRoom(path: path)
        } else if error.isDamage {
            self = .damaged(path: path, reason: error.message)
        } else {
            self = .unusable(path: path, reason: error.message)
        }
    }

    /// One sentence without the final stop, with what to do where there is something.
    package var reason: String {
        switch self {
        case .noSession(let query):
            "no session fits \"\(query)\"; see `allspeak-host sessions list`"
        case .severalSessions(let query, let titles):
            "several sessions fit \"\(query)\": \(titles.joined(separator: ", ")); give the id"
        case .noTrack(let query, let session):
            "“\(session)” has no track \"\(query)\"; see `allspeak-host sessions show \"\(session)\"`"
        case .severalTracks(let query, let labels):
            "several tracks fit \"\(query)\": \(labels.joined(separator: ", ")); give more of the label, its number or its id"
        case .repeatedLabel(let label):
            "two tracks would be called “\(label)”; give each a label of its own: --audio FILE=LABEL"
        case .lastTrack(let session):
            "“\(session)” has only this track; add another one first, or delete the session"
        case .unfitFile(let path, let reason), .unwritable(let path, let reason): "\(NativePath.shown(path)): \(reason)"
        case .refused(let reason): reason
        case .full(let path, let needed, let free):
            "there is no room for \(ByteText.size(needed)) at \(path), \(ByteText.size(free)) are free; make room, or choose another folder with --data"
        case .noRoom(let path):
            "\(path) cannot be changed, the disk is full; make room, for example by deleting a film with `allspeak-host sessions delete`"
        case .newer(let path, let version):
            """
            \(path) was made by a newer version of Allspeak (library version \(version)); update, or choose another \
            folder with --data
            """
        case .foreign(let path):
            "\(path) is not an Allspeak library; choose another folder with --data"
        case .locked(let path):
            "\(path) is locked by another program; close it and try again"
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)); move it away and start again, or choose another folder with --data"
        case .unusable(let path, let reason):
            "\(path) cannot be used: \(reason); choose another folder with --data"
        }
    }
}
